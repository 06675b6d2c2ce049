#pragma once

#include "core/service/live_runner.h"
#include "ui/widgets/controls/strip.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace lockscope::widgets {

/// Starts, pauses and stops a live run, and shows how far it is.
class RunBar : public Strip {
    Q_OBJECT
public:
    explicit RunBar(QWidget* parent = nullptr);

    /// Whether there is something that can be run, and something that can be predicted.
    void setReady(bool canRun, bool canPredict);
    void setPredicting(bool isPredicting);
    /// The numbers that are shown were computed, and no run is.
    void showPredicted();
    void showProgress(const workload::LiveRunProgress& progress);

Q_SIGNALS:
    void startRequested();
    void predictRequested();
    void pauseRequested();
    void resumeRequested();
    void stopRequested();
    void locksRequested();
    void copyCommandRequested();
    void copyNumbersRequested();

private:
    void createState();
    void connectButtons();
    void refresh();
    void togglePause();

    using Phase = workload::LiveRunProgress::Phase;

    Phase m_phase = Phase::Idle;
    bool m_canRun = false;
    bool m_canPredict = false;
    bool m_isPredicting = false;
    bool m_isPredicted = false;
    QPushButton* m_start = nullptr;
    QPushButton* m_predict = nullptr;
    QPushButton* m_pause = nullptr;
    QPushButton* m_stop = nullptr;
    QLabel* m_state = nullptr;
    QLabel* m_time = nullptr;
    QProgressBar* m_progress = nullptr;
    QPushButton* m_locks = nullptr;
    QPushButton* m_copyNumbers = nullptr;
    QPushButton* m_copyCommand = nullptr;
};

/// "running", "paused", …: a word or two for the phase of a run.
QString phaseText(workload::LiveRunProgress::Phase phase);

/// True from the order to the end.
bool isUnderWay(workload::LiveRunProgress::Phase phase);

} // namespace lockscope::widgets
