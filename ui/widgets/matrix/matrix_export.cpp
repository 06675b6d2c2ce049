#include "ui/widgets/matrix/matrix_export.h"

#include "core/kernel/report/matrix_text.h"
#include "ui/models/ui_text.h"
#include "ui/widgets/matrix/matrix_picture.h"

#include <QSaveFile>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

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
    case MatrixFormat::Png: return UiText::tr("PNG images (*.png)");
    case MatrixFormat::Svg: return UiText::tr("SVG images (*.svg)");
    case MatrixFormat::Csv: return UiText::tr("CSV tables (*.csv)");
    case MatrixFormat::Markdown: break;
    }
    return UiText::tr("Markdown files (*.md)");
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
