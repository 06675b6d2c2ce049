#include "ui/widgets/locks/table/lock_table_header.h"

#include "ui/widgets/locks/table/frozen_column.h"
#include "ui/widgets/locks/table/lock_delegates.h"
#include "ui/widgets/style/palette_colors.h"

#include <QMouseEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QPolygonF>

namespace lockscope::widgets {

namespace {

QFont titleFontOf(const QFont& font)
{
    QFont title = font;
    title.setWeight(QFont::DemiBold);
    title.setPointSizeF(font.pointSizeF() * 0.94);
    return title;
}

} // namespace

LockTableHeader::LockTableHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent)
{
    setHighlightSections(false);
    setSectionsClickable(true);
    setSectionsMovable(true);
    setSortIndicatorClearable(true);
    setContextMenuPolicy(Qt::CustomContextMenu);
}

int LockTableHeader::titleWidth(int column) const
{
    const QString title = model()->headerData(column, orientation(), Qt::DisplayRole).toString();
    return QFontMetrics(titleFontOf(font())).horizontalAdvance(title)
           + 2 * CellDelegate::paddingOf(fontMetrics());
}

QSize LockTableHeader::sizeHint() const
{
    return {QHeaderView::sizeHint().width(), fontMetrics().height() + 12};
}

void LockTableHeader::paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const
{
    const StateColors colors = stateColorsOf(palette());
    const int padding = CellDelegate::paddingOf(fontMetrics());
    QRect room = rect.adjusted(padding, 0, -padding, -1);
    const bool isSorted = isSortIndicatorShown() && sortIndicatorSection() == logicalIndex;
    const auto alignment = model()
                               ->headerData(logicalIndex, orientation(), Qt::TextAlignmentRole)
                               .value<Qt::Alignment>();
    const bool isRight = alignment.testFlag(Qt::AlignRight);
    const QFont font = titleFontOf(this->font());
    const QFontMetrics metrics(font);
    const QString title = metrics.elidedText(
        model()->headerData(logicalIndex, orientation(), Qt::DisplayRole).toString(),
        Qt::ElideRight, room.width() - (isSorted ? arrowWidth() : 0));
    painter->save();
    painter->fillRect(rect, palette().color(QPalette::Window));
    painter->setFont(font);
    painter->setPen(isSorted ? palette().color(QPalette::Text) : colors.quiet);
    if (isSorted) {
        const int titleWidth = metrics.horizontalAdvance(title);
        const int arrowLeft = isRight ? room.right() - titleWidth - arrowWidth()
                                      : room.left() + titleWidth;
        paintArrow(*painter, QRect(arrowLeft, room.top(), arrowWidth(), room.height()));
    }
    painter->drawText(room, static_cast<int>(alignment) | Qt::TextSingleLine, title);
    painter->restore();
}

void LockTableHeader::paintEvent(QPaintEvent* event)
{
    QHeaderView::paintEvent(event);
    QPainter painter(viewport());
    const StateColors colors = stateColorsOf(palette());
    if (length() < viewport()->width()) {
        painter.fillRect(QRect(length(), 0, viewport()->width() - length(), height()),
                         palette().color(QPalette::Window));
    }
    if (m_frozen != nullptr && m_frozen->isOverOthers()) {
        const QRect place(0, 0, sectionSize(m_frozen->column()), height());
        paintSection(&painter, place, m_frozen->column());
        painter.fillRect(place.right(), 0, 1, height(), colors.hairline);
    }
    painter.fillRect(0, viewport()->height() - 1, viewport()->width(), 1, colors.hairline);
}

void LockTableHeader::mousePressEvent(QMouseEvent* event)
{
    const bool isFrozen = m_frozen != nullptr && m_frozen->covers(event->position().toPoint().x());
    if (!isFrozen) {
        QHeaderView::mousePressEvent(event);
    } else if (event->button() == Qt::LeftButton) {
        sortByFrozen(); // the base class knows only the title that is covered
    }
}

/// As a click on any other title: ascending, descending, not at all.
void LockTableHeader::sortByFrozen()
{
    const bool isSorted = sortIndicatorSection() == m_frozen->column();
    const bool isDescending = isSorted && sortIndicatorOrder() == Qt::DescendingOrder;
    setSortIndicator(isDescending ? -1 : m_frozen->column(),
                     isSorted && !isDescending ? Qt::DescendingOrder : Qt::AscendingOrder);
}

int LockTableHeader::arrowWidth() const
{
    return fontMetrics().averageCharWidth() * 2;
}

void LockTableHeader::paintArrow(QPainter& painter, const QRect& rect) const
{
    const double half = rect.width() / 4.0;
    const QPointF c = QRectF(rect).center();
    const double sign = sortIndicatorOrder() == Qt::AscendingOrder ? 1 : -1;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(painter.pen().color());
    painter.setPen(Qt::NoPen);
    painter.drawPolygon(QPolygonF({QPointF(c.x() - half, c.y() + sign * half / 2),
                                   QPointF(c.x() + half, c.y() + sign * half / 2),
                                   QPointF(c.x(), c.y() - sign * half / 2)}));
    painter.restore();
}

} // namespace lockscope::widgets
