#include "ui/widgets/matrix/matrix_header.h"

#include "ui/widgets/matrix/matrix_painter.h"

#include <QAbstractItemView>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

constexpr int kLeft = 16;
constexpr int kRight = 10;

} // namespace

MatrixHeader::MatrixHeader(Qt::Orientation orientation, QWidget* parent)
    : QHeaderView(orientation, parent)
{
    setSectionResizeMode(QHeaderView::Fixed);
    setMinimumSectionSize(1);
    setSectionsClickable(false);
    setHighlightSections(false);
}

void MatrixHeader::setBusySection(int section)
{
    if (std::exchange(m_busySection, section) != section) {
        viewport()->update();
    }
}

QString MatrixHeader::titleOf(int section) const
{
    return model()->headerData(section, orientation(), Qt::DisplayRole).toString();
}

bool MatrixHeader::isCurrent(int section) const
{
    const auto* const view = qobject_cast<const QAbstractItemView*>(parentWidget());
    const QModelIndex current = view != nullptr ? view->currentIndex() : QModelIndex();
    return current.isValid()
           && section == (orientation() == Qt::Horizontal ? current.column() : current.row());
}

int MatrixHeader::widthOfTitles() const
{
    int width = 0;
    for (int section = 0; section < count(); ++section) {
        const int title = orientation() == Qt::Horizontal
                              ? matrixHeadingSize(titleOf(section), font()).width()
                              : kLeft + fontMetrics().horizontalAdvance(titleOf(section)) + kRight;
        width = std::max(width, title);
    }
    return width;
}

QSize MatrixHeader::sizeHint() const
{
    if (orientation() == Qt::Vertical) {
        return {widthOfTitles(), 0};
    }
    int height = 0;
    for (int section = 0; section < count(); ++section) {
        height = std::max(height, matrixHeadingSize(titleOf(section), font()).height());
    }
    return {0, height};
}

void MatrixHeader::paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const
{
    painter->fillRect(rect, palette().color(QPalette::Base));
    if (orientation() == Qt::Vertical) {
        paintProtocol(*painter, rect, logicalIndex);
        return;
    }
    const QColor quiet = palette().color(QPalette::PlaceholderText);
    paintMatrixHeading(*painter, rect, titleOf(logicalIndex), font(),
                       isCurrent(logicalIndex) ? palette().color(QPalette::Text) : quiet);
}

void MatrixHeader::paintEvent(QPaintEvent* event)
{
    QHeaderView::paintEvent(event);
    QRect rest = viewport()->rect(); // behind the last section
    if (orientation() == Qt::Horizontal) {
        rest.setLeft(length());
    } else {
        rest.setTop(length());
    }
    QPainter(viewport()).fillRect(rest, palette().color(QPalette::Base));
}

void MatrixHeader::paintProtocol(QPainter& painter, const QRect& rect, int section) const
{
    const bool isBusy = section == m_busySection;
    painter.save();
    painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1),
                     stateColorsOf(palette()).hairline);
    painter.setFont(font());
    painter.setPen(palette().color(isBusy || isCurrent(section) ? QPalette::Link : QPalette::Text));
    painter.drawText(rect.adjusted(kLeft, 0, 0, 0),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, titleOf(section));
    if (isBusy) {
        painter.drawText(rect.adjusted(0, 0, -2, 0), Qt::AlignRight | Qt::AlignVCenter, u"…"_s);
        painter.drawText(QRect(rect.left(), rect.top(), kLeft, rect.height()), Qt::AlignCenter,
                         u"›"_s);
    }
    painter.restore();
}

} // namespace lockscope::widgets
