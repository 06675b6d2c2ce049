#pragma once

#include <QSize>
#include <QString>

#include <functional>

class QIODevice;
class QPainter;

namespace lockscope::widgets {

using PaintPicture = std::function<void(QPainter&)>;

/// Twice as many pixels in each direction.
bool writePng(QIODevice& device, QSize size, const PaintPicture& paint);
/// Texts are as large as they were measured.
bool writeSvg(QIODevice& device, QSize size, const QString& title, const PaintPicture& paint);

/// Writes what `paint` paints within a size into a file: PNG, twice as fine as it is seen, or SVG,
/// by how the name ends. False for other endings, and when the file cannot be written.
bool writePicture(const QString& file, QSize size, const QString& title, const PaintPicture& paint);

} // namespace lockscope::widgets
