#include "ui/widgets/controls/verdict_card.h"

#include "ui/models/formatting.h"
#include "ui/widgets/controls/harm_badges.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/style/tones.h"

#include <QEvent>
#include <QLabel>
#include <QPainter>

#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

VerdictCard::VerdictCard(QWidget* parent) : QWidget(parent)
{
    m_headline = createLine(u"verdictHeadline"_s);
    makeBold(*m_headline);
    m_reason = createLine(u"verdictReason"_s);
    m_doubt = createLine(u"verdictDoubt"_s);
    m_doubt->setForegroundRole(QPalette::PlaceholderText);

    m_harms = new HarmBadges(this);
    m_harms->setObjectName(u"verdictHarms"_s);

    createColumn(this, {12, 10, 12, 10}, 4,
                 {createRow(8, {m_harms, growing(m_headline)}), m_reason, m_doubt});
}

void VerdictCard::showHarms(std::vector<search::Harm> harms, bool arePromised)
{
    m_harms->showHarms(std::move(harms), arePromised);
}

QLabel* VerdictCard::createLine(const QString& name)
{
    QLabel* label = createWrappedText(name, this);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

void VerdictCard::showVerdict(const report::Verdict& verdict, bool isConfirmed)
{
    m_severity = verdict.severity;
    m_isConfirmed = isConfirmed;
    m_headline->setText(models::toQString(verdict.headline));
    m_reason->setText(models::toQString(verdict.reason));
    m_reason->setVisible(!verdict.reason.empty());
    m_doubt->setText(models::toQString(verdict.doubt));
    m_doubt->setVisible(!verdict.doubt.empty());
    colorHeadline();
    update();
}

QColor VerdictCard::tone() const
{
    const bool isAllWell = m_severity == 0;
    return isAllWell && !m_isConfirmed ? palette().color(QPalette::PlaceholderText)
                                       : severityColor(m_severity, palette());
}

void VerdictCard::colorHeadline()
{
    QPalette colored = palette();
    colored.setColor(QPalette::WindowText, tone());
    m_headline->setPalette(colored);
}

void VerdictCard::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_headline != nullptr) {
        colorHeadline();
    }
}

void VerdictCard::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor color = tone();
    QColor edge = color;
    edge.setAlphaF(0.55F);
    painter.setPen(edge);
    painter.setBrush(tintOf(color, palette().color(QPalette::Window)));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
}

} // namespace lockscope::widgets
