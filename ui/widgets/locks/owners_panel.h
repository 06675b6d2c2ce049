#pragma once

#include "ui/models/locks/owners_model.h"

#include <QWidget>

class QLabel;
class QTimer;
class QTreeView;

namespace lockscope::widgets {

/// Who holds what: the owners with their locks, the oldest hold and the first end of each. Choosing
/// a lock asks for it; an owner can become a term of the filter.
class OwnersPanel : public QWidget {
    Q_OBJECT
public:
    /// `locks` outlives the panel.
    explicit OwnersPanel(const models::LockTableModel& locks, QWidget* parent = nullptr);

    /// As the user calls owners from now on. Never null.
    void setNames(operations::OwnerNamesPtr names);

    /// Whether somebody sees it; else it costs nothing.
    void setWatched(bool isWatched);

Q_SIGNALS:
    void lockChosen(const lockscope::inspect::LockId& id);
    void filterChosen(const QString& filterWord);

private:
    void createView();
    void createActions();
    void choose(const QModelIndex& index);
    void refresh();

    models::OwnersModel m_model;
    models::OwnersOrder m_order;
    QTreeView* m_view = nullptr;
    QLabel* m_note = nullptr;
    QTimer* m_tick = nullptr;
    bool m_isRefreshing = false; // the current line may move, and nobody chose it
};

} // namespace lockscope::widgets
