#include "ui/widgets/lab/live_run.h"

#include "core/kernel/report/run/run_verdicts.h"
#include "ui/models/lab/run_record.h"
#include "ui/widgets/lab/run_view.h"

#include <QtConcurrentRun>

#include <algorithm>
#include <utility>

namespace lockscope::widgets {

using workload::LiveRunProgress;
using Phase = LiveRunProgress::Phase;

namespace {

constexpr Duration kRedraw = std::chrono::milliseconds(500);
constexpr int kDrawingShare = 5; // of the time, drawing takes one part

} // namespace

LiveRun::LiveRun(RunView& view, service::LiveRunner& runner, workload::LiveRunOrder order,
                 std::string ownText)
    : QObject(&view),
      m_view(view),
      m_runner(runner),
      m_order(std::move(order)),
      m_ownText(std::move(ownText)),
      m_pause(kRedraw)
{
    connect(&m_drawn, &QFutureWatcherBase::finished, this, &LiveRun::showDrawing);
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
    if (m_isOver) {
        showWhole(progress);
    } else if (progress.phase == Phase::Running && !m_drawn.isRunning()
               && (!m_drawnAt || progress.at >= *m_drawnAt + m_pause)) {
        draw(progress);
    }
}

void LiveRun::draw(const LiveRunProgress& progress)
{
    if (!m_drawing) {
        const auto& info = m_order.protocol->info();
        m_drawing.emplace(models::namesIn(report::labelsOf(info, m_order.scenario, progress)),
                          m_order.scenario.permits);
    }
    const auto work = m_drawing->next(m_runner.events(), m_runner.serverHolds(),
                                      m_view.timelineSetup());
    if (work) {
        m_drawnAt = progress.at;
        m_drawn.setFuture(QtConcurrent::run(work));
    }
}

void LiveRun::showDrawing()
{
    if (m_isOver) {
        return;
    }
    const LiveRunProgress& progress = m_runner.progress();
    m_pause = std::max(kRedraw, kDrawingShare * (progress.at - *m_drawnAt));
    report::RunFile run = runSoFar(progress, {});
    run.promises = report::verdictsOf({progress.statistics, m_runner.events(), progress.leftBehind},
                                      m_order.scenario, m_order.protocol->info());
    m_view.promises().show(run.promises);
    models::RunRecord record = models::recordOf(std::move(run));
    record.whole = [this] {
        return runSoFar(m_runner.progress(), {m_runner.events(), m_runner.serverHolds()});
    };
    m_view.showProgress(std::move(record), m_drawn.future().takeResult());
}

void LiveRun::showWhole(const LiveRunProgress& progress)
{
    report::RunFile run = runSoFar(progress, {m_runner.events(), m_runner.serverHolds()});
    m_view.promises().show(run.promises);
    m_view.showRecord(models::recordOf(std::move(run)), tr("The first overlap"));
}

report::RunFile LiveRun::runSoFar(const LiveRunProgress& progress,
                                  report::LiveObservations observations) const
{
    report::RunFile run = report::runFileOf({m_order.protocol, m_ownText}, m_order.scenario,
                                            progress, std::move(observations));
    run.command = m_view.command().toStdString();
    return run;
}

} // namespace lockscope::widgets
