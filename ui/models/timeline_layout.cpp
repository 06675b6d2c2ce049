#include "timeline_layout.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockscope::models {

using trace::Mark;

namespace {

constexpr double kBarShare = 0.46;       // of the height of a row
constexpr double kOutlineShare = 0.1;    // how far an overlap reaches beyond the bars
constexpr double kContendedShare = 0.14; // of the height of a bar
constexpr double kEdge = 8;              // what is cut off ends this far outside

} // namespace

double barTop(int row, double laneHeight)
{
    return std::round(row * laneHeight + (laneHeight - barHeight(laneHeight)) / 2);
}

double barHeight(double laneHeight)
{
    return std::max(std::round(laneHeight * kBarShare), 1.0);
}

double contendedHeight(double laneHeight)
{
    return std::clamp(std::round(barHeight(laneHeight) * kContendedShare), 1.0, 4.0);
}

namespace {

/// The first row that begins on another line of pixels.
int nextLine(int row, double laneHeight)
{
    const double line = std::floor(row * laneHeight) + 1;
    return std::max(row + 1, static_cast<int>(std::ceil(line / laneHeight)));
}

/// Of several rows, the one with the most in it.
int fullestRow(const TimelineIndex& index, int first, int end)
{
    int fullest = first;
    for (int row = first + 1; row < end; ++row) {
        if (index.itemCount(row) > index.itemCount(fullest)) {
            fullest = row;
        }
    }
    return fullest;
}

/// A range in columns of so many pixels. Asked for every span that is seen, so it does not divide.
class ColumnGrid {
public:
    explicit ColumnGrid(const TimelineFrame& frame, double columnWidth = 1)
        : m_begin(frame.range.from),
          m_end(frame.range.to),
          m_length(static_cast<double>(frame.range.length().count()) / frame.width * columnWidth),
          m_perMicrosecond(1 / m_length)
    {}

    Instant begin() const { return m_begin; }
    Instant end() const { return m_end; }
    double placeOf(Instant at) const
    {
        return static_cast<double>((at - m_begin).count()) * m_perMicrosecond;
    }

    /// The end of the column in which something begins, and later than that also where a column is
    /// less than a microsecond. All that began before the range is in one.
    Instant columnEnd(Instant from) const
    {
        if (from < m_begin) {
            return m_begin;
        }
        const double end = (std::floor(placeOf(from)) + 1) * m_length;
        return std::max(m_begin + Duration(std::llround(end)), from + Duration(1));
    }

private:
    Instant m_begin;
    Instant m_end;
    double m_length; // of a column, in microseconds
    double m_perMicrosecond;
};

/// The first that does not begin in the column of `it`. Looks at the nearest one after the other:
/// most columns are not crowded, and memory is read fastest in a row.
template<class Position>
Position nextColumn(Position it, Position end, const ColumnGrid& grid)
{
    constexpr std::ptrdiff_t kNear = 48;
    const Instant edge = grid.columnEnd(it->from);
    const auto isBefore = [edge](const auto& item) { return item.from < edge; };
    const Position near = it + std::min(kNear, end - it);
    Position next = std::find_if_not(it + 1, near, isBefore);
    if (next != near || near == end) {
        return next;
    }
    std::ptrdiff_t step = kNear;
    while (step < end - next && isBefore(*(next + step))) {
        next += step;
        step *= 2;
    }
    return std::partition_point(next, next + std::min(step + 1, end - next), isBefore);
}

/// Calls `emit(first, longest, count)` for each column in which something visible begins. The one
/// that lasts longest covers the others of its column, which are of the same kind.
template<class Emit>
void sweep(const TimelineTrack& track, const ColumnGrid& grid, Emit emit)
{
    auto it = std::ranges::partition_point(track, [&](const TimelineInterval& item) {
        return track[item.latest].to < grid.begin();
    });
    const auto end = std::partition_point(it, track.end(), [&](const TimelineInterval& item) {
        return item.from <= grid.end();
    });
    while (it != end) {
        const auto next = nextColumn(it, end, grid);
        const auto longest = track.begin() + std::prev(next)->latest;
        if (longest >= it) { // else an earlier one covers them
            emit(*it, *longest, static_cast<std::uint32_t>(next - it));
        }
        it = next;
    }
}

/// Columns of a pixel, or of two where there is more than one can see.
ColumnGrid fittingGrid(const TimelineTrack& track, const TimelineFrame& frame)
{
    const auto isBefore = [](const TimelineInterval& item, Instant at) { return item.from < at; };
    const auto first = std::lower_bound(track.begin(), track.end(), frame.range.from, isBefore);
    const auto last = std::lower_bound(first, track.end(), frame.range.to, isBefore);
    const bool isCrowded = static_cast<double>(last - first) > TimelineLayout::kCrowd * frame.width;
    return ColumnGrid(frame, isCrowded ? 2 : 1);
}

} // namespace

/// The pixels of a row that are shared by what is narrower than one.
struct TimelineLayout::Columns {
    struct Cell {
        TimelineStyle style = TimelineStyle::Waiting;
        std::uint32_t index = 0;
        std::uint32_t count = 0; // 0: free
    };

    explicit Columns(double width)
        : cells(static_cast<std::size_t>(std::max(std::ceil(width), 1.0)))
    {}

    /// To be called with the least important style first.
    void take(double x, TimelineStyle style, std::uint32_t index, std::uint32_t count)
    {
        const double last = static_cast<double>(cells.size()) - 1;
        const auto column = static_cast<std::size_t>(std::clamp(std::floor(x), 0.0, last));
        Cell& cell = cells[column];
        if (cell.count == 0) {
            taken.push_back(column);
        }
        const std::uint32_t before = cell.style == style ? cell.count : 0;
        cell = {style, index, before + count};
    }

    std::vector<Cell> cells;
    std::vector<std::size_t> taken;
};

/// The overlaps that begin in one pixel: some as they are, the further ones in one rectangle.
class TimelineLayout::OverlapColumn {
public:
    explicit OverlapColumn(TimelineLayout& layout) : m_layout(layout) {}
    OverlapColumn(const OverlapColumn&) = delete;
    OverlapColumn& operator=(const OverlapColumn&) = delete;
    ~OverlapColumn()
    {
        if (m_rest) {
            put(*m_rest);
        }
    }

    bool isFull() const { return m_shown == kOverlapsPerColumn; }

    void add(const TimelineOverlap& overlap)
    {
        const TimelineFrame& frame = m_layout.m_frame;
        const bool isSeen = (overlap.lowerRow + 1) * frame.laneHeight >= frame.top
                            && overlap.upperRow * frame.laneHeight <= frame.bottom;
        if (!isSeen) {
            return;
        }
        if (!isFull()) {
            ++m_shown;
            put(overlap);
        } else if (m_rest) {
            m_rest->include(overlap);
        } else {
            m_rest = overlap;
        }
    }

private:
    void put(const TimelineOverlap& overlap)
    {
        const double laneHeight = m_layout.m_frame.laneHeight;
        const double beyond = std::round(laneHeight * kOutlineShare);
        QRectF rect = m_layout.barRect(overlap.from, overlap.to, m_layout.rowAt(overlap.upperRow));
        if (const double missing = kOverlapWidthMin - rect.width(); missing > 0) {
            rect.adjust(-missing / 2, 0, missing / 2, 0);
        }
        rect.setTop(rect.top() - beyond);
        rect.setBottom(barTop(overlap.lowerRow, laneHeight) + barHeight(laneHeight) + beyond);
        m_layout.boxesOf(TimelineStyle::Overlap)
            .push_back({rect, overlap.index, overlap.count, overlap.upperRow});
    }

    TimelineLayout& m_layout;
    std::size_t m_shown = 0;
    std::optional<TimelineOverlap> m_rest;
};

void TimelineLayout::layOut(const TimelineIndex& index, const TimelineFrame& frame)
{
    m_frame = frame;
    m_marks.clear();
    for (std::vector<TimelineBox>& boxes : m_boxes) {
        boxes.clear();
    }
    const bool isUsable = !frame.range.isEmpty() && std::isfinite(frame.width) && frame.width > 0
                          && std::isfinite(frame.laneHeight) && frame.laneHeight > 0;
    if (!isUsable) {
        return;
    }
    m_pixelsPerMicrosecond = frame.width / static_cast<double>(frame.range.length().count());
    const double rowCount = index.rowCount();
    const double first = std::clamp(std::floor(frame.top / frame.laneHeight), 0.0, rowCount);
    const double last = std::clamp(std::ceil(frame.bottom / frame.laneHeight), first, rowCount);
    Columns columns(frame.width);
    const int end = static_cast<int>(last);
    for (int row = static_cast<int>(first); row < end;) {
        const int next = std::min(nextLine(row, frame.laneHeight), end);
        const Row shown = rowAt(fullestRow(index, row, next));
        layOutSpans(index, shown, columns);
        layOutContended(index, shown);
        layOutMarks(index, shown);
        row = next;
    }
    layOutOverlaps(index);
}

const std::vector<TimelineBox>& TimelineLayout::boxes(TimelineStyle style) const
{
    return m_boxes[asSize(style)];
}

std::vector<TimelineBox>& TimelineLayout::boxesOf(TimelineStyle style)
{
    return m_boxes[asSize(style)];
}

TimelineLayout::Row TimelineLayout::rowAt(int number) const
{
    return {number, barTop(number, m_frame.laneHeight), barHeight(m_frame.laneHeight)};
}

QRectF TimelineLayout::barRect(Instant from, Instant to, const Row& row) const
{
    const auto placeOf = [this](Instant at) {
        return static_cast<double>((at - m_frame.range.from).count()) * m_pixelsPerMicrosecond;
    };
    const double left = std::max(placeOf(from), -kEdge);
    const double right = std::min(placeOf(to), m_frame.width + kEdge);
    return {left, row.top, right - left, row.height};
}

void TimelineLayout::layOutSpans(const TimelineIndex& index, const Row& row, Columns& columns)
{
    for (const TimelineStyle style :
         {TimelineStyle::Truth, TimelineStyle::Unknown, TimelineStyle::Waiting, TimelineStyle::Down,
          TimelineStyle::Paused, TimelineStyle::Holding}) { // the most important last
        const TimelineTrack* const track = index.trackOf(row.number, style);
        if (track == nullptr) {
            continue;
        }
        const ColumnGrid grid = fittingGrid(*track, m_frame);
        sweep(*track, grid, [&](const auto& first, const auto& longest, std::uint32_t count) {
            QRectF rect = barRect(longest.from, longest.to, row);
            const bool isWide = rect.width() >= 1;
            if (!isWide && first.from != longest.from) { // together they may reach beyond a pixel
                rect.setLeft(barRect(first.from, longest.to, row).left());
            }
            if (rect.width() < 1) {
                columns.take(rect.left(), style, longest.index, count);
            } else {
                boxesOf(style).push_back({rect, longest.index, isWide ? 1 : count, row.number});
            }
        });
    }
    for (const std::size_t column : std::exchange(columns.taken, {})) {
        const Columns::Cell cell = std::exchange(columns.cells[column], {});
        const QRectF rect(static_cast<double>(column), row.top, 1, row.height);
        boxesOf(cell.style).push_back({rect, cell.index, cell.count, row.number});
    }
}

void TimelineLayout::layOutContended(const TimelineIndex& index, const Row& row)
{
    const TimelineTrack* const track = index.trackOf(row.number, TimelineStyle::Contended);
    if (track == nullptr) {
        return;
    }
    const double height = contendedHeight(m_frame.laneHeight);
    sweep(*track, ColumnGrid(m_frame, kLineDistance),
          [&](const auto& first, const auto& longest, std::uint32_t count) {
              QRectF rect = barRect(longest.from, longest.to, row);
              rect.setLeft(barRect(first.from, longest.to, row).left());
              rect.setWidth(std::max(rect.width(), 1.0));
              rect.setTop(rect.bottom() - height);
              std::vector<TimelineBox>& lines = boxesOf(TimelineStyle::Contended);
              if (!lines.empty() && lines.back().row == row.number
                  && rect.left() <= lines.back().rect.right()) {
                  lines.back().rect |= rect;
                  lines.back().count += count;
              } else {
                  lines.push_back({rect, longest.index, count, row.number});
              }
          });
}

void TimelineLayout::layOutMarks(const TimelineIndex& index, const Row& row)
{
    const ColumnGrid columns(m_frame, kLineDistance);
    const ColumnGrid pixels(m_frame);
    for (std::size_t i = 0; i < kMarkKindCount; ++i) {
        const auto kind = static_cast<Mark::Kind>(i);
        const TimelineTrack* const track = index.marksOf(row.number, kind);
        if (track == nullptr) {
            continue;
        }
        sweep(*track, columns, [&](const auto&, const auto& item, std::uint32_t count) {
            const double x = pixels.placeOf(item.from);
            m_marks.push_back({x, row.top, kind, item.index, count, row.number});
        });
    }
}

void TimelineLayout::layOutOverlaps(const TimelineIndex& index)
{
    constexpr std::size_t kBlock = TimelineIndex::kBlockSize;
    const std::vector<TimelineOverlap>& all = index.overlaps();
    const std::vector<TimelineOverlap>& blocks = index.overlapBlocks();
    const auto countBefore = [&](auto isBefore) {
        const auto bound = std::ranges::partition_point(all, isBefore);
        return static_cast<std::size_t>(bound - all.begin());
    };
    const VisibleRange range = m_frame.range;
    const std::size_t inside = countBefore([&](const auto& o) { return o.from < range.from; });
    const std::size_t end = countBefore([&](const auto& o) { return o.from <= range.to; });
    {
        OverlapColumn edge(*this);
        for (std::size_t i = 0; i < inside; ++i) {
            if (i % kBlock == 0 && blocks[i / kBlock].to < range.from) {
                i += kBlock - 1;
            } else if (all[i].to >= range.from) {
                edge.add(all[i]);
            }
        }
    }
    for (std::size_t i = inside; i < end;) {
        const auto it = all.begin() + static_cast<std::ptrdiff_t>(i);
        const auto stop = all.begin() + static_cast<std::ptrdiff_t>(end);
        const auto next = static_cast<std::size_t>(nextColumn(it, stop, ColumnGrid(m_frame))
                                                   - all.begin());
        OverlapColumn column(*this);
        while (i < next) {
            const bool isBlock = i % kBlock == 0 && i + kBlock <= next && column.isFull();
            column.add(isBlock ? blocks[i / kBlock] : all[i]);
            i += isBlock ? kBlock : 1;
        }
    }
}

std::optional<TimelineHit> TimelineLayout::hitOverlap(QPointF point, bool isOutlineOnly) const
{
    const std::vector<TimelineBox>& overlaps = boxes(TimelineStyle::Overlap);
    for (auto box = overlaps.rbegin(); box != overlaps.rend(); ++box) {
        const QRectF outer = box->rect.adjusted(-kReach, -kReach, kReach, kReach);
        const QRectF inner = box->rect.adjusted(kReach, kReach, -kReach, -kReach);
        const bool isInside = inner.isValid() && inner.contains(point);
        if (outer.contains(point) && !(isOutlineOnly && isInside)) {
            return TimelineHit{TimelineHit::Kind::Overlap, box->index, box->count};
        }
    }
    return std::nullopt;
}

std::optional<TimelineHit> TimelineLayout::hitTest(QPointF point) const
{
    if (const auto hit = hitOverlap(point, true)) {
        return hit;
    }
    const double reachUp = m_frame.laneHeight * (1 - kBarShare) / 2;
    for (const TimelineMark& mark : m_marks) {
        const double above = mark.y - point.y();
        if (std::abs(mark.x - point.x()) <= kReach && above > 0 && above <= reachUp) {
            return TimelineHit{TimelineHit::Kind::Mark, mark.index, mark.count};
        }
    }
    for (const TimelineStyle style :
         {TimelineStyle::Paused, TimelineStyle::Holding, TimelineStyle::Down,
          TimelineStyle::Waiting, TimelineStyle::Unknown, TimelineStyle::Truth}) {
        const std::vector<TimelineBox>& bars = boxes(style);
        const auto bar = std::find_if(bars.rbegin(), bars.rend(), [point](const TimelineBox& box) {
            return box.rect.contains(point);
        });
        if (bar != bars.rend()) {
            const bool isTruth = style == TimelineStyle::Truth;
            return TimelineHit{isTruth ? TimelineHit::Kind::Tenure : TimelineHit::Kind::Span,
                               bar->index, bar->count};
        }
    }
    return hitOverlap(point, false);
}

} // namespace lockscope::models
