#include "ui/widgets/locks/table/why_delegate.h"

#include "ui/models/locks/lock_table_model.h"

#include <QPainter>

#include <algorithm>

namespace lockscope::widgets {

using models::LockTableModel;

namespace {

QFont pillFontOf(const QFont& cellFont)
{
    QFont font = cellFont;
    font.setPointSizeF(cellFont.pointSizeF() * 0.9);
    return font;
}

} // namespace

void WhyDelegate::paintContents(const Cell& cell) const
{
    const QString reason = cell.index.data().toString();
    QRect rest = cell.contents;
    if (!reason.isEmpty()) {
        rest.setLeft(paintPill(cell, reason) + paddingOf(cell.option.fontMetrics));
    }
    drawText(cell, rest, cell.index.data(LockTableModel::SecondaryTextRole).toString(),
             cell.option.font, cell.colors.quiet, Qt::AlignLeft, Qt::ElideRight);
}

int WhyDelegate::paintPill(const Cell& cell, const QString& text)
{
    const QFont font = pillFontOf(cell.option.font);
    const QFontMetrics metrics(font);
    const int padding = metrics.height() / 2;
    const int width = std::min(metrics.horizontalAdvance(text) + 2 * padding + 2,
                               cell.contents.width());
    const int height = metrics.height() + 2;
    const QRect pill(cell.contents.left(), cell.contents.center().y() - height / 2, width, height);
    const int severity = cell.index.data(LockTableModel::SeverityRole).toInt();
    const QColor color = cell.isGone ? cell.textColor() : cell.colors.ofSeverity(severity);
    cell.painter.save();
    cell.painter.setRenderHint(QPainter::Antialiasing);
    cell.painter.setPen(QPen(color, 1));
    cell.painter.setBrush(Qt::NoBrush);
    cell.painter.drawRoundedRect(QRectF(pill).adjusted(0.5, 0.5, -0.5, -0.5), height / 2.0,
                                 height / 2.0);
    cell.painter.restore();
    drawText(cell, pill.adjusted(padding, 0, -padding, 0), text, font, color, Qt::AlignHCenter,
             Qt::ElideRight);
    return pill.right();
}

} // namespace lockscope::widgets
