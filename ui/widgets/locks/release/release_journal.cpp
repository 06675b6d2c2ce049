#include "ui/widgets/locks/release/release_journal.h"

#include "core/kernel/report/wording.h"
#include "ui/models/formatting.h"

namespace lockscope::widgets {

ReleaseJournal::ReleaseJournal(service::ReleaseDesk& desk, models::ActivityModel& activity,
                               std::function<WallTime()> wallNow, QObject* parent)
    : QObject(parent),
      m_activity(activity),
      m_wallNow(std::move(wallNow))
{
    connect(&desk, &service::ReleaseDesk::executed, this, &ReleaseJournal::noteReport);
    connect(&desk, &service::ReleaseDesk::followed, this, &ReleaseJournal::noteNextHold);
}

void ReleaseJournal::noteAttempt(quint64 request, const inspect::ReleasePlan& plan)
{
    if (plan.action == inspect::ReleaseAction::Restore) {
        std::erase_if(m_open, [&plan](const auto& open) { // what it undoes
            return open.second.lock->id == plan.lock->id;
        });
        m_open.emplace(request, plan);
        tell(plan.lock->id, tr("undo sent"));
        return;
    }
    m_open.emplace(request, plan);
    if (plan.action == inspect::ReleaseAction::CapTtl) {
        tell(plan.lock->id, tr("cap of %1 sent").arg(models::durationText(plan.cap)));
        return;
    }
    if (plan.action == inspect::ReleaseAction::Tombstone) {
        tell(plan.lock->id, tr("tombstone for %1 sent").arg(models::durationText(plan.cap)));
        return;
    }
    const QString ended = models::toQString(report::endedSentence(plan));
    tell(plan.lock->id, ended.isEmpty() ? tr("release sent") : tr("release sent: %1").arg(ended));
}

void ReleaseJournal::noteLeaving(quint64 request)
{
    if (const auto plan = m_open.find(request); plan != m_open.end()) {
        m_left.insert(request);
        Q_EMIT told(tr("%1: sent, no reply yet. The result will be shown here.")
                        .arg(models::bytesText(plan->second.lock->id.name)));
    }
}

void ReleaseJournal::noteWithdrawal(const inspect::LockId& id, inspect::ReleaseAction action)
{
    const QString text = action == inspect::ReleaseAction::Release
                             ? tr("not released: nothing was sent")
                             : tr("no expiry set: nothing was sent");
    tell(id, text);
}

void ReleaseJournal::noteReport(quint64 request, const inspect::ReleaseReport& report)
{
    const auto plan = m_open.find(request);
    if (plan == m_open.end()) {
        return;
    }
    const QString sentence = models::toQString(report::resultSentence(report, plan->second.action));
    const inspect::LockId id = plan->second.lock->id;
    tell(id, sentence);
    if (m_left.erase(request) > 0) {
        Q_EMIT answeredLate(tr("%1: %2").arg(models::bytesText(id.name), sentence));
    }
    const bool isFollowed = report.result == inspect::ReleaseResult::Released
                            && plan->second.action == inspect::ReleaseAction::Release
                            && !plan->second.leavesOthers();
    if (!isFollowed) {
        m_open.erase(plan);
    }
}

void ReleaseJournal::noteNextHold(quint64 request, const inspect::NextHold& nextHold)
{
    const auto plan = m_open.find(request);
    if (plan == m_open.end()) {
        return;
    }
    const inspect::LockId id = plan->second.lock->id;
    const QString sentence = models::toQString(report::nextHoldSentence(nextHold));
    m_open.erase(plan);
    write(id, sentence);
    if (nextHold.isBack()) {
        Q_EMIT cameBack(tr("%1: %2").arg(models::bytesText(id.name), sentence));
    }
}

/// What was told before may be about the same lock, and is no longer true.
void ReleaseJournal::tell(const inspect::LockId& id, const QString& text)
{
    write(id, text);
    Q_EMIT told(tr("%1: %2").arg(models::bytesText(id.name), text));
}

void ReleaseJournal::write(const inspect::LockId& id, const QString& text)
{
    models::ActivityEntry entry;
    entry.at = m_wallNow();
    entry.kind = models::ActivityKind::OurRelease;
    entry.lock = id;
    entry.text = text;
    m_activity.append(std::move(entry));
}

} // namespace lockscope::widgets
