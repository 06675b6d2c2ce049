#include "ui/widgets/timeline/timeline_picture.h"

#include <QImage>
#include <QPainter>
#include <QSaveFile>
#include <QSvgGenerator>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

using Paint = std::function<void(QPainter&)>;

constexpr int kScreenDpi = 96;

bool writePng(QIODevice& file, QSize size, const Paint& paint)
{
    constexpr qreal kFineness = 2;
    QImage image(size * kFineness, QImage::Format_RGB32);
    image.setDevicePixelRatio(kFineness);
    image.fill(Qt::white);
    QPainter painter(&image);
    paint(painter);
    painter.end();
    return image.save(&file, "PNG");
}

bool writeSvg(QIODevice& file, QSize size, const QString& title, const Paint& paint)
{
    QSvgGenerator generator;
    generator.setOutputDevice(&file);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(), size));
    generator.setResolution(kScreenDpi); // so that texts are as large as they were measured
    generator.setTitle(title);
    QPainter painter;
    if (!painter.begin(&generator)) {
        return false;
    }
    paint(painter);
    return painter.end();
}

} // namespace

bool writePicture(const QString& file, QSize size, const QString& title, const Paint& paint)
{
    const bool isSvg = file.endsWith(u".svg"_s, Qt::CaseInsensitive);
    if (!isSvg && !file.endsWith(u".png"_s, Qt::CaseInsensitive)) {
        return false;
    }
    QSaveFile target(file);
    if (!target.open(QIODevice::WriteOnly)) {
        return false;
    }
    const bool isWritten = isSvg ? writeSvg(target, size, title, paint)
                                 : writePng(target, size, paint);
    return isWritten && target.commit();
}

} // namespace lockscope::widgets
