#pragma once

#include "core/kernel/store/endpoint.h"
#include "core/service/lock_keeper.h"
#include "ui/models/locks/activity_model.h"

#include <QObject>
#include <QPointer>

#include <functional>
#include <unordered_map>
#include <vector>

class QAction;
class QWidget;

namespace lockscope::models {
class ProtocolListModel;
} // namespace lockscope::models

namespace lockscope::widgets {

class Prompter;

/// Writes into the activity log what becomes of the locks that are taken by hand, also of those
/// that are over and therefore no longer in the list of held ones. All that is said of a lock goes
/// into the log of the server that was shown when it was asked for.
class HandLockJournal : public QObject {
    Q_OBJECT
public:
    /// `shown` is the log of the server that is shown now.
    HandLockJournal(service::LockKeeper& keeper, std::function<models::ActivityModel&()> shown,
                    std::function<WallTime()> wallNow, QObject* parent = nullptr);

private:
    void note(const service::KeptLock& lock);
    QString textOf(const service::KeptLock& lock) const;

    struct Known {
        service::KeptLock::State state;
        QPointer<models::ActivityModel> log; // null: it was closed
    };

    service::LockKeeper& m_keeper;
    std::function<models::ActivityModel&()> m_shown;
    std::function<WallTime()> m_wallNow;
    std::unordered_map<quint64, Known> m_known; // those that are not over
};

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
    /// The same without a question: releases all locks, and calls `quit` when that is done.
    bool mayQuitUnasked(std::function<void()> quit);

Q_SIGNALS:
    /// A sentence the user has to see.
    void noticed(const QString& text);

private:
    void openDialog();
    void releaseAll(std::function<void()> quit);
    void takeChange(const service::KeptLock& lock);

    Parts m_parts;
    QWidget* m_window = nullptr;
    std::vector<store::Endpoint> m_servers;
    std::function<void()> m_quit; // once everything is released
    bool m_isLeaving = false;     // the user has decided
};

} // namespace lockscope::widgets
