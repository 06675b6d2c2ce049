#include "matrix/matrix_export.h"

#include "matrix/matrix_picture.h"
#include "report/matrix_text.h"

#include <QCoreApplication>
#include <QSaveFile>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

QString translated(const char* text)
{
    return QCoreApplication::translate("MatrixExport", text);
}

void write(QIODevice& file, const std::string& text)
{
    file.write(text.data(), static_cast<qint64>(text.size()));
}

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
    case MatrixFormat::Png: return translated("PNG images (*.png)");
    case MatrixFormat::Svg: return translated("SVG images (*.svg)");
    case MatrixFormat::Csv: return translated("CSV tables (*.csv)");
    case MatrixFormat::Markdown: break;
    }
    return translated("Markdown files (*.md)");
}

} // namespace

QString titleOf(MatrixFormat format)
{
    switch (format) {
    case MatrixFormat::Png: return translated("&Image (PNG)…");
    case MatrixFormat::Svg: return translated("Image (&SVG)…");
    case MatrixFormat::Csv: return translated("Table (&CSV), one line per promise…");
    case MatrixFormat::Markdown: break;
    }
    return translated("Table (&Markdown)…");
}

FileQuestion saveQuestion(MatrixFormat format)
{
    return {translated("Export the matrix"), filterOf(format), fileName(format)};
}

QString saveMatrix(const models::MatrixModel& matrix, MatrixFormat format, const QString& path,
                   const QFont& font, const QPalette& palette)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) {
        return file.errorString();
    }
    const MatrixPicture picture(matrix, font, palette);
    switch (format) {
    case MatrixFormat::Png: picture.writePng(file); break;
    case MatrixFormat::Svg: picture.writeSvg(file); break;
    case MatrixFormat::Csv: write(file, report::matrixCsv(matrix.cells())); break;
    case MatrixFormat::Markdown: write(file, report::matrixMarkdown(matrix.cells())); break;
    }
    return file.commit() ? QString() : file.errorString();
}

} // namespace lockscope::widgets
