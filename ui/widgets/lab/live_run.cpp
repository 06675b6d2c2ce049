#include "ui/widgets/lab/live_run.h"

#include "core/kernel/report/run/run_verdicts.h"
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
      m_subject{std::move(order), std::move(ownText), view.command().toStdString()},
      m_pause(kRedraw)
{
    connect(&m_drawn, &QFutureWatcherBase::finished, this, &LiveRun::showDrawing);
    connect(&m_whole, &QFutureWatcherBase::finished, this, &LiveRun::showWhole);
    connect(&m_runner, &service::LiveRunner::progressed, this, &LiveRun::takeProgress);
    m_runner.start(m_subject.order);
}

LiveRun::~LiveRun()
{
    if (m_seen == nullptr) {
        m_runner.disconnect(this);
        m_runner.stop();
    }
}

void LiveRun::takeProgress(const LiveRunProgress& progress)
{
    if (m_seen != nullptr) {
        return; // of the next run
    }
    if (progress.phase == Phase::Finished || progress.phase == Phase::Failed) {
        drawWhole(progress);
    } else if (progress.phase == Phase::Running && !m_drawn.isRunning()
               && (!m_drawnAt || progress.at >= *m_drawnAt + m_pause)) {
        draw(progress);
    }
}

void LiveRun::draw(const LiveRunProgress& progress)
{
    if (!m_drawing) {
        const workload::Scenario& scenario = m_subject.order.scenario;
        const protocol::ProtocolInfo& info = m_subject.order.protocol->info();
        m_drawing.emplace(models::namesIn(report::labelsOf(info, scenario, progress)),
                          scenario.permits);
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
    if (m_seen != nullptr) {
        return;
    }
    const LiveRunProgress& progress = m_runner.progress();
    m_pause = std::max(kRedraw, kDrawingShare * (progress.at - *m_drawnAt));
    report::RunFile run = m_subject.fileOf(progress, {});
    run.promises = report::verdictsOf({progress.statistics, m_runner.events(), progress.leftBehind},
                                      m_subject.order.scenario, m_subject.order.protocol->info());
    m_view.promises().show(run.promises); // what is not granted yet may be granted soon
    models::RunRecord record = models::recordOf(std::move(run));
    record.whole = [this] { return runSoFar(); };
    m_view.showProgress(std::move(record), m_drawn.future().takeResult());
}

void LiveRun::drawWhole(const LiveRunProgress& progress)
{
    m_seen = std::make_shared<const Seen>(Seen{progress, m_runner.takeEvents(),
                                               m_runner.serverHolds()});
    const auto work = [subject = m_subject, seen = m_seen, setup = m_view.timelineSetup()] {
        Whole whole;
        whole.record = models::recordOf(subject.fileOf(seen->progress,
                                                       {seen->events, seen->serverHolds}));
        if (whole.record.chronicle != nullptr) {
            whole.drawing = models::drawingOf(whole.record.chronicle, whole.record.names, setup);
        }
        return whole;
    };
    m_whole.setFuture(QtConcurrent::run(work));
}

void LiveRun::showWhole()
{
    Whole whole = m_whole.future().takeResult();
    m_view.promises().show(whole.record.run->promises,
                           report::untestedText(m_seen->progress.statistics,
                                                m_seen->progress.refusal));
    m_view.showDrawn(std::move(whole.record), std::move(whole.drawing), tr("The first overlap"));
}

/// To be written, while it goes on and while the whole of it is being drawn.
report::RunFile LiveRun::runSoFar() const
{
    return m_seen != nullptr
               ? m_subject.fileOf(m_seen->progress, {m_seen->events, m_seen->serverHolds})
               : m_subject.fileOf(m_runner.progress(), {m_runner.events(), m_runner.serverHolds()});
}

report::RunFile LiveRun::Subject::fileOf(const LiveRunProgress& progress,
                                         report::LiveObservations observations) const
{
    report::RunFile run = report::runFileOf({order.protocol, ownText}, order.scenario, progress,
                                            std::move(observations));
    run.command = command;
    return run;
}

} // namespace lockscope::widgets
