#include "ui/widgets/locks/table/frozen_column.h"

#include "ui/widgets/style/palette_colors.h"

#include <QAbstractItemDelegate>
#include <QPainter>
#include <QStyleOptionViewItem>
#include <QTableView>

namespace lockscope::widgets {

bool FrozenColumn::isOverOthers() const
{
    return !m_view.isColumnHidden(m_column) && m_view.columnViewportPosition(m_column) < 0;
}

bool FrozenColumn::covers(int x) const
{
    return isOverOthers() && x >= 0 && x < m_view.columnWidth(m_column);
}

QRect FrozenColumn::placed(const QRect& cell) const
{
    return isOverOthers() ? QRect(QPoint(0, cell.top()), cell.size()) : cell;
}

void FrozenColumn::paint(QPainter& painter, const QRegion& region,
                         QStyleOptionViewItem option) const
{
    const QRect bounds = region.boundingRect();
    const int width = m_view.columnWidth(m_column);
    const int first = m_view.rowAt(std::max(bounds.top(), 0));
    if (!isOverOthers() || bounds.left() >= width || first < 0) {
        return;
    }
    const int rowCount = m_view.model()->rowCount();
    const QStyle::State state = option.state;
    for (int row = first; row < rowCount; ++row) {
        const int top = m_view.rowViewportPosition(row);
        if (top > bounds.bottom()) {
            break;
        }
        const QModelIndex index = m_view.model()->index(row, m_column);
        option.rect = QRect(0, top, width, m_view.rowHeight(row));
        option.state = state;
        option.state.setFlag(QStyle::State_Selected, m_view.selectionModel()->isSelected(index));
        painter.fillRect(option.rect, option.palette.color(QPalette::Base));
        m_view.itemDelegateForIndex(index)->paint(&painter, option, index);
    }
    painter.fillRect(width - 1, bounds.top(), 1, bounds.height(),
                     stateColorsOf(option.palette).hairline);
}

} // namespace lockscope::widgets
