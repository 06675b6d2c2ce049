#include "ui/models/lab/lab_activity.h"

#include "ui/models/contend/latency_text.h"
#include "ui/models/formatting.h"
#include "ui/models/ui_text.h"

#include <QStringList>

#include <algorithm>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using service::SearchProgress;
using workload::LiveRunProgress;

namespace {

/// Sooner an estimate is only a guess.
constexpr Duration kEstimateAfter = 2s;

QString counted(std::uint64_t count)
{
    return countText(static_cast<std::int64_t>(count));
}

double shareOf(double done, double all)
{
    return all > 0 ? std::clamp(done / all, 0.0, 1.0) : 0;
}

QString estimateOf(const SearchProgress& progress, double share)
{
    const bool isKnown = progress.phase == SearchProgress::Phase::Searching && share > 0
                         && progress.elapsed >= kEstimateAfter && !progress.isPaused
                         && !progress.isStopping;
    if (!isKnown) {
        return {};
    }
    const auto elapsed = static_cast<double>(progress.elapsed.count());
    const auto left = static_cast<Duration::rep>(elapsed * (1 - share) / share);
    return UiText::tr("about %1 left").arg(durationText(std::max(Duration(left), Duration(1s))));
}

QString phaseWord(const SearchProgress& progress)
{
    if (progress.isStopping) {
        return UiText::tr("stopping");
    }
    switch (progress.phase) {
    case SearchProgress::Phase::Telling:
        return progress.isPaused ? UiText::tr("paused") : UiText::tr("shortening the stories");
    case SearchProgress::Phase::Cancelled: return UiText::tr("stopped");
    case SearchProgress::Phase::Searching:
        return progress.isPaused ? UiText::tr("paused") : QString();
    case SearchProgress::Phase::Idle:
    case SearchProgress::Phase::Finished: break;
    }
    return {};
}

QString phaseWord(LiveRunProgress::Phase phase)
{
    using Phase = LiveRunProgress::Phase;
    switch (phase) {
    case Phase::Starting: return UiText::tr("starting servers");
    case Phase::Running: return UiText::tr("running");
    case Phase::Parked: return UiText::tr("paused");
    case Phase::Stopping: return UiText::tr("stopping");
    case Phase::Finished: return UiText::tr("finished");
    case Phase::Failed: return UiText::tr("failed");
    case Phase::Idle: break;
    }
    return {};
}

QString textOf(const SearchProgress& progress, double share)
{
    const search::Coverage& coverage = progress.coverage;
    QStringList parts{phaseWord(progress),
                      UiText::tr("%1 schedules").arg(counted(coverage.schedules))};
    if (!progress.isOver()) {
        parts += UiText::tr("%1/s").arg(counted(progress.schedulesPerSecond));
    }
    if (coverage.states > 0) { // random runs do not count them
        parts += UiText::tr("%1 states").arg(counted(coverage.states));
    }
    parts += UiText::tr("deepest %1")
                 .arg(countedText(coverage.longest, UiText::tr("step"), UiText::tr("steps")));
    parts += latencyText(progress.elapsed);
    parts += estimateOf(progress, share);
    parts.removeAll(QString());
    return parts.join(u" · "_s);
}

} // namespace

LabActivity activityOf(const SearchProgress& progress)
{
    LabActivity activity;
    activity.isUnderWay = progress.isUnderWay();
    activity.isPaused = progress.isPaused;
    activity.isStopping = progress.isStopping;
    activity.share = shareOf(static_cast<double>(progress.doneCount),
                             static_cast<double>(progress.partCount));
    if (progress.phase != SearchProgress::Phase::Idle) {
        activity.text = textOf(progress, activity.share);
    }
    return activity;
}

LabActivity activityOf(const LiveRunProgress& progress)
{
    using Phase = LiveRunProgress::Phase;
    LabActivity activity;
    activity.isUnderWay = progress.phase == Phase::Starting || progress.phase == Phase::Running
                          || progress.phase == Phase::Parked || progress.phase == Phase::Stopping;
    activity.isPaused = progress.phase == Phase::Parked;
    activity.isStopping = progress.phase == Phase::Stopping;
    activity.share = shareOf(static_cast<double>(progress.elapsed.count()),
                             static_cast<double>(progress.duration.count()));
    if (progress.phase == Phase::Failed) {
        activity.text = toQString(store::explain(progress.problem));
    } else if (progress.phase != Phase::Idle) {
        const QString acquisitions =
            UiText::tr("%1 acquisitions").arg(counted(progress.statistics.acquisitions));
        const QString rate =
            UiText::tr("%1/s").arg(counted(static_cast<std::uint64_t>(progress.recentPerSecond)));
        QStringList parts{phaseWord(progress.phase), acquisitions};
        parts += activity.isUnderWay ? rate : QString();
        parts += latencyText(progress.elapsed);
        parts.removeAll(QString());
        activity.text = parts.join(u" · "_s);
    }
    return activity;
}

LabActivity activityOf(const service::ProofProgress& progress, Duration budget)
{
    using Phase = service::ProofProgress::Phase;
    LabActivity activity;
    activity.isUnderWay = progress.isUnderWay();
    activity.canPause = false;
    activity.isStopping = progress.isStopping;
    activity.share = shareOf(static_cast<double>(progress.elapsed.count()),
                             static_cast<double>(budget.count()));
    QStringList parts;
    if (progress.isStopping || progress.phase == Phase::Cancelled) {
        parts += progress.isStopping ? UiText::tr("stopping") : UiText::tr("stopped");
    } else if (progress.phase == Phase::Trying) {
        parts += UiText::tr("trying the adapter");
    }
    if (progress.runCount > 0) {
        parts += UiText::tr("%1 runs").arg(counted(progress.runCount));
        parts += UiText::tr("%1/s").arg(counted(progress.runsPerSecond));
        parts +=
            UiText::tr("%1 broken").arg(countText(static_cast<std::int64_t>(progress.bugCount)));
    }
    activity.text = parts.join(u" · "_s);
    return activity;
}

} // namespace lockscope::models
