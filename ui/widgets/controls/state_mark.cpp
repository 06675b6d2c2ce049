#include "ui/widgets/controls/state_mark.h"

#include <QPainter>
#include <QPolygonF>

namespace lockscope::widgets {

using inspect::LockState;

QColor colorOfState(LockState state, int severity, const StateColors& colors)
{
    switch (state) {
    case LockState::Suspicious: return colors.ofSeverity(severity);
    case LockState::Unconfirmed: return colors.quiet;
    case LockState::Contended: return colors.amber;
    case LockState::ReadShared: return colors.blue;
    case LockState::Held:
    case LockState::StateCount: break;
    }
    return colors.green;
}

void paintStateMark(QPainter& painter, const QRectF& rect, LockState state, const QColor& color)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    const QPointF center = rect.center();
    switch (state) {
    case LockState::Suspicious:
        painter.drawPolygon(QPolygonF({QPointF(center.x(), rect.top()), rect.bottomRight(),
                                       rect.bottomLeft()}));
        break;
    case LockState::Unconfirmed:
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(color, rect.width() / 6));
        painter.drawEllipse(rect.adjusted(1, 1, -1, -1));
        break;
    case LockState::Contended:
        painter.drawPolygon(
            QPolygonF({QPointF(center.x(), rect.top()), QPointF(rect.right(), center.y()),
                       QPointF(center.x(), rect.bottom()), QPointF(rect.left(), center.y())}));
        break;
    case LockState::ReadShared: {
        const double width = rect.width() * 0.36;
        painter.drawRoundedRect(QRectF(rect.left() + 0.5, rect.top() + 0.5, width,
                                       rect.height() - 1),
                                1, 1);
        painter.drawRoundedRect(QRectF(rect.right() - width - 0.5, rect.top() + 0.5, width,
                                       rect.height() - 1),
                                1, 1);
        break;
    }
    case LockState::Held:
    case LockState::StateCount: painter.drawEllipse(rect.adjusted(0.5, 0.5, -0.5, -0.5)); break;
    }
    painter.restore();
}

} // namespace lockscope::widgets
