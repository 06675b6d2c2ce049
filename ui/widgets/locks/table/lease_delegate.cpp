#include "ui/widgets/locks/table/lease_delegate.h"

#include "ui/models/formatting.h"
#include "ui/models/locks/lease_bar.h"
#include "ui/models/locks/lock_table_model.h"

#include <QPainter>
#include <QPainterPath>

#include <cmath>

namespace lockscope::widgets {

using models::LeaseBar;
using models::LockTableModel;

LeaseDelegate::LeaseDelegate(NowFunction now, QObject* parent)
    : CellDelegate(parent),
      m_now(std::move(now))
{}

void LeaseDelegate::paintContents(const Cell& cell) const
{
    const auto record = cell.index.data(LockTableModel::RecordRole).value<inspect::LockPtr>();
    if (record == nullptr) {
        return;
    }
    const int holder = cell.index.data(LockTableModel::HolderIndexRole).toInt();
    const QRect textRect = barRect(cell).adjusted(0, 0, -paddingOf(cell.option.fontMetrics), 0);
    if (cell.isGone) {
        drawNumber(cell, textRect, cell.index.data().toString(), cell.textColor());
        return;
    }
    const Instant now = m_now();
    const auto end = cell.index.data(LockTableModel::ExpiresAtRole).value<std::optional<Instant>>();
    const LeaseBar bar = models::leaseBarOf(*record, holder, now);
    paintBar(cell, bar);
    const QColor color = bar.kind == LeaseBar::Kind::Never     ? cell.colors.red
                         : bar.kind == LeaseBar::Kind::Overdue ? cell.colors.amber
                                                               : cell.textColor();
    drawNumber(cell, textRect, models::expiresText(end, now), color);
}

QRect LeaseDelegate::barRect(const Cell& cell)
{
    const int inset = std::max(3, cell.option.rect.height() / 7);
    return cell.contents.adjusted(0, inset, 0, -inset);
}

void LeaseDelegate::paintBar(const Cell& cell, const LeaseBar& bar)
{
    const QRect rect = barRect(cell);
    const QColor fill = cell.isStale                          ? cell.colors.hairline
                        : bar.kind == LeaseBar::Kind::Overdue ? cell.colors.amberTint
                                                              : cell.colors.greenTint;
    cell.painter.fillRect(rect, cell.colors.track);
    QRect filled = rect;
    filled.setWidth(static_cast<int>(std::lround(bar.fraction * rect.width())));
    cell.painter.fillRect(filled, fill);
    const int tickHeight = std::max(3, rect.height() / 4);
    for (std::size_t i = 0; i < bar.tickCount; ++i) {
        const int x = rect.left()
                      + static_cast<int>(std::lround(bar.ticks[i] * (rect.width() - 1)));
        cell.painter.fillRect(x, rect.bottom() + 1 - tickHeight, 1, tickHeight,
                              cell.isStale ? cell.colors.quiet : cell.colors.green);
    }
}

} // namespace lockscope::widgets
