#pragma once

#include "ui/models/matrix/matrix_model.h"
#include "ui/widgets/style/palette_colors.h"

#include <QFont>
#include <QPalette>
#include <QRect>

class QPainter;

// How the matrix looks, on the page and in pictures of it.
namespace lockscope::widgets {

QColor colorOf(models::MatrixModel::Standing standing, const StateColors& colors);

/// A shape of its own for each standing, so that colours need not be told apart. Cross: broken;
/// triangle: broken and not promised; tick: held; ring: held up to the bound. The others have none.
void paintMatrixMark(QPainter& painter, const QRectF& rect, models::MatrixModel::Standing standing,
                     const QColor& color);

/// Mark and text in the middle of the cell, on a tint where something broke.
struct MatrixCell {
    models::MatrixModel::Standing standing = models::MatrixModel::Standing::Unknown;
    QString text;
};
void paintMatrixCell(QPainter& painter, const QRect& rect, const MatrixCell& cell,
                     const QFont& font, const StateColors& colors);

QFont matrixHeadingFont(const QFont& font);
/// A heading has a line per word.
QSize matrixHeadingSize(const QString& title, const QFont& font);
void paintMatrixHeading(QPainter& painter, const QRect& rect, const QString& title,
                        const QFont& font, const QColor& color);

/// What the marks mean, in as many lines as the width asks for. Returns the height; paints only
/// when there is a painter.
int layMatrixLegend(QPainter* painter, const QRect& rect, const QFont& font,
                    const QPalette& palette);

} // namespace lockscope::widgets
