#include "ui/widgets/controls/scrolling_column.h"

#include <QEvent>
#include <QLayout>
#include <QScrollBar>

#include <utility>

namespace lockscope::widgets {

namespace {

constexpr int kLinesAtLeast = 6;

} // namespace

ScrollingColumn::ScrollingColumn(QWidget* contents, QWidget* parent) : QScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    setWidget(contents);
    viewport()->setBackgroundRole(QPalette::Window);
}

QSize ScrollingColumn::sizeHint() const
{
    return {minimumSizeHint().width(), contentsHeight()};
}

QSize ScrollingColumn::minimumSizeHint() const
{
    const int width = widget()->minimumSizeHint().width();
    return {width + verticalScrollBar()->sizeHint().width(),
            fontMetrics().lineSpacing() * kLinesAtLeast};
}

bool ScrollingColumn::eventFilter(QObject* watched, QEvent* event)
{
    const bool result = QScrollArea::eventFilter(watched, event);
    if (watched == widget() && event->type() == QEvent::LayoutRequest) {
        noticeWish();
    }
    return result;
}

void ScrollingColumn::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    noticeWish(); // where a text wraps depends on the width
}

int ScrollingColumn::contentsHeight() const
{
    const QLayout* const layout = widget()->layout();
    const int width = viewport()->width();
    return layout->hasHeightForWidth() ? layout->totalHeightForWidth(width)
                                       : layout->totalSizeHint().height();
}

void ScrollingColumn::noticeWish()
{
    const int wish = contentsHeight();
    if (std::exchange(m_wish, wish) != wish) {
        updateGeometry();
        Q_EMIT wishChanged();
    }
}

} // namespace lockscope::widgets
