#pragma once

#include "ui/models/matrix/matrix_model.h"
#include "ui/widgets/style/palette_colors.h"

#include <QFont>
#include <QPalette>
#include <QRect>

#include <optional>

class QPainter;

// How the matrix looks, on the page and in pictures of it.
namespace lockscope::widgets {

/// What is painted of a cell.
struct MatrixCell {
    report::CellStanding standing = report::CellStanding::Unknown;
    std::optional<search::Harm> harm; // that happens
    QString text;
    QString number; // where the text has no room
    bool hasOthers = false;
    bool isDimmed = false;
};

/// Of the model's cell.
MatrixCell matrixCellAt(const QModelIndex& index);

/// Mark and text in the middle of the cell: filled with the colour of the harm where the protocol
/// promises otherwise, framed by it where it does not. Tick: held; ring: held up to the bound. A
/// dot in the corner: something else happens that is not cared for.
void paintMatrixCell(QPainter& painter, const QRect& rect, const MatrixCell& cell,
                     const QFont& font, const StateColors& colors);

QFont matrixHeadingFont(const QFont& font);
/// A heading has a line per word; on its side it has one, from bottom to top.
QSize matrixHeadingSize(const QString& title, const QFont& font, bool isOnSide = false);
void paintMatrixHeading(QPainter& painter, const QRect& rect, const QString& title,
                        const QFont& font, const QColor& color, bool isOnSide = false);

/// The line above the first row of a group of protocols, with its name.
int matrixGroupHeight(const QFont& font);
void paintMatrixGroup(QPainter& painter, const QRect& rect, const QString& name, const QFont& font,
                      const StateColors& colors);

/// The mark of a folded group, in the middle: a triangle that points to the right, or down for an
/// unfolded one.
int matrixFoldMarkHeight(const QFont& font);
void paintFoldMark(QPainter& painter, const QRect& rect, bool isFolded, const QColor& color);
/// The name of an unfolded group over its columns, between the ends of a line.
void paintUnfoldedGroup(QPainter& painter, const QRect& rect, const QString& name,
                        const QFont& font, const QColor& color);

/// What the marks mean where these harms must not happen, in as many lines as the width asks for.
/// Returns the height; paints only when there is a painter.
int layMatrixLegend(QPainter* painter, const QRect& rect, const std::vector<search::Harm>& never,
                    const QFont& font, const QPalette& palette);

} // namespace lockscope::widgets
