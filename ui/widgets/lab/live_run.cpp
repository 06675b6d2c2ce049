#include "ui/widgets/lab/live_run.h"

#include "core/kernel/report/run/live_record.h"
#include "ui/widgets/lab/run_view.h"

namespace lockscope::widgets {

using workload::LiveRunProgress;
using Phase = LiveRunProgress::Phase;

namespace {

/// While a run goes on, its picture is drawn anew this often, and only while that takes no more
/// than a frame or two.
constexpr Duration kRedraw = std::chrono::milliseconds(500);
constexpr std::size_t kDrawnLiveMax = 30'000; // events

} // namespace

LiveRun::LiveRun(RunView& view, service::LiveRunner& runner, workload::LiveRunOrder order,
                 std::string ownText)
    : QObject(&view),
      m_view(view),
      m_runner(runner),
      m_order(std::move(order)),
      m_ownText(std::move(ownText))
{
    connect(&m_runner, &service::LiveRunner::progressed, this, &LiveRun::takeProgress);
    m_runner.start(m_order);
}

LiveRun::~LiveRun()
{
    if (!m_isOver) {
        m_runner.disconnect(this);
        m_runner.stop();
    }
}

void LiveRun::takeProgress(const LiveRunProgress& progress)
{
    if (m_isOver) {
        return; // of the next run
    }
    m_isOver = progress.phase == Phase::Finished || progress.phase == Phase::Failed;
    const bool isDue = progress.elapsed - m_shownAt >= kRedraw
                       && m_runner.events().size() <= kDrawnLiveMax;
    if (m_isOver || (isDue && progress.phase == Phase::Running)) {
        show(progress);
    }
}

void LiveRun::show(const LiveRunProgress& progress)
{
    m_shownAt = progress.elapsed;
    report::RunFile run = report::runFileOf({m_order.protocol, m_ownText}, m_order.scenario,
                                            progress, {m_runner.events(), m_runner.serverHolds()});
    run.command = m_view.command().toStdString();
    m_view.promises().show(run.promises);
    models::RunRecord record = models::recordOf(std::move(run));
    if (m_isOver) {
        m_view.showRecord(std::move(record), tr("The first overlap"));
    } else {
        m_view.updateRecord(std::move(record));
    }
}

} // namespace lockscope::widgets
