#pragma once

#include "core/service/lock_keeper.h"
#include "ui/models/locks/activity_model.h"

#include <QObject>

#include <functional>
#include <unordered_map>

namespace lockscope::widgets {

/// Writes into the activity log what becomes of the locks that are taken by hand, also of those
/// that are over and therefore no longer in the list of held ones.
class HandLockJournal : public QObject {
    Q_OBJECT
public:
    HandLockJournal(service::LockKeeper& keeper, models::ActivityModel& activity,
                    std::function<WallTime()> wallNow, QObject* parent = nullptr);

private:
    void note(const service::KeptLock& lock);
    QString textOf(const service::KeptLock& lock) const;

    service::LockKeeper& m_keeper;
    models::ActivityModel& m_activity;
    std::function<WallTime()> m_wallNow;
    std::unordered_map<quint64, service::KeptLock::State> m_states; // of those that are not over
};

} // namespace lockscope::widgets
