#pragma once

#include "ui/widgets/timeline/timeline_painter.h"

namespace lockscope::widgets {

/// Paints what led to what, over the lanes. Places are those of the lanes: from the left end of the
/// range and the top of the first row.
class ArrowPainter {
public:
    /// Both must outlive it.
    ArrowPainter(QPainter& painter, const TimelineScene& scene) : m_painter(painter), m_scene(scene)
    {}

    void paint(const models::TimelineArrow& arrow) const;

private:
    QPointF placeOf(Instant at, int row) const;
    void paintHead(QPointF from, QPointF to, const QColor& color) const;
    void paintCross(QPointF at, const QColor& color) const;
    void paintText(const QString& text, QPointF at) const;

    QPainter& m_painter;
    const TimelineScene& m_scene;
};

} // namespace lockscope::widgets
