#pragma once

#include "core/service/release_desk.h"
#include "ui/models/locks/activity_model.h"

#include <QObject>

#include <functional>
#include <unordered_map>
#include <unordered_set>

namespace lockscope::widgets {

/// Writes our own attempts into the activity log: that they were made, what became of them, who
/// came next. It goes on when the dialog that made the attempt is closed.
class ReleaseJournal : public QObject {
    Q_OBJECT
public:
    ReleaseJournal(service::ReleaseDesk& desk, models::ActivityModel& activity,
                   std::function<WallTime()> wallNow, QObject* parent = nullptr);

    /// The plan was sent under this number; its answers will follow.
    void noteAttempt(quint64 request, const inspect::ReleasePlan& plan);
    /// The user left the dialog before the answer was there.
    void noteLeaving(quint64 request);
    /// The user left the dialog, and nothing was sent.
    void noteWithdrawal(const inspect::LockId& id, inspect::ReleaseAction action);
    /// What became of something else that was tried from here.
    void noteSentence(const inspect::LockId& id, const QString& sentence) { tell(id, sentence); }

Q_SIGNALS:
    /// What was done to a lock from here last, or was not.
    void told(const QString& sentence);
    /// The answer that came after the dialog was closed.
    void answeredLate(const QString& sentence);
    /// A release that did not last, whether or not its dialog is still open.
    void cameBack(const QString& sentence);

private:
    void noteReport(quint64 request, const inspect::ReleaseReport& report);
    void noteNextHold(quint64 request, const inspect::NextHold& nextHold);
    void tell(const inspect::LockId& id, const QString& text);
    void write(const inspect::LockId& id, const QString& text);

    models::ActivityModel& m_activity;
    std::function<WallTime()> m_wallNow;
    std::unordered_map<quint64, inspect::ReleasePlan> m_open;
    std::unordered_set<quint64> m_left; // of those, the ones whose dialog is closed
};

} // namespace lockscope::widgets
