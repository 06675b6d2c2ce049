#include "ui/widgets/controls/wrapped_text.h"

#include <QAbstractItemView>
#include <QFontMetrics>
#include <QScrollBar>

#include <algorithm>
#include <limits>

namespace lockscope::widgets {

int contentWidth(const QStyleOptionViewItem& option)
{
    const auto* const view = qobject_cast<const QAbstractItemView*>(option.widget);
    if (view == nullptr) {
        return option.rect.width();
    }
    // A scroll bar that comes later makes no line higher.
    const QScrollBar* const bar = view->verticalScrollBar();
    const bool isThere = bar->isVisibleTo(view);
    return view->viewport()->width() - (isThere ? 0 : bar->sizeHint().width());
}

int wrappedHeight(const QString& text, const QFont& font, int width)
{
    constexpr int kUnbounded = std::numeric_limits<short>::max();
    const QRect room(0, 0, std::max(width, 1), kUnbounded);
    return QFontMetrics(font).boundingRect(room, Qt::TextWordWrap, text).height();
}

} // namespace lockscope::widgets
