#pragma once

#include "ui/widgets/timeline/timeline_painter.h"

#include <QPixmap>

namespace lockscope::widgets {

/// All of a run in a strip, and the part of it that is seen. Only that part is painted anew as long
/// as size and run stay.
class TimelineOverview {
    Q_DECLARE_TR_FUNCTIONS(lockscope::widgets::TimelineOverview)
public:
    void forget() { m_picture = {}; }
    void paint(QPainter& painter, const TimelineScene& scene, const QRect& area,
               models::VisibleRange full);

private:
    QPixmap m_picture;
};

} // namespace lockscope::widgets
