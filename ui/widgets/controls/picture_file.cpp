#include "ui/widgets/controls/picture_file.h"

#include "ui/models/user_files.h"

#include <QBuffer>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QImage>
#include <QPainter>
#include <QSvgGenerator>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

bool writePng(QIODevice& device, QSize size, const PaintPicture& paint)
{
    constexpr qreal kFineness = 2;
    QImage image(size * kFineness, QImage::Format_RGB32);
    image.setDevicePixelRatio(kFineness);
    image.fill(Qt::white);
    QPainter painter(&image);
    paint(painter);
    painter.end();
    return image.save(&device, "PNG");
}

bool writeSvg(QIODevice& device, QSize size, const QString& title, const PaintPicture& paint)
{
    QSvgGenerator generator;
    generator.setOutputDevice(&device);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(), size));
    generator.setResolution(qRound(QFontMetricsF(QGuiApplication::font()).fontDpi()));
    generator.setTitle(title);
    QPainter painter;
    if (!painter.begin(&generator)) {
        return false;
    }
    paint(painter);
    return painter.end();
}

bool writePicture(const QString& file, QSize size, const QString& title, const PaintPicture& paint)
{
    const bool isSvg = file.endsWith(u".svg"_s, Qt::CaseInsensitive);
    if (!isSvg && !file.endsWith(u".png"_s, Qt::CaseInsensitive)) {
        return false;
    }
    QByteArray picture;
    QBuffer buffer(&picture);
    buffer.open(QIODevice::WriteOnly);
    const bool isPainted = isSvg ? writeSvg(buffer, size, title, paint)
                                 : writePng(buffer, size, paint);
    return isPainted && models::writeFile(file, picture).isEmpty();
}

} // namespace lockscope::widgets
