#pragma once

#include "core/kernel/store/endpoint.h"
#include "core/service/lock_keeper.h"

#include <QObject>

#include <functional>
#include <vector>

class QAction;
class QWidget;

namespace lockscope::models {
class ProtocolListModel;
} // namespace lockscope::models

namespace lockscope::widgets {

class Prompter;

/// Locks taken by hand: opens the dialog that takes one, says when one is lost, and asks what to do
/// with those that are held when the window closes.
class HandLocks : public QObject {
    Q_OBJECT
public:
    struct Parts {
        service::LockKeeper& keeper;
        Prompter& prompter;
        models::ProtocolListModel& protocols;
        QAction& acquire; // enabled as long as a lock can be taken
    };

    /// The dialogs open over `window`.
    HandLocks(Parts parts, QWidget* window);

    /// The servers of the window; of those that are read-only nothing is taken.
    void setServers(const std::vector<store::Endpoint>& servers);

    /// True when nothing stands in the way of quitting. Otherwise asks, and calls `quit` later if
    /// the user wants to.
    bool mayQuit(std::function<void()> quit);

Q_SIGNALS:
    /// A sentence the user has to see.
    void noticed(const QString& text);

private:
    void openDialog();
    void takeChange(const service::KeptLock& lock);

    Parts m_parts;
    QWidget* m_window = nullptr;
    std::vector<store::Endpoint> m_servers;
    std::function<void()> m_quit; // once everything is released
    bool m_isLeaving = false;     // the user has decided
};

} // namespace lockscope::widgets
