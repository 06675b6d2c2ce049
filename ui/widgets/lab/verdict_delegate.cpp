#include "ui/widgets/lab/verdict_delegate.h"

#include "ui/models/lab/promise_list_model.h"
#include "ui/widgets/controls/wrapped_text.h"
#include "ui/widgets/style/palette_colors.h"

#include <QPainter>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using models::PromiseListModel;
using PromiseStanding = PromiseListModel::Standing;

namespace {

constexpr int kVerdictMargin = 8;
constexpr int kVerdictGap = 4;

QString markOf(PromiseStanding standing)
{
    switch (standing) {
    case PromiseStanding::Broken: return u"✕"_s;
    case PromiseStanding::BrokenAnyway: return u"△"_s;
    case PromiseStanding::Held: return u"✓"_s;
    case PromiseStanding::NotApplicable: break;
    }
    return u"–"_s;
}

QColor colorOf(PromiseStanding standing, const StateColors& colors)
{
    switch (standing) {
    case PromiseStanding::Broken: return colors.red;
    case PromiseStanding::BrokenAnyway: return colors.amber;
    case PromiseStanding::Held: return colors.green;
    case PromiseStanding::NotApplicable: break;
    }
    return colors.quiet;
}

int markWidth(const QFontMetrics& metrics)
{
    return metrics.horizontalAdvance(u"✕"_s) + 2 * kVerdictGap;
}

} // namespace

void VerdictDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const
{
    const StateColors colors = stateColorsOf(option.palette);
    const auto standing = index.data(PromiseListModel::StandingRole).value<PromiseStanding>();
    painter->save();
    if ((option.state & QStyle::State_Selected) != 0) {
        painter->fillRect(option.rect, colors.selection);
    }
    const QRect content = option.rect.adjusted(kVerdictMargin, kVerdictGap, -kVerdictMargin,
                                               -kVerdictGap);
    painter->setFont(option.font);
    painter->setPen(colorOf(standing, colors));
    painter->drawText(content, Qt::AlignLeft | Qt::AlignTop, markOf(standing));
    const QRect text = content.adjusted(markWidth(option.fontMetrics), 0, 0, 0);
    painter->setPen(standing == PromiseStanding::NotApplicable
                        ? colors.quiet
                        : option.palette.color(QPalette::Text));
    const QString title = index.data().toString();
    painter->drawText(text, Qt::TextWordWrap, title);
    const int titleHeight = wrappedHeight(title, option.font, text.width());
    painter->setPen(colors.quiet);
    painter->drawText(text.adjusted(0, titleHeight, 0, 0), Qt::TextWordWrap,
                      index.data(PromiseListModel::DetailRole).toString());
    painter->restore();
}

QSize VerdictDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const int width = contentWidth(option);
    const int textWidth = width - 2 * kVerdictMargin - markWidth(option.fontMetrics);
    const QString detail = index.data(PromiseListModel::DetailRole).toString();
    const int detailHeight = detail.isEmpty() ? 0 : wrappedHeight(detail, option.font, textWidth);
    const int titleHeight = wrappedHeight(index.data().toString(), option.font, textWidth);
    return {width, titleHeight + detailHeight + 2 * kVerdictGap};
}

} // namespace lockscope::widgets
