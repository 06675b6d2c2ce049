#pragma once

#include <QObject>

class QAction;

namespace lockscope::widgets {

/// What a user can do on the Locks page, whichever of its servers is shown. What depends on a lock
/// or may change one is in the LockActions of each server.
class PageActions : public QObject {
    Q_OBJECT
public:
    explicit PageActions(QObject* parent);

    // Server
    QAction* connectServer = nullptr;
    QAction* disconnectServer = nullptr;
    QAction* sweep = nullptr;
    QAction* deepSweep = nullptr;
    // These have keys that mean something else on other pages.
    QAction* closeTab = nullptr;
    QAction* nextTab = nullptr;
    QAction* previousTab = nullptr;

    // Lock
    QAction* acquire = nullptr;

    // View
    QAction* focusFilter = nullptr;
    QAction* focusTable = nullptr;
    QAction* pause = nullptr; // checkable
};

} // namespace lockscope::widgets
