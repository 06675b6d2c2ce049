#include "ui/widgets/locks/write_switch.h"

#include "ui/widgets/controls/prompter.h"

#include <QAction>
#include <QPointer>

#include <utility>

namespace lockscope::widgets {

namespace {

constexpr std::chrono::milliseconds kTick{500};

QString minutesText()
{
    return QString::number(
        std::chrono::duration_cast<std::chrono::minutes>(WritePermit::kProductionSpan).count());
}

Question productionQuestion(const QString& server)
{
    Question question;
    question.title = WriteSwitch::tr("Allow writes");
    question.text = WriteSwitch::tr("Allow this window to change locks on %1 for %2 minutes?")
                        .arg(server, minutesText());
    question.detail = WriteSwitch::tr(
        "This is a production server. Every release still asks for confirmation and a reason. "
        "Afterwards the window is read-only again.");
    question.acceptLabel = WriteSwitch::tr("Allow for %1 minutes").arg(minutesText());
    question.declineLabel = WriteSwitch::tr("Cancel");
    return question;
}

/// "9:05": minutes and seconds, not rounded up.
QString clockText(Duration left)
{
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left).count();
    return QStringLiteral("%1:%2").arg(seconds / 60).arg(seconds % 60, 2, 10, QLatin1Char('0'));
}

} // namespace

WriteSwitch::WriteSwitch(Parts parts, QObject* parent) : QObject(parent), m_parts(std::move(parts))
{
    m_tick.setInterval(kTick);
    connect(&m_tick, &QTimer::timeout, this, &WriteSwitch::showTimeLeft);
    connect(&m_parts.action, &QAction::triggered, this, &WriteSwitch::turn);
    connect(&m_parts.permit, &WritePermit::changed, this, &WriteSwitch::showState);
    showState();
}

void WriteSwitch::turn()
{
    WritePermit& permit = m_parts.permit;
    if (permit.mayWrite()) {
        permit.revoke();
    } else if (!permit.isLimited()) {
        permit.grant();
    } else {
        m_parts.prompter.ask(&m_parts.window, productionQuestion(m_parts.server()),
                             [permit = QPointer(&permit)](Answer answer) {
                                 if (answer == Answer::Accepted && permit) {
                                     permit->grant();
                                 }
                             });
    }
}

void WriteSwitch::showState()
{
    const WritePermit& permit = m_parts.permit;
    QAction& action = m_parts.action;
    const WritePermit::State state = permit.state();
    action.setEnabled(state != WritePermit::State::Closed && state != WritePermit::State::Never);
    action.setText(permit.mayWrite()    ? tr("Ma&ke read-only")
                   : permit.isLimited() ? tr("Allow &writes for %1 minutes…").arg(minutesText())
                                        : tr("Allow &writes"));
    action.setToolTip(state == WritePermit::State::Never
                          ? tr("Lockscope was started with --read-only.")
                          : QString());
    if (state == WritePermit::State::Limited) {
        m_tick.start();
    } else {
        m_tick.stop();
    }
    showTimeLeft();
}

void WriteSwitch::showTimeLeft()
{
    m_parts.permit.expire();
    const bool isLimited = m_parts.permit.state() == WritePermit::State::Limited;
    const QString text = isLimited ? tr("writes allowed %1").arg(clockText(m_parts.permit.left()))
                                   : QString();
    if (m_limitText != text) {
        m_limitText = text;
        Q_EMIT limitChanged(text);
    }
}

} // namespace lockscope::widgets
