#include "ui/widgets/controls/harm_mark.h"

#include <QPainter>
#include <QPainterPath>
#include <QPolygonF>

namespace lockscope::widgets {

using search::Harm;

namespace {

void paintTwoRings(QPainter& painter, const QRectF& room)
{
    const double radius = room.width() * 0.32;
    const double middle = room.center().y();
    painter.drawEllipse(QPointF(room.left() + radius, middle), radius, radius);
    painter.drawEllipse(QPointF(room.right() - radius, middle), radius, radius);
}

void paintPadlock(QPainter& painter, const QRectF& room)
{
    const QRectF body(room.left(), room.center().y() - room.height() * 0.05, room.width(),
                      room.height() * 0.55);
    QPainterPath shackle;
    const double inset = room.width() * 0.22;
    const QRectF arch(room.left() + inset, room.top(), room.width() - 2 * inset,
                      room.height() * 0.7);
    shackle.arcMoveTo(arch, 0);
    shackle.arcTo(arch, 0, 180);
    painter.drawPath(shackle);
    painter.fillRect(body, painter.pen().color());
}

void paintCross(QPainter& painter, const QRectF& room)
{
    painter.drawLine(room.topLeft(), room.bottomRight());
    painter.drawLine(room.topRight(), room.bottomLeft());
}

void paintHash(QPainter& painter, const QRectF& room)
{
    for (const double share : {0.32, 0.68}) {
        const double x = room.left() + room.width() * share;
        const double y = room.top() + room.height() * share;
        painter.drawLine(QPointF(x, room.top()), QPointF(x, room.bottom()));
        painter.drawLine(QPointF(room.left(), y), QPointF(room.right(), y));
    }
}

void paintHourglass(QPainter& painter, const QRectF& room)
{
    const double inset = room.width() * 0.12;
    const QRectF glass = room.adjusted(inset, 0, -inset, 0);
    painter.drawPolygon(QPolygonF({glass.topLeft(), glass.topRight(), glass.bottomLeft(),
                                   glass.bottomRight()}));
}

} // namespace

QColor colorOfHarm(Harm harm, const StateColors& colors)
{
    switch (harm) {
    case Harm::TwoHolders: return colors.red;
    case Harm::Stuck: return colors.amber;
    case Harm::WrongRelease: return colors.violet;
    case Harm::WrongCount: return colors.blue;
    case Harm::Unfair: break;
    }
    return colors.teal;
}

namespace {

QColor tintOfHarm(Harm harm, const StateColors& colors)
{
    switch (harm) {
    case Harm::TwoHolders: return colors.redTint;
    case Harm::Stuck: return colors.amberTint;
    case Harm::WrongRelease: return colors.violetTint;
    case Harm::WrongCount: return colors.blueTint;
    case Harm::Unfair: break;
    }
    return colors.tealTint;
}

} // namespace

void paintHarmGround(QPainter& painter, const QRectF& rect, Harm harm, bool isPromised,
                     const StateColors& colors)
{
    constexpr double kCorner = 3;
    const QColor tint = tintOfHarm(harm, colors);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(isPromised ? QPen(Qt::NoPen) : QPen(tint, 1.5));
    painter.setBrush(isPromised ? QBrush(tint) : QBrush(Qt::NoBrush));
    painter.drawRoundedRect(rect, kCorner, kCorner);
    painter.restore();
}

void paintHarmMark(QPainter& painter, const QRectF& rect, Harm harm, const QColor& color)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, rect.width() / 7, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    const double inset = rect.width() / 10;
    const QRectF room = rect.adjusted(inset, inset, -inset, -inset);
    switch (harm) {
    case Harm::TwoHolders: paintTwoRings(painter, room); break;
    case Harm::Stuck: paintPadlock(painter, room); break;
    case Harm::WrongRelease: paintCross(painter, room); break;
    case Harm::WrongCount: paintHash(painter, room); break;
    case Harm::Unfair: paintHourglass(painter, room); break;
    }
    painter.restore();
}

void paintHarmBadge(QPainter& painter, const QRectF& square, Harm harm, bool isPromised,
                    const StateColors& colors)
{
    const double inset = square.width() * 0.22;
    paintHarmGround(painter, square, harm, isPromised, colors);
    paintHarmMark(painter, square.adjusted(inset, inset, -inset, -inset), harm,
                  colorOfHarm(harm, colors));
}

} // namespace lockscope::widgets
