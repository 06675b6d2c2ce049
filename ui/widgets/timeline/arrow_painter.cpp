#include "ui/widgets/timeline/arrow_painter.h"

#include "ui/widgets/style/palette_colors.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lockscope::widgets {

using models::TimelineArrow;

namespace {

constexpr double kHead = 8;
constexpr double kLineWidth = 1.6;

} // namespace

QPointF ArrowPainter::placeOf(Instant at, int row) const
{
    const double x = models::xOf(at, m_scene.visible, m_scene.lanes.width());
    const double height = m_scene.laneHeight;
    const double y = row == TimelineArrow::kServer
                         ? m_scene.scrolled
                         : models::barTop(row, height) + models::barHeight(height) / 2;
    return {x, y};
}

void ArrowPainter::paint(const TimelineArrow& arrow) const
{
    const bool isLost = arrow.kind == TimelineArrow::Kind::LostRequest
                        || arrow.kind == TimelineArrow::Kind::LostAnswer;
    const QColor color = isLost ? stateColorsOf(m_scene.palette).red
                                : m_scene.palette.color(QPalette::Text);
    const QPointF from = placeOf(arrow.from, arrow.fromRow);
    QPointF to = placeOf(arrow.to, arrow.toRow);
    to = isLost ? (from + to) / 2 : to;
    m_painter.setPen(QPen(color, kLineWidth, isLost ? Qt::DashLine : Qt::SolidLine));
    m_painter.drawLine(from, to);
    if (isLost) {
        paintCross(to, color);
    } else {
        paintHead(from, to, color);
    }
    paintText(arrow.text, (from + to) / 2);
}

void ArrowPainter::paintHead(QPointF from, QPointF to, const QColor& color) const
{
    const double angle = std::atan2(to.y() - from.y(), to.x() - from.x());
    const auto wing = [&](double turn) {
        return to - kHead * QPointF(std::cos(angle + turn), std::sin(angle + turn));
    };
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(color);
    m_painter.drawPolygon(QPolygonF{to, wing(0.4), wing(-0.4)});
    m_painter.setBrush(Qt::NoBrush);
}

void ArrowPainter::paintCross(QPointF at, const QColor& color) const
{
    constexpr double kArm = 4;
    m_painter.setPen(QPen(color, 2));
    m_painter.drawLine(at - QPointF(kArm, kArm), at + QPointF(kArm, kArm));
    m_painter.drawLine(at - QPointF(kArm, -kArm), at + QPointF(kArm, -kArm));
}

/// On a ground of its own, as it may stand on anything, and within what is seen.
void ArrowPainter::paintText(const QString& text, QPointF at) const
{
    if (text.isEmpty()) {
        return;
    }
    const QFontMetrics metrics = m_painter.fontMetrics();
    const double width = m_scene.lanes.width();
    const QString fitting = metrics.elidedText(text, Qt::ElideRight, static_cast<int>(width / 2));
    QRectF ground(0, 0, metrics.horizontalAdvance(fitting) + 12, metrics.height() + 2);
    ground.moveCenter(at);
    ground.moveLeft(std::clamp(at.x() + kHead, 0.0, std::max(width - ground.width(), 0.0)));
    m_painter.setPen(stateColorsOf(m_scene.palette).hairline);
    m_painter.setBrush(m_scene.palette.color(QPalette::Base));
    m_painter.drawRoundedRect(ground, 3, 3);
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(m_scene.palette.color(QPalette::Text));
    m_painter.drawText(ground, Qt::AlignCenter | Qt::TextSingleLine, fitting);
}

} // namespace lockscope::widgets
