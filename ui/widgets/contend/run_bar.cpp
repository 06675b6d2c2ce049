#include "ui/widgets/contend/run_bar.h"

#include "ui/models/contend/latency_text.h"
#include "ui/models/server_choice.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/paired_controls.h"
#include "ui/widgets/style/flat_style.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QShortcut>

#include <algorithm>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using workload::LiveRunProgress;

QString phaseText(LiveRunProgress::Phase phase)
{
    switch (phase) {
    case LiveRunProgress::Phase::Idle: return RunBar::tr("not started");
    case LiveRunProgress::Phase::Starting: return RunBar::tr("starting");
    case LiveRunProgress::Phase::Running: return RunBar::tr("running");
    case LiveRunProgress::Phase::Parked: return RunBar::tr("paused");
    case LiveRunProgress::Phase::Stopping: return RunBar::tr("stopping");
    case LiveRunProgress::Phase::Finished: return RunBar::tr("finished");
    case LiveRunProgress::Phase::Failed: return RunBar::tr("failed");
    }
    return {};
}

bool isUnderWay(LiveRunProgress::Phase phase)
{
    return phase == LiveRunProgress::Phase::Starting || phase == LiveRunProgress::Phase::Running
           || phase == LiveRunProgress::Phase::Parked || phase == LiveRunProgress::Phase::Stopping;
}

RunBar::RunBar(QWidget* parent) : Strip(Qt::BottomEdge, parent)
{
    setObjectName(u"runBar"_s);
    m_start = createButton(u"startRunButton"_s, tr("St&art"), this, tr("Start the run (Ctrl+R)"));
    setEmphasis(m_start, Emphasis::Primary);
    m_predict = createButton(
        u"predictRunButton"_s, tr("P&redict"), this,
        tr("Compute the result without a server, also for numbers that no machine can run"));
    m_pause = createButton(u"pauseRunButton"_s, tr("Pa&use"), this);
    m_stop = createButton(u"stopRunButton"_s, tr("St&op"), this);
    createState();
    m_locks = createButton(u"showLocksButton"_s, tr("Show &locks"), this,
                           tr("Watch the real locks in the table during the run"));
    m_copyNumbers = createButton(u"copyNumbersButton"_s, tr("Copy &numbers"), this);
    m_copyCommand = createButton(u"copyCommandButton"_s, tr("Copy as &command"), this);
    // The room takes the place of a progress that is over.
    createRow(this, {16, 8, 16, 9}, 8,
              {m_start, m_predict, m_pause, m_stop, gap(8), m_state, growing(m_progress), m_time,
               room(0), m_locks, m_copyNumbers, m_copyCommand});
    connectButtons();
    showProgress({});
}

void RunBar::createState()
{
    m_state = new QLabel(this);
    m_state->setObjectName(u"runState"_s);
    m_time = createQuietLabel({}, this);
    m_time->setObjectName(u"runTime"_s);
    m_progress = createProgressLine(u"runProgress"_s, tr("Progress of the run"), this);
}

void RunBar::connectButtons()
{
    // A shortcut of the button itself would take the place of its mnemonic.
    connect(new QShortcut(Qt::CTRL | Qt::Key_R, this), &QShortcut::activated, m_start,
            &QPushButton::click);
    connect(m_start, &QPushButton::clicked, this, &RunBar::startRequested);
    connect(m_predict, &QPushButton::clicked, this, &RunBar::predictRequested);
    connect(m_pause, &QPushButton::clicked, this, &RunBar::togglePause);
    connect(m_stop, &QPushButton::clicked, this, &RunBar::stopRequested);
    connect(m_locks, &QPushButton::clicked, this, &RunBar::locksRequested);
    connect(m_copyNumbers, &QPushButton::clicked, this, &RunBar::copyNumbersRequested);
    connect(m_copyCommand, &QPushButton::clicked, this, &RunBar::copyCommandRequested);
}

void RunBar::togglePause()
{
    if (m_phase == Phase::Parked) {
        Q_EMIT resumeRequested();
    } else {
        Q_EMIT pauseRequested();
    }
}

void RunBar::setReady(bool canRun, bool canPredict)
{
    m_canRun = canRun;
    m_canPredict = canPredict;
    refresh();
}

void RunBar::setPredicting(bool isPredicting)
{
    m_isPredicting = isPredicting;
    m_state->setText(isPredicting ? tr("predicting") : QString());
    m_progress->setVisible(isPredicting);
    m_progress->setRange(0, isPredicting ? 0 : kProgressMax); // busy
    m_time->clear();
    refresh();
}

void RunBar::showPredicted()
{
    m_isPredicted = true;
    m_state->setText(tr("predicted"));
    refresh();
}

void RunBar::showProgress(const LiveRunProgress& progress)
{
    m_isPredicted = false;
    m_phase = progress.phase;
    const bool isShown = progress.phase != Phase::Idle;
    m_state->setText(isShown ? phaseText(progress.phase) : QString());
    m_state->setToolTip(models::serverNames(progress.servers));
    const bool isOver = progress.phase == Phase::Finished || progress.phase == Phase::Failed;
    m_progress->setVisible(isShown && !isOver && progress.duration > Duration(0));
    const double share = progress.duration > Duration(0)
                             ? static_cast<double>(progress.elapsed.count())
                                   / static_cast<double>(progress.duration.count())
                             : 0;
    m_progress->setValue(static_cast<int>(std::clamp(share, 0.0, 1.0) * m_progress->maximum()));
    const QString elapsed = models::latencyText(progress.elapsed);
    m_time->setText(!isShown ? QString()
                    : isOver ? tr("after %1").arg(elapsed)
                             : tr("%1 of %2").arg(elapsed, models::latencyText(progress.duration)));
    refresh();
}

void RunBar::refresh()
{
    const bool canPause = m_phase == Phase::Running || m_phase == Phase::Parked;
    const bool isBusy = isUnderWay(m_phase) || m_isPredicting;
    PairedControls{*m_start, *m_stop}.setEnabled(m_canRun && !isBusy,
                                                 isBusy && m_phase != Phase::Stopping);
    m_predict->setEnabled(m_canPredict && !isBusy);
    m_pause->setEnabled(canPause);
    m_pause->setText(m_phase == Phase::Parked ? tr("Res&ume") : tr("Pa&use"));
    m_locks->setEnabled(canPause);
    m_copyNumbers->setEnabled(m_phase != Phase::Idle || m_isPredicted);
    m_copyCommand->setEnabled(m_canRun || m_phase != Phase::Idle);
}

} // namespace lockscope::widgets
