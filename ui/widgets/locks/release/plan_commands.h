#pragma once

#include "core/kernel/inspect/release_plan.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace lockscope::widgets {

class CommandBox;

/// What a release plan does, in a sentence; behind a button its steps in words, and the command
/// with its script.
class PlanCommands : public QWidget {
    Q_OBJECT
public:
    explicit PlanCommands(QWidget* parent = nullptr);

    /// Whether the script is shown stays as the user left it.
    void setPlan(const inspect::ReleasePlan& plan);

Q_SIGNALS:
    /// The script was shown or hidden, so that another height is needed.
    void toggled();

private:
    void showScript(bool isShown);

    QLabel* m_sentence = nullptr;
    QLabel* m_steps = nullptr;
    QToolButton* m_toggle = nullptr;
    CommandBox* m_command = nullptr;
};

} // namespace lockscope::widgets
