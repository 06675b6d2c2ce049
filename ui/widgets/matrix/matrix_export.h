#pragma once

#include "ui/models/matrix/matrix_model.h"
#include "ui/widgets/controls/prompter.h"
#include "ui/widgets/style/palette_colors.h"

#include <QFont>
#include <QPalette>
#include <QSize>
#include <QString>

#include <vector>

class QPainter;

namespace lockscope::widgets {

enum class MatrixFormat { Png, Svg, Csv, Markdown };

/// "Picture (PNG)…"
QString titleOf(MatrixFormat format);

/// Where it is to go.
FileQuestion saveQuestion(MatrixFormat format);

/// Writes the whole matrix; what is not searched yet stays empty. A picture has this font and these
/// colours. Returns why it failed; empty: it is there, and a file that was there before is not.
QString saveMatrix(const models::MatrixModel& matrix, MatrixFormat format, const QString& path,
                   const QFont& font, const QPalette& palette);

/// The whole matrix as a picture, with its title and its legend, in the colours of the page.
class MatrixPicture {
public:
    /// The matrix outlives this.
    MatrixPicture(const models::MatrixModel& matrix, const QFont& font, const QPalette& palette);

    /// In logical pixels.
    QSize size() const;
    void paint(QPainter& painter) const;

private:
    QRect gridRect() const;
    QRect cellRect(int row, int column) const;
    QFont titleFont() const;
    void paintGrid(QPainter& painter) const;
    void paintRow(QPainter& painter, int row, const StateColors& colors) const;
    QString groupNameAt(int row) const;

    const models::MatrixModel& m_matrix;
    QFont m_font;
    QPalette m_palette;
    int m_titleHeight = 0;
    int m_idWidth = 0;
    int m_verdictWidth = 0;
    QSize m_heading; // of a column
    QSize m_cell;
    std::vector<int> m_tops; // of the rows, below the top of the grid
    int m_gridHeight = 0;
};

} // namespace lockscope::widgets
