#pragma once

#include "timeline_layout.h"

#include <QCoreApplication>
#include <QPalette>
#include <QRect>

class QPainter;

namespace lockscope::widgets {

/// What a timeline shows at the moment, and where on its surface.
struct TimelineScene {
    static constexpr int kMargin = 12;
    static constexpr int kPadding = 6;

    const models::TimelineIndex& index;
    const models::TimelineNames& names;
    QPalette palette;
    models::VisibleRange visible{};
    QRect whole{};
    QRect lanes{}; // the titles are at its left, the ruler is above
    double laneHeight = 0;
    int scrolled = 0; // pixels of rows above the lanes
};

/// Text in one line, cut with an ellipsis where space is short.
void drawElided(QPainter& painter, const QRectF& rect, const QString& text);

/// Paints the parts of a timeline, each where it belongs.
class TimelinePainter {
    Q_DECLARE_TR_FUNCTIONS(lockscope::widgets::TimelinePainter)
public:
    /// Both must outlive it.
    TimelinePainter(QPainter& painter, const TimelineScene& scene)
        : m_painter(painter),
          m_scene(scene)
    {}

    void paintSelection(const std::optional<models::VisibleRange>& selection) const;
    void paintRuler() const;
    void paintTitles() const;
    void paintLanes(const models::TimelineLayout& layout) const;
    void paintCursor(const std::optional<Instant>& cursor) const;

private:
    std::pair<QString, QString> titlesOf(int row) const;
    void paintTitle(int row) const;
    double xOf(Instant at) const;

    QPainter& m_painter;
    const TimelineScene& m_scene;
};

} // namespace lockscope::widgets
