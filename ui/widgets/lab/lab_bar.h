#pragma once

#include "ui/models/lab/lab_activity.h"
#include "ui/widgets/controls/strip.h"

class QProgressBar;
class QPushButton;

namespace lockscope::widgets {

class ElidedLabel;

/// Starts what the laboratory can do, holds it up and ends it, and shows how far it is.
class LabBar : public Strip {
    Q_OBJECT
public:
    explicit LabBar(QWidget* parent = nullptr);

    /// Whether there is something that can be run.
    void setReady(bool isReady);
    void showActivity(const models::LabActivity& activity);
    /// Whether the run that is shown has a command.
    void setCopyable(bool isCopyable);

Q_SIGNALS:
    void findRequested();
    void simulateRequested();
    void contendRequested();
    void proofRequested();
    void pauseRequested(bool isPaused);
    void cancelRequested();
    void openRequested();
    void copyCommandRequested();

private:
    void createProgress();
    void connectButtons();
    void refreshStarters();

    QPushButton* m_find = nullptr;
    QPushButton* m_simulate = nullptr;
    QPushButton* m_contend = nullptr;
    QPushButton* m_prove = nullptr;
    QPushButton* m_pause = nullptr;
    QPushButton* m_cancel = nullptr;
    QPushButton* m_open = nullptr;
    QPushButton* m_copy = nullptr;
    ElidedLabel* m_numbers = nullptr;
    QProgressBar* m_progress = nullptr;
    bool m_isReady = true;
    bool m_isUnderWay = false;
    bool m_isPaused = false;
};

} // namespace lockscope::widgets
