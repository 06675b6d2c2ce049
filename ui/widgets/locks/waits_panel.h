#pragma once

#include "ui/models/locks/blocking_model.h"

#include <QWidget>

namespace lockscope::widgets {

class LockTree;

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
    void setUpView();
    void refresh();

    models::BlockingModel m_model;
    LockTree* m_tree = nullptr;
};

} // namespace lockscope::widgets
