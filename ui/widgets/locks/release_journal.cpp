#include "locks/release_journal.h"

#include "formatting.h"
#include "report/wording.h"

namespace lockscope::widgets {

ReleaseJournal::ReleaseJournal(service::ReleaseDesk& desk, models::ActivityModel& activity,
                               std::function<WallTime()> wallNow, QObject* parent)
    : QObject(parent),
      m_activity(activity),
      m_wallNow(std::move(wallNow))
{
    connect(&desk, &service::ReleaseDesk::executed, this, &ReleaseJournal::noteReport);
    connect(&desk, &service::ReleaseDesk::followed, this, &ReleaseJournal::noteAftermath);
}

void ReleaseJournal::noteAttempt(quint64 request, const inspect::ReleasePlan& plan)
{
    m_open.emplace(request, plan);
    write(plan, plan.action == inspect::ReleaseAction::Release
                    ? tr("release sent")
                    : tr("cap of %1 sent").arg(models::durationText(plan.cap)));
}

void ReleaseJournal::noteReport(quint64 request, const inspect::ReleaseReport& report)
{
    const auto plan = m_open.find(request);
    if (plan == m_open.end()) {
        return;
    }
    write(plan->second, models::toQString(report::resultSentence(report, plan->second.action)));
    if (report.result != inspect::ReleaseResult::Released) {
        m_open.erase(plan); // nothing follows
    }
}

void ReleaseJournal::noteAftermath(quint64 request, const inspect::Aftermath& aftermath)
{
    const auto plan = m_open.find(request);
    if (plan != m_open.end()) {
        write(plan->second, models::toQString(report::aftermathSentence(aftermath)));
        m_open.erase(plan);
    }
}

void ReleaseJournal::write(const inspect::ReleasePlan& plan, const QString& text)
{
    models::ActivityEntry entry;
    entry.at = m_wallNow();
    entry.kind = models::ActivityKind::OurRelease;
    entry.lock = plan.lock->id;
    entry.text = text;
    m_activity.append(std::move(entry));
}

} // namespace lockscope::widgets
