#include "ui/widgets/timeline/timeline_overview.h"

#include "ui/widgets/style/palette_colors.h"
#include "ui/widgets/timeline/lane_painter.h"

#include <QPainter>

#include <algorithm>

namespace lockscope::widgets {

namespace {

QPixmap pictureOf(const TimelineScene& scene, QSize size, models::VisibleRange full, qreal ratio)
{
    QPixmap picture(size * ratio);
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    models::TimelineFrame frame{full, double(size.width())};
    frame.laneHeight = static_cast<double>(size.height()) / std::max(scene.index.rowCount(), 1);
    const models::TimelineLayout layout(scene.index, frame);
    QPainter painter(&picture);
    LanePainter(painter, layout, scene.index.chronicle(), scene.names, scene.palette).paintSmall();
    return picture;
}

} // namespace

void TimelineOverview::paint(QPainter& painter, const TimelineScene& scene, const QRect& area,
                             models::VisibleRange full)
{
    const qreal ratio = painter.device()->devicePixelRatioF();
    if (m_picture.isNull() || m_picture.deviceIndependentSize().toSize() != area.size()
        || m_picture.devicePixelRatio() != ratio) {
        m_picture = pictureOf(scene, area.size(), full, ratio);
    }
    const auto xIn = [&](Instant at) { return area.left() + models::xOf(at, full, area.width()); };
    const double left = xIn(scene.visible.from);
    const QRectF window(left, area.top(), std::max(xIn(scene.visible.to) - left, 2.0),
                        area.height());
    const QColor accent = scene.palette.color(QPalette::Link);
    QColor veil = accent;
    veil.setAlphaF(0.14F);
    painter.fillRect(area, scene.palette.color(QPalette::Window));
    painter.fillRect(window, veil);
    painter.drawPixmap(area.topLeft(), m_picture); // the veil dims nothing
    painter.setPen(accent);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(window.adjusted(0, 0, -1, -1));
    painter.setPen(stateColorsOf(scene.palette).quiet);
    constexpr int kMargin = TimelineScene::kMargin;
    drawElided(painter, QRectF(kMargin, area.top(), area.left() - 2 * kMargin, area.height()),
               tr("Overview"));
}

} // namespace lockscope::widgets
