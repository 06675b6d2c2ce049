#pragma once

#include "ui/models/matrix/matrix_model.h"

#include <QFont>
#include <QPalette>
#include <QSize>
#include <QString>

class QIODevice;
class QPainter;

namespace lockscope::widgets {

/// The whole matrix as a picture, with its title and its legend, in the colours of the page.
class MatrixPicture {
public:
    /// The matrix outlives this.
    MatrixPicture(const models::MatrixModel& matrix, const QFont& font, const QPalette& palette);

    /// In logical pixels.
    QSize size() const;
    void paint(QPainter& painter) const;

    // Whether the device took it is known to the device.
    /// Twice as many pixels in each direction.
    void writePng(QIODevice& device) const;
    void writeSvg(QIODevice& device) const;

private:
    QRect gridRect() const;
    QRect cellRect(int row, int column) const;
    QFont titleFont() const;
    void paintGrid(QPainter& painter) const;

    const models::MatrixModel& m_matrix;
    QFont m_font;
    QPalette m_palette;
    int m_titleHeight = 0;
    int m_protocolWidth = 0;
    QSize m_heading; // of a column
    QSize m_cell;
};

} // namespace lockscope::widgets
