#pragma once

#include "timeline_scale.h"
#include "trace/chronicle.h"

#include <QPointF>
#include <QRectF>
#include <QString>

#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

// Where everything of a run stands on its timeline. Pure geometry: the view only paints what this
// returns. The index is made once for a run; the layout anew for every range, which takes as long
// as there are pixels, not as there are events.
namespace lockscope::models {

enum class Grouping { ByContender, ByLock };

/// In the order of painting: what comes later lies on top.
enum class TimelineStyle { Truth, Waiting, Down, Holding, Paused, Overlap };
inline constexpr std::size_t kTimelineStyleCount = 6;
inline constexpr std::size_t kMarkKindCount = 5; // trace::Mark::Kind

/// What contenders and locks are called.
struct TimelineNames {
    std::function<QString(trace::ContenderId)> contender;
    std::function<QString(trace::LockId)> lock;
};

/// Something that lasts, with what bisection needs to find it.
struct TimelineInterval {
    Instant from{};
    Instant to{};
    std::uint32_t index = 0;  // in its list of the chronicle
    std::uint32_t latest = 0; // the position of the one that ends last, up to this one
};
using TimelineTrack = std::vector<TimelineInterval>; // in the order of `from`

/// A time in which two rows believe to hold one lock. Also a number of them, as what spans them
/// all.
struct TimelineOverlap {
    Instant from{};
    Instant to{};
    std::uint32_t index = 0; // in the chronicle; of the first of several
    int upperRow = 0;
    int lowerRow = 0;
    std::uint32_t count = 1;
};

/// What belongs together: all of a contender or of a lock, or the server's truth about a lock.
struct TimelineLane {
    QString title; // for the truth, the name of the lock
    bool isTruth = false;
    int firstRow = 0;
    int rowCount = 0;
};

/// A line of bars within a lane.
struct TimelineRow {
    QString title; // what tells it from the other rows of its lane; may be empty
    int lane = 0;
    std::optional<trace::ContenderId> contender; // none for the truth
    std::optional<trace::LockId> lock;           // none for who has not asked for any
};

/// A chronicle sorted into lanes and rows. The truth comes first, a lane for each lock; then a lane
/// for each contender with a row for each lock it wants, or the other way round.
class TimelineIndex {
public:
    static constexpr std::size_t kBlockSize = 64;

    TimelineIndex(std::shared_ptr<const trace::Chronicle> chronicle, Grouping grouping,
                  const TimelineNames& names);

    const trace::Chronicle& chronicle() const { return *m_chronicle; }
    /// From the beginning, or the first event before it, to the end of the record; never empty.
    VisibleRange full() const { return m_full; }
    const std::vector<TimelineLane>& lanes() const { return m_lanes; }
    const std::vector<TimelineRow>& rows() const { return m_rows; }
    int rowCount() const { return static_cast<int>(m_rows.size()); }

    /// What of a style is in a row; nullptr when there is nothing. Overlaps are between rows.
    const TimelineTrack* trackOf(int row, TimelineStyle style) const;
    const TimelineTrack* marksOf(int row, trace::Mark::Kind kind) const;

    const std::vector<TimelineOverlap>& overlaps() const { return m_overlaps; }
    /// Each kBlockSize overlaps, as one.
    const std::vector<TimelineOverlap>& overlapBlocks() const { return m_overlapBlocks; }

private:
    class Sorter;

    /// Numbers of tracks, -1 for none.
    struct Tracks {
        std::array<int, kTimelineStyleCount> styles{-1, -1, -1, -1, -1, -1};
        std::array<int, kMarkKindCount> marks{-1, -1, -1, -1, -1};
    };

    const TimelineTrack* trackAt(int number) const;
    void measure();

    std::shared_ptr<const trace::Chronicle> m_chronicle;
    VisibleRange m_full;
    std::vector<TimelineLane> m_lanes;
    std::vector<TimelineRow> m_rows;
    std::vector<Tracks> m_rowTracks;
    std::vector<TimelineTrack> m_tracks;
    std::vector<TimelineOverlap> m_overlaps;
    std::vector<TimelineOverlap> m_overlapBlocks;
};

/// What is to be laid out; all lengths in pixels. Places are counted from the left end of the range
/// and from the top of the first row. Rows that are not between `top` and `bottom` are left out.
struct TimelineFrame {
    VisibleRange range;
    double width = 0;
    double laneHeight = 0; // of one row
    double top = 0;
    double bottom = std::numeric_limits<double>::infinity();
};

/// Where the bars of a row are within its height.
double barTop(int row, double laneHeight);
double barHeight(double laneHeight);

/// A rectangle to be painted in the colour of its style.
struct TimelineBox {
    QRectF rect;
    std::uint32_t index = 0; // in the chronicle: tenures for Truth, overlaps for Overlap, or spans
    std::uint32_t count = 1; // how many stand in it; `index` is one of them
    int row = 0;             // the upper one of an overlap
};

/// A small line above the bar.
struct TimelineMark {
    double x = 0;
    double y = 0; // of the top of the bar
    trace::Mark::Kind kind = trace::Mark::Kind::Refused;
    std::uint32_t index = 0;
    std::uint32_t count = 1;
    int row = 0;
};

/// What is under a point: the index of a tenure (Truth), of an overlap or of a span, or of a mark.
struct TimelineHit {
    enum class Kind { Tenure, Span, Overlap, Mark };

    Kind kind = Kind::Span;
    std::uint32_t index = 0;
    std::uint32_t count = 1;

    friend bool operator==(const TimelineHit&, const TimelineHit&) = default;
};

/// Rectangles grouped by style. Spans that are narrower than a pixel share one column of it, which
/// has the style of the most important: holding before paused before down before waiting. An
/// overlap keeps a rectangle of its own that can be seen, above everything else; only where more
/// than kOverlapsPerColumn begin within one pixel, the further ones share a rectangle around them
/// all.
class TimelineLayout {
public:
    static constexpr double kOverlapWidthMin = 3;
    static constexpr std::size_t kOverlapsPerColumn = 8;
    static constexpr double kReach = 3; // how near is a hit, for lines

    TimelineLayout(const TimelineIndex& index, const TimelineFrame& frame);

    const TimelineFrame& frame() const { return m_frame; }
    const std::vector<TimelineBox>& boxes(TimelineStyle style) const;
    const std::vector<TimelineMark>& marks() const { return m_marks; }

    /// What is seen at a point: the outline of an overlap before a mark, then the uppermost bar,
    /// then the inside of an overlap.
    std::optional<TimelineHit> hitTest(QPointF point) const;

private:
    struct Columns;
    class OverlapColumn;

    std::vector<TimelineBox>& boxesOf(TimelineStyle style);
    QRectF barRect(Instant from, Instant to, int row) const;
    void layOutSpans(const TimelineIndex& index, int row, Columns& columns);
    void layOutMarks(const TimelineIndex& index, int row);
    void layOutOverlaps(const TimelineIndex& index);
    std::optional<TimelineHit> hitOverlap(QPointF point, bool isOutlineOnly) const;

    TimelineFrame m_frame;
    std::array<std::vector<TimelineBox>, kTimelineStyleCount> m_boxes;
    std::vector<TimelineMark> m_marks;
};

} // namespace lockscope::models
