#pragma once

#include "ui/widgets/style/palette_colors.h"

#include <QStyledItemDelegate>

namespace lockscope::widgets {

/// Paints a cell of the matrix; the current one has an outline, and a broken one under the pointer.
class MatrixDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;

private:
    const StateColors& colorsOf(const QPalette& palette) const;

    mutable qint64 m_paletteKey = -1;
    mutable StateColors m_colors;
};

} // namespace lockscope::widgets
