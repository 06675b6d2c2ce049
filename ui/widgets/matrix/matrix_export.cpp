#include "ui/widgets/matrix/matrix_export.h"

#include "core/kernel/report/matrix_text.h"
#include "ui/models/ui_text.h"
#include "ui/models/user_files.h"
#include "ui/widgets/controls/picture_file.h"
#include "ui/widgets/matrix/matrix_painter.h"

#include <QBuffer>
#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using models::MatrixModel;

namespace {

constexpr int kMargin = 20;
constexpr int kGap = 12;
constexpr int kRowPadding = 8;
constexpr double kTitleScale = 1.4;

QString fileName(MatrixFormat format)
{
    switch (format) {
    case MatrixFormat::Png: return u"lockscope-matrix.png"_s;
    case MatrixFormat::Svg: return u"lockscope-matrix.svg"_s;
    case MatrixFormat::Csv: return u"lockscope-matrix.csv"_s;
    case MatrixFormat::Markdown: break;
    }
    return u"lockscope-matrix.md"_s;
}

QString filterOf(MatrixFormat format)
{
    switch (format) {
    case MatrixFormat::Png: return UiText::tr("PNG images (*.png)");
    case MatrixFormat::Svg: return UiText::tr("SVG images (*.svg)");
    case MatrixFormat::Csv: return UiText::tr("CSV tables (*.csv)");
    case MatrixFormat::Markdown: break;
    }
    return UiText::tr("Markdown files (*.md)");
}

QString titleText()
{
    return MatrixModel::tr("Lock protocols under faults");
}

} // namespace

QString titleOf(MatrixFormat format)
{
    switch (format) {
    case MatrixFormat::Png: return UiText::tr("&Image (PNG)…");
    case MatrixFormat::Svg: return UiText::tr("Image (&SVG)…");
    case MatrixFormat::Csv: return UiText::tr("Table (&CSV), one line per promise…");
    case MatrixFormat::Markdown: break;
    }
    return UiText::tr("Table (&Markdown)…");
}

FileQuestion saveQuestion(MatrixFormat format)
{
    return {UiText::tr("Export the matrix"), filterOf(format), fileName(format)};
}

QString saveMatrix(const models::MatrixModel& matrix, MatrixFormat format, const QString& path,
                   const QFont& font, const QPalette& palette)
{
    QByteArray content;
    QBuffer buffer(&content);
    buffer.open(QIODevice::WriteOnly);
    const MatrixPicture picture(matrix, font, palette);
    const auto paint = [&picture](QPainter& painter) { picture.paint(painter); };
    switch (format) {
    case MatrixFormat::Png: writePng(buffer, picture.size(), paint); break;
    case MatrixFormat::Svg: writeSvg(buffer, picture.size(), titleText(), paint); break;
    case MatrixFormat::Csv:
        content = QByteArray::fromStdString(report::matrixCsv(matrix.cells()));
        break;
    case MatrixFormat::Markdown:
        content = QByteArray::fromStdString(
            report::matrixMarkdown(matrix.cells(), {matrix.never(), matrix.unfolded()}));
        break;
    }
    return models::writeFile(path, content);
}

MatrixPicture::MatrixPicture(const MatrixModel& matrix, const QFont& font, const QPalette& palette)
    : m_matrix(matrix),
      m_font(font),
      m_palette(palette)
{
    const QFontMetrics metrics(font);
    m_titleHeight = QFontMetrics(titleFont()).height() + kGap;
    const auto widest = [&matrix, &metrics](int role) {
        int width = 0;
        for (int row = 0; row < matrix.rowCount(); ++row) {
            const QString text = matrix.headerData(row, Qt::Vertical, role).toString();
            width = std::max(width, metrics.horizontalAdvance(text) + kGap);
        }
        return width;
    };
    m_idWidth = widest(Qt::DisplayRole);
    m_verdictWidth = widest(MatrixModel::VerdictRole);
    for (int column = 0; column < matrix.columnCount(); ++column) {
        const QString title = matrix.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        m_heading = m_heading.expandedTo(matrixHeadingSize(title, font));
    }
    m_cell = {m_heading.width(), metrics.height() + kRowPadding};
    int top = 0;
    for (int row = 0; row < matrix.rowCount(); ++row) {
        top += groupNameAt(row).isEmpty() ? 0 : matrixGroupHeight(font);
        m_tops.push_back(top);
        top += m_cell.height();
    }
    m_gridHeight = top;
}

QString MatrixPicture::groupNameAt(int row) const
{
    return m_matrix.headerData(row, Qt::Vertical, MatrixModel::GroupNameRole).toString();
}

QFont MatrixPicture::titleFont() const
{
    QFont font = m_font;
    font.setPointSizeF(font.pointSizeF() * kTitleScale);
    font.setBold(true);
    return font;
}

QRect MatrixPicture::gridRect() const
{
    return {kMargin + m_idWidth + m_verdictWidth, kMargin + m_titleHeight + m_heading.height(),
            m_matrix.columnCount() * m_cell.width(), m_gridHeight};
}

QRect MatrixPicture::cellRect(int row, int column) const
{
    const int top = m_tops[static_cast<std::size_t>(row)];
    return {gridRect().topLeft() + QPoint(column * m_cell.width(), top), m_cell};
}

QSize MatrixPicture::size() const
{
    const QRect grid = gridRect();
    const QRect legend(kMargin, 0, grid.right() - kMargin, 0);
    const int legendHeight = layMatrixLegend(nullptr, legend, m_matrix.never(), m_font, m_palette);
    return {grid.right() + 1 + kMargin, grid.bottom() + 1 + kGap + legendHeight + kMargin};
}

void MatrixPicture::paint(QPainter& painter) const
{
    const QRect whole(QPoint(), size());
    painter.fillRect(whole, m_palette.color(QPalette::Base));
    painter.setPen(m_palette.color(QPalette::Text));
    painter.setFont(titleFont());
    painter.drawText(QRect(kMargin, kMargin, whole.width() - 2 * kMargin, m_titleHeight),
                     Qt::AlignLeft | Qt::AlignTop, titleText());
    paintGrid(painter);
    const QRect grid = gridRect();
    layMatrixLegend(&painter, QRect(kMargin, grid.bottom() + 1 + kGap, grid.right() - kMargin, 0),
                    m_matrix.never(), m_font, m_palette);
}

void MatrixPicture::paintGrid(QPainter& painter) const
{
    const StateColors colors = stateColorsOf(m_palette);
    for (int column = 0; column < m_matrix.columnCount(); ++column) {
        paintMatrixHeading(painter,
                           QRect(gridRect().left() + column * m_cell.width(),
                                 gridRect().top() - m_heading.height(), m_cell.width(),
                                 m_heading.height()),
                           m_matrix.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(),
                           m_font, colors.quiet);
    }
    for (int row = 0; row < m_matrix.rowCount(); ++row) {
        paintRow(painter, row, colors);
    }
}

void MatrixPicture::paintRow(QPainter& painter, int row, const StateColors& colors) const
{
    const QRect first = cellRect(row, 0);
    const int right = gridRect().right();
    if (const QString group = groupNameAt(row); !group.isEmpty()) {
        const int height = matrixGroupHeight(m_font);
        paintMatrixGroup(painter, QRect(kMargin, first.top() - height, right - kMargin, height),
                         group, m_font, colors);
        painter.fillRect(QRect(kMargin, first.top() - 1, right - kMargin, 1), colors.hairline);
    }
    painter.setFont(m_font);
    painter.setPen(m_palette.color(QPalette::Text));
    painter.drawText(QRect(kMargin, first.top(), m_idWidth, first.height()),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     m_matrix.headerData(row, Qt::Vertical, Qt::DisplayRole).toString());
    painter.setPen(colors.quiet);
    painter.drawText(QRect(kMargin + m_idWidth, first.top(), m_verdictWidth, first.height()),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     m_matrix.headerData(row, Qt::Vertical, MatrixModel::VerdictRole).toString());
    for (int column = 0; column < m_matrix.columnCount(); ++column) {
        paintMatrixCell(painter, cellRect(row, column), matrixCellAt(m_matrix.index(row, column)),
                        m_font, colors);
    }
    painter.fillRect(QRect(kMargin, first.bottom(), right - kMargin, 1), colors.hairline);
}

} // namespace lockscope::widgets
