#pragma once

#include "ui/models/locks/blocking_model.h"

#include <QWidget>

class QLabel;
class QTimer;
class QTreeView;

namespace lockscope::widgets {

/// Who waits behind whom: a tree of locks and their waiters, with how long they have waited.
/// Choosing a line asks for its lock.
class WaitsPanel : public QWidget {
    Q_OBJECT
public:
    /// `locks` outlives the panel.
    explicit WaitsPanel(const models::LockTableModel& locks, QWidget* parent = nullptr);

    /// Whether somebody sees it; else it costs nothing.
    void setWatched(bool isWatched);

Q_SIGNALS:
    void lockChosen(const lockscope::inspect::LockId& id);

private:
    void createView();
    void choose(const QModelIndex& index);
    void refresh();

    models::BlockingModel m_model;
    QTreeView* m_view = nullptr;
    QLabel* m_note = nullptr;
    QTimer* m_tick = nullptr;
    bool m_isRefreshing = false; // the current line may move, and nobody chose it
};

} // namespace lockscope::widgets
