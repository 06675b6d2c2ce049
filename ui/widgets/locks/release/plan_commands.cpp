#include "ui/widgets/locks/release/plan_commands.h"

#include "core/kernel/report/release_steps.h"
#include "core/kernel/report/wording.h"
#include "ui/models/formatting.h"
#include "ui/widgets/controls/command_box.h"

#include <QLabel>
#include <QStringList>
#include <QToolButton>
#include <QVBoxLayout>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

PlanCommands::PlanCommands(QWidget* parent) : QWidget(parent)
{
    m_sentence = new QLabel(this);
    m_sentence->setObjectName(u"planSentence"_s);
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setWordWrap(true);
    m_steps = new QLabel(this);
    m_steps->setObjectName(u"planSteps"_s);
    m_steps->setTextFormat(Qt::PlainText);
    m_steps->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_steps->setWordWrap(true);
    m_toggle = new QToolButton(this);
    m_toggle->setObjectName(u"showScriptButton"_s);
    m_toggle->setAutoRaise(true);
    m_toggle->setCheckable(true);
    m_toggle->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_command = new CommandBox(this);
    m_command->setObjectName(u"planCommand"_s);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(m_sentence);
    layout->addWidget(m_steps);
    layout->addWidget(m_toggle, 0, Qt::AlignLeft);
    layout->addWidget(m_command);
    showScript(false);
    connect(m_toggle, &QToolButton::toggled, this, [this](bool isShown) {
        showScript(isShown);
        Q_EMIT toggled();
    });
}

void PlanCommands::setPlan(const inspect::ReleasePlan& plan)
{
    m_sentence->setText(models::toQString(report::planSentence(plan)));
    QStringList lines;
    for (const std::string& step : report::releaseSteps(plan)) {
        lines += tr("%1. %2").arg(lines.size() + 1).arg(models::toQString(step));
    }
    m_steps->setText(lines.join(u'\n'));
    m_command->setScript(models::toQString(store::toText(plan.command)));
}

void PlanCommands::showScript(bool isShown)
{
    m_steps->setVisible(isShown);
    m_command->setVisible(isShown);
    m_toggle->setText(isShown ? tr("Hide the steps and the script")
                              : tr("Show the steps and the script"));
    m_toggle->setArrowType(isShown ? Qt::DownArrow : Qt::RightArrow);
}

} // namespace lockscope::widgets
