#include "ui/widgets/controls/status_dot.h"

#include "ui/widgets/style/tones.h"

#include <QPainter>

namespace lockscope::widgets {

StatusDot::StatusDot(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void StatusDot::setTone(LinkTone tone)
{
    if (m_tone != tone) {
        m_tone = tone;
        update();
    }
}

QSize StatusDot::sizeHint() const
{
    const int diameter = fontMetrics().xHeight() + 3;
    return {diameter, diameter};
}

void StatusDot::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colorOf(m_tone, palette()));
    const qreal diameter = std::min(width(), height()) - 1;
    painter.drawEllipse(QRectF((width() - diameter) / 2, (height() - diameter) / 2, diameter,
                               diameter));
}

} // namespace lockscope::widgets
