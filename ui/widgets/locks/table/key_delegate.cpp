#include "ui/widgets/locks/table/key_delegate.h"

#include "ui/models/locks/lock_table_model.h"
#include "ui/widgets/controls/state_mark.h"

#include <QPainter>
#include <QPolygonF>

namespace lockscope::widgets {

using models::LockTableModel;

namespace {

int markSizeOf(const QFontMetrics& metrics)
{
    return std::max(8, metrics.ascent() * 3 / 4);
}

QRect markRect(const QRect& cellRect, const QFontMetrics& metrics)
{
    const int size = markSizeOf(metrics);
    return {cellRect.left() + CellDelegate::paddingOf(metrics), cellRect.center().y() - size / 2,
            size, size};
}

} // namespace

QRect KeyDelegate::triangleRect(const QRect& cellRect, const QFontMetrics& metrics)
{
    const int width = metrics.height();
    return {cellRect.right() - width, cellRect.top(), width, cellRect.height()};
}

void KeyDelegate::paintContents(const Cell& cell) const
{
    if (cell.index.data(LockTableModel::HolderIndexRole).toInt() >= 0) {
        paintHolder(cell);
        return;
    }
    const QFontMetrics& metrics = cell.option.fontMetrics;
    const auto state =
        static_cast<inspect::LockState>(cell.index.data(LockTableModel::StateRole).toInt());
    const int severity = cell.index.data(LockTableModel::SeverityRole).toInt();
    const QRect mark = markRect(cell.option.rect, metrics);
    const QColor color = colorOfState(state, severity, cell.colors);
    if (cell.isGone) {
        cell.painter.fillRect(QRect(mark.left(), mark.center().y(), mark.width(), 2),
                              cell.textColor());
    } else {
        paintStateMark(cell.painter, mark, state, color);
    }
    QRect room = cell.contents;
    room.setLeft(mark.right() + paddingOf(metrics) + 2);
    if (cell.index.data(LockTableModel::IsExpandableRole).toBool()) {
        paintTriangle(cell);
        room.setRight(triangleRect(cell.option.rect, metrics).left());
    }
    QFont font = monospaced(cell.option.font);
    font.setStrikeOut(cell.isGone);
    drawText(cell, room, cell.index.data().toString(), font, cell.textColor(), Qt::AlignLeft,
             Qt::ElideMiddle);
}

void KeyDelegate::paintHolder(const Cell& cell) const
{
    const QRect mark = markRect(cell.option.rect, cell.option.fontMetrics);
    QRect room = cell.contents;
    room.setLeft(mark.right() + paddingOf(cell.option.fontMetrics) + mark.width());
    drawText(cell, room, cell.index.data().toString(), cell.option.font, cell.colors.quiet,
             Qt::AlignLeft, Qt::ElideRight);
}

void KeyDelegate::paintTriangle(const Cell& cell)
{
    const QRect room = triangleRect(cell.option.rect, cell.option.fontMetrics);
    const double half = cell.option.fontMetrics.ascent() / 3.0;
    const QPointF c = QRectF(room).center();
    const bool isExpanded = cell.index.data(LockTableModel::IsExpandedRole).toBool();
    const QPolygonF shape = isExpanded ? QPolygonF({QPointF(c.x() - half, c.y() - half / 2),
                                                    QPointF(c.x() + half, c.y() - half / 2),
                                                    QPointF(c.x(), c.y() + half / 2)})
                                       : QPolygonF({QPointF(c.x() - half / 2, c.y() - half),
                                                    QPointF(c.x() + half / 2, c.y()),
                                                    QPointF(c.x() - half / 2, c.y() + half)});
    cell.painter.save();
    cell.painter.setRenderHint(QPainter::Antialiasing);
    cell.painter.setPen(Qt::NoPen);
    cell.painter.setBrush(cell.colors.quiet);
    cell.painter.drawPolygon(shape);
    cell.painter.restore();
}

} // namespace lockscope::widgets
