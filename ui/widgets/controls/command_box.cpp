#include "ui/widgets/controls/command_box.h"

#include "ui/widgets/controls/selectable_text.h"
#include "ui/widgets/style/icons.h"
#include "ui/widgets/style/theme.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QPainter>
#include <QResizeEvent>
#include <QScrollBar>
#include <QToolButton>

#include <algorithm>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

constexpr int kCommandMargin = 8;
constexpr int kLineCountMax = 12;

/// The escaped line ends of a quoted script as line ends; an escaped backslash before an n is none.
QString readable(const QString& command)
{
    QString text;
    for (qsizetype i = 0; i < command.size(); ++i) {
        const bool isEscape = command.at(i) == u'\\' && i + 1 < command.size();
        if (isEscape && command.at(i + 1) == u'n') {
            text += u'\n';
            ++i;
        } else {
            text += command.at(i);
            if (isEscape) {
                text += command.at(++i);
            }
        }
    }
    return text;
}

} // namespace

CommandBox::CommandBox(QWidget* parent) : QWidget(parent)
{
    m_text = new SelectableText(this);
    m_text->setObjectName(u"commandText"_s);
    m_text->setFont(monospacedFont());
    m_text->setLineCountMax(kLineCountMax);
    m_text->verticalScrollBar()->setBackgroundRole(QPalette::Base);

    m_copy = new QToolButton(this);
    m_copy->setObjectName(u"copyButton"_s);
    m_copy->setAutoRaise(true);
    m_copy->setIcon(tintedIcon(u"copy"));
    m_copy->setToolTip(tr("Copy"));
    m_copy->setAccessibleName(tr("Copy"));
    connect(m_copy, &QToolButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(command()); });

    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void CommandBox::setCommand(const QString& command)
{
    m_command = command;
    m_text->setText(command);
    updateGeometry();
}

void CommandBox::setScript(const QString& command)
{
    m_command = command;
    m_text->setText(readable(command));
    updateGeometry();
}

int CommandBox::heightForWidth(int width) const
{
    const int textHeight = m_text->heightForWidth(width - 2 * kCommandMargin
                                                  - m_copy->sizeHint().width());
    return std::max(textHeight, m_copy->sizeHint().height() - kCommandMargin) + 2 * kCommandMargin;
}

QSize CommandBox::sizeHint() const
{
    const int width = m_text->sizeHint().width() + 2 * kCommandMargin + m_copy->sizeHint().width()
                      + 8;
    return {width, heightForWidth(width)};
}

QSize CommandBox::minimumSizeHint() const
{
    const QSize text = m_text->minimumSizeHint();
    return {text.width() + 2 * kCommandMargin + m_copy->sizeHint().width(),
            text.height() + 2 * kCommandMargin};
}

void CommandBox::resizeEvent(QResizeEvent* event)
{
    const QSize button = m_copy->sizeHint();
    m_copy->setGeometry(event->size().width() - button.width() - 4, 4, button.width(),
                        button.height());
    m_text->setGeometry(kCommandMargin, kCommandMargin,
                        event->size().width() - 2 * kCommandMargin - button.width(),
                        event->size().height() - 2 * kCommandMargin);
}

void CommandBox::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(palette().color(QPalette::Mid));
    painter.setBrush(palette().color(QPalette::Base));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
}

} // namespace lockscope::widgets
