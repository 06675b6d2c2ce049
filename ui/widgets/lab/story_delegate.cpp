#include "ui/widgets/lab/story_delegate.h"

#include "ui/models/lab/story_model.h"
#include "ui/widgets/controls/wrapped_text.h"
#include "ui/widgets/style/palette_colors.h"

#include <QPainter>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using models::StoryModel;

namespace {

constexpr int kMargin = 8;
constexpr int kGap = 4;

int numberWidth(const QFontMetrics& metrics)
{
    return metrics.horizontalAdvance(u"00. "_s);
}

/// Behind the widest of the times: digits are alike, and the last time is the longest.
int textLeft(const QFontMetrics& metrics, const QModelIndex& index)
{
    const QModelIndex last = index.sibling(index.model()->rowCount() - 1, 0);
    const QString longest = last.data(StoryModel::TimeRole).toString();
    return kMargin + numberWidth(metrics) + metrics.horizontalAdvance(longest + u"  "_s);
}

QFont fontOf(const QStyleOptionViewItem& option, const QModelIndex& index)
{
    QFont font = option.font;
    font.setBold(index.data(StoryModel::IsViolationRole).toBool());
    return font;
}

bool isTurningPoint(const QModelIndex& index)
{
    return !index.data(StoryModel::TurningPointRole).toString().isEmpty();
}

QString turnCaption()
{
    return StoryDelegate::tr("▲ unavoidable from here on");
}

} // namespace

void StoryDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const
{
    const StateColors colors = stateColorsOf(option.palette);
    const bool isViolation = index.data(StoryModel::IsViolationRole).toBool();
    painter->save();
    if ((option.state & QStyle::State_Selected) != 0) {
        painter->fillRect(option.rect, colors.selection);
    }
    const QRect content = option.rect.adjusted(kMargin, kGap, -kMargin, -kGap);
    const QFontMetrics& metrics = option.fontMetrics;
    painter->setFont(option.font);
    painter->setPen(colors.quiet);
    painter->drawText(content, Qt::AlignLeft | Qt::AlignTop, tr("%1.").arg(index.row() + 1));
    painter->drawText(content.adjusted(numberWidth(metrics), 0, 0, 0), Qt::AlignLeft | Qt::AlignTop,
                      index.data(StoryModel::TimeRole).toString());
    painter->setFont(fontOf(option, index));
    painter->setPen(isViolation ? colors.red : option.palette.color(QPalette::Text));
    QRect text = content;
    text.setLeft(option.rect.left() + textLeft(metrics, index));
    painter->drawText(text, Qt::TextWordWrap, index.data().toString());
    if (isTurningPoint(index)) {
        painter->setFont(option.font);
        painter->setPen(colors.amber);
        painter->drawText(text, Qt::AlignLeft | Qt::AlignBottom,
                          option.fontMetrics.elidedText(turnCaption(), Qt::ElideRight,
                                                        text.width()));
    }
    painter->restore();
}

QSize StoryDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const int width = contentWidth(option);
    const int height = wrappedHeight(index.data().toString(), fontOf(option, index),
                                     width - textLeft(option.fontMetrics, index) - kMargin);
    const int caption = isTurningPoint(index) ? option.fontMetrics.lineSpacing() : 0;
    return {width, height + caption + 2 * kGap};
}

} // namespace lockscope::widgets
