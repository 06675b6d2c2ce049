#pragma once

#include "ui/models/timeline/timeline_events.h"
#include "ui/models/timeline/timeline_layout.h"

#include <QCoreApplication>
#include <QFontMetrics>
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
    int scrolled = 0;     // pixels of rows above the lanes
    int currentLane = -1; // where the keys act; -1: nowhere
    models::TimeReference reference{};
    std::optional<models::VisibleRange> selection{};
    std::optional<Instant> cursor{};

    double xOf(Instant at) const;
    QRect ruler() const;
    /// Half of what can be grabbed at each end of a selection.
    static constexpr int kHandleReach = 5;
};

/// Text in one line, cut with an ellipsis where space is short.
void drawElided(QPainter& painter, const QRectF& rect, const QString& text);

/// How wide the titles of all rows are, within reason.
int titleWidthOf(const models::TimelineIndex* index, const QFontMetrics& metrics);

/// Paints a timeline without its overview. Nothing is clipped, as not every kind of picture can do
/// that: what reaches beyond the lanes is covered by what stands around them.
class TimelinePainter {
    Q_DECLARE_TR_FUNCTIONS(lockscope::widgets::TimelinePainter)
public:
    /// Both must outlive it.
    TimelinePainter(QPainter& painter, const TimelineScene& scene)
        : m_painter(painter),
          m_scene(scene)
    {}

    void paint(const models::TimelineLayout& layout,
               const std::vector<models::TimelineArrow>& arrows) const;

private:
    std::vector<models::Tick> ticks() const;
    void paintGround() const;
    void paintLanes(const models::TimelineLayout& layout,
                    const std::vector<models::TimelineArrow>& arrows) const;
    void paintTitles() const;
    void paintTitle(int row) const;
    void paintFold(const models::TimelineLane& lane, const QRectF& title) const;
    void paintRuler() const;
    void paintHandles() const;
    void paintLines() const;

    QPainter& m_painter;
    const TimelineScene& m_scene;
};

} // namespace lockscope::widgets
