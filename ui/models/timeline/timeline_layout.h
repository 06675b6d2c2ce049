#pragma once

#include "ui/models/timeline/timeline_index.h"

#include <QPointF>
#include <QRectF>

#include <array>
#include <limits>
#include <optional>
#include <vector>

// Where everything of a run stands on its timeline. Pure geometry: the view only paints what this
// returns. A layout is made anew for every range, which takes as long as there are pixels, not as
// there are events.
namespace lockscope::models {

/// What is to be laid out; all lengths in pixels. Places are counted from the left end of the range
/// and from the top of the first row. Rows that are not between `top` and `bottom` are left out.
struct TimelineFrame {
    VisibleRange range;
    double width = 0;
    double laneHeight = 0; // of one row
    double top = 0;
    double bottom = std::numeric_limits<double>::infinity();

    friend bool operator==(const TimelineFrame&, const TimelineFrame&) = default;
};

/// Where the bars of a row are within its height, and the line along those for which others wait.
double barTop(int row, double laneHeight);
double barHeight(double laneHeight);
double contendedHeight(double laneHeight);

/// A rectangle to be painted in the colour of its style.
struct TimelineBox {
    QRectF rect;
    std::uint32_t index = 0; // in the chronicle: a server hold in rows of the truth, an overlap, a
                             // note, a span
    std::uint32_t count = 1; // how many stand in it; `index` is one of them
    int row = 0;             // the upper one of an overlap
};

/// A small line above the bar.
struct TimelineMark {
    double x = 0;
    double y = 0;                          // of the top of the bar
    std::optional<trace::Mark::Kind> kind; // nullopt: a note
    std::uint32_t index = 0;
    std::uint32_t count = 1;
    int row = 0;
};

/// What is under a point: the index of a server hold (Truth), of an overlap or of a span, or of a
/// mark or of a note.
struct TimelineHit {
    enum class Kind { ServerHold, Span, Overlap, Mark, Note };

    Kind kind = Kind::Span;
    std::uint32_t index = 0;
    std::uint32_t count = 1;

    friend bool operator==(const TimelineHit&, const TimelineHit&) = default;
};

/// Rectangles grouped by style. Spans that are narrower than a pixel share one column of it, which
/// has the style of the most important: holding before paused before down before waiting. Where
/// there are more than kCrowd spans of a style to a pixel, what begins within two pixels or three
/// is drawn as one. An overlap keeps a rectangle of its own that can be seen, above everything
/// else; only where more than kOverlapsPerColumn begin within one pixel, the further ones share a
/// rectangle around them all. Lines of contention that touch are one. Where rows are lower than a
/// pixel, the fullest of each pixel stands for the others; overlaps are between all rows even then.
class TimelineLayout {
public:
    static constexpr double kOverlapWidthMin = 3;
    static constexpr std::size_t kOverlapsPerColumn = 8;
    static constexpr double kReach = 3;        // how near is a hit, for lines
    static constexpr double kLineDistance = 3; // lines that are nearer share a column
    static constexpr double kCrowd = 1.5;      // with more to a pixel, two pixels are a column

    TimelineLayout(const TimelineIndex& index, const TimelineFrame& frame) { layOut(index, frame); }
    /// Once more, for another frame: in the memory that it has already.
    void layOut(const TimelineIndex& index, const TimelineFrame& frame);

    const TimelineFrame& frame() const { return m_frame; }
    const std::vector<TimelineBox>& boxes(TimelineStyle style) const;
    const std::vector<TimelineMark>& marks() const { return m_marks; }
    /// What contenders wrote, in rows of its own: each from its place to the next one's.
    const std::vector<TimelineBox>& notes() const { return m_notes; }

    /// What is seen at a point: the outline of an overlap before a mark, then the uppermost bar,
    /// then the inside of an overlap.
    std::optional<TimelineHit> hitTest(QPointF point) const;

private:
    struct Columns;
    class OverlapColumn;

    std::vector<TimelineBox>& boxesOf(TimelineStyle style);
    /// The bars of a row: where they are from top to bottom is worked out once.
    struct Row {
        int number = 0;
        double top = 0;
        double height = 0;
    };

    Row rowAt(int number) const;
    QRectF barRect(Instant from, Instant to, const Row& row) const;
    void layOutSpans(const TimelineIndex& index, const Row& row, Columns& columns);
    void layOutContended(const TimelineIndex& index, const Row& row);
    void layOutMarks(const TimelineIndex& index, const Row& row);
    void layOutMarks(const TimelineTrack* track, std::optional<trace::Mark::Kind> kind,
                     const Row& row);
    void layOutNotes(const TimelineIndex& index, const Row& row);
    void layOutOverlaps(const TimelineIndex& index);
    std::optional<TimelineHit> hitOverlap(QPointF point, bool isOutlineOnly) const;

    TimelineFrame m_frame;
    double m_pixelsPerMicrosecond = 0;
    int m_truthRowCount = 0;
    std::array<std::vector<TimelineBox>, kTimelineStyleCount> m_boxes;
    std::vector<TimelineMark> m_marks;
    std::vector<TimelineBox> m_notes;
};

} // namespace lockscope::models
