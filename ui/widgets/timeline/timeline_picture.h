#pragma once

#include <QSize>
#include <QString>

#include <functional>

class QPainter;

namespace lockscope::widgets {

/// Writes what `paint` paints within a size into a file: PNG, twice as fine as it is seen, or SVG,
/// by how the name ends. False for other endings, and when the file cannot be written.
bool writePicture(const QString& file, QSize size, const QString& title,
                  const std::function<void(QPainter&)>& paint);

} // namespace lockscope::widgets
