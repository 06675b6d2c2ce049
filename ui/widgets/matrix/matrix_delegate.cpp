#include "ui/widgets/matrix/matrix_delegate.h"

#include "ui/widgets/matrix/matrix_painter.h"

#include <QPainter>

namespace lockscope::widgets {

using models::MatrixModel;

namespace {

constexpr double kCorner = 3;

} // namespace

const StateColors& MatrixDelegate::colorsOf(const QPalette& palette) const
{
    if (m_paletteKey != palette.cacheKey()) {
        m_paletteKey = palette.cacheKey();
        m_colors = stateColorsOf(palette);
    }
    return m_colors;
}

void MatrixDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                           const QModelIndex& index) const
{
    const StateColors& colors = colorsOf(option.palette);
    painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1),
                      colors.hairline);
    paintMatrixCell(*painter, option.rect,
                    {index.data(MatrixModel::StandingRole).value<MatrixModel::Standing>(),
                     index.data().toString()},
                    option.font, colors);
    const bool isCurrent = option.state.testFlag(QStyle::State_HasFocus)
                           || option.state.testFlag(QStyle::State_Selected);
    const bool isPointedAt = option.state.testFlag(QStyle::State_MouseOver)
                             && MatrixModel::isBroken(index);
    if (isCurrent || isPointedAt) {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(option.palette.color(QPalette::Link), isCurrent ? 2 : 1));
        painter->drawRoundedRect(QRectF(option.rect).adjusted(1.5, 1.5, -1.5, -1.5), kCorner,
                                 kCorner);
        painter->restore();
    }
}

} // namespace lockscope::widgets
