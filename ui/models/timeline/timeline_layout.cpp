#include "ui/models/timeline/timeline_layout.h"

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
    Duration columnLength() const { return Duration(static_cast<std::int64_t>(m_length)); }
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
        const auto column = static_cast<std::int64_t>(placeOf(from));
        const double end = static_cast<double>(column + 1) * m_length;
        const auto rounded = std::llround(end);
        return std::max(m_begin + Duration(rounded), from + Duration(1));
    }

private:
    Instant m_begin;
    Instant m_end;
    double m_length; // of a column, in microseconds
    double m_perMicrosecond;
};

/// Calls `emit(bunch)` for each column of what is added in its order. The one that lasts longest
/// covers the others of its column, which are of the same kind.
template<class Emit>
class ColumnSweep {
public:
    ColumnSweep(const ColumnGrid& grid, Emit emit) : m_grid(grid), m_emit(emit) {}

    void add(const TimelineBunch& bunch)
    {
        if (bunch.count == 0) {
            return;
        }
        if (bunch.first >= m_edge) {
            finish();
            m_column = {};
            m_edge = m_grid.columnEnd(bunch.first);
        }
        m_column.add(bunch);
    }

    /// The last column.
    void finish()
    {
        if (m_column.count > 0 && m_column.to > m_covered) { // else an earlier one covers them
            m_covered = m_column.to;
            m_emit(m_column);
        }
    }

private:
    const ColumnGrid& m_grid;
    Emit m_emit;
    TimelineBunch m_column;
    Instant m_edge = Instant::min();
    Instant m_covered = Instant::min();
};

/// All of a track that is seen: page by page where it is crowded, else one by one.
template<class Emit>
void sweep(const TimelineTrack& track, const ColumnGrid& grid, Emit emit)
{
    ColumnSweep<Emit> columns(grid, emit);
    const auto pages = track.pagesWithin({grid.begin(), grid.end()}, grid.columnLength() / 2);
    const auto full = std::ranges::find_if(pages, [](const auto& page) { return page.count > 0; });
    const Instant since = full == pages.end() ? grid.begin() : std::min(full->first, grid.begin());
    columns.add(track.reachingInto(since));
    std::ranges::for_each(pages, [&](const TimelineBunch& page) { columns.add(page); });
    if (pages.empty()) {
        const auto isSeen = [&](const auto& item) { return item.from <= grid.end(); };
        for (auto item = track.firstSince(since); item != track.end() && isSeen(*item); ++item) {
            columns.add({item->from, item->from, item->to, item->index, 1});
        }
    }
    columns.finish();
}

/// Columns of a pixel, or of two where there is more than one can see.
ColumnGrid fittingGrid(const TimelineTrack& track, const TimelineFrame& frame)
{
    const auto count = track.firstSince(frame.range.to) - track.firstSince(frame.range.from);
    const bool isCrowded = static_cast<double>(count) > TimelineLayout::kCrowd * frame.width;
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
    void addBar(double x, TimelineStyle style, std::uint32_t index, std::uint32_t count)
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
    m_truthRowCount = index.truthRowCount();
    m_marks.clear();
    m_notes.clear();
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
         {TimelineStyle::Unknown, TimelineStyle::Truth, TimelineStyle::Waiting, TimelineStyle::Down,
          TimelineStyle::Paused, TimelineStyle::Holding}) { // the most important last
        const TimelineTrack* const track = index.trackOf(row.number, style);
        if (track == nullptr) {
            continue;
        }
        const ColumnGrid grid = fittingGrid(*track, m_frame);
        sweep(*track, grid, [&](const TimelineBunch& bunch) {
            QRectF rect = barRect(bunch.from, bunch.to, row);
            const bool isWide = rect.width() >= 1;
            if (!isWide && bunch.first != bunch.from) { // together they may reach beyond a pixel
                rect.setLeft(barRect(bunch.first, bunch.to, row).left());
            }
            if (rect.width() < 1) {
                columns.addBar(rect.left(), style, bunch.index, bunch.count);
            } else {
                const std::uint32_t count = isWide ? 1 : bunch.count;
                boxesOf(style).push_back({rect, bunch.index, count, row.number});
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
    sweep(*track, ColumnGrid(m_frame, kLineDistance), [&](const TimelineBunch& bunch) {
        QRectF rect = barRect(bunch.first, bunch.to, row);
        rect.setWidth(std::max(rect.width(), 1.0));
        rect.setTop(rect.bottom() - height);
        std::vector<TimelineBox>& lines = boxesOf(TimelineStyle::Contended);
        if (!lines.empty() && lines.back().row == row.number
            && rect.left() <= lines.back().rect.right()) {
            lines.back().rect |= rect;
            lines.back().count += bunch.count;
        } else {
            lines.push_back({rect, bunch.index, bunch.count, row.number});
        }
    });
}

void TimelineLayout::layOutMarks(const TimelineIndex& index, const Row& row)
{
    for (std::size_t i = 0; i < kMarkKindCount; ++i) {
        const auto kind = static_cast<Mark::Kind>(i);
        layOutMarks(index.marksOf(row.number, kind), kind, row);
    }
    if (index.rows()[static_cast<std::size_t>(row.number)].isOutput) {
        layOutNotes(index, row);
    } else {
        layOutMarks(index.notesOf(row.number), std::nullopt, row);
    }
}

void TimelineLayout::layOutNotes(const TimelineIndex& index, const Row& row)
{
    const ColumnGrid pixels(m_frame);
    sweep(*index.notesOf(row.number), ColumnGrid(m_frame, kLineDistance),
          [&](const TimelineBunch& bunch) {
              const double x = std::max(pixels.placeOf(bunch.from), 0.0);
              if (!m_notes.empty() && m_notes.back().row == row.number) {
                  m_notes.back().rect.setRight(x);
              }
              const QRectF rect(x, row.top, m_frame.width - x, row.height);
              m_notes.push_back({rect, bunch.index, bunch.count, row.number});
          });
}

void TimelineLayout::layOutMarks(const TimelineTrack* track, std::optional<Mark::Kind> kind,
                                 const Row& row)
{
    if (track == nullptr) {
        return;
    }
    const ColumnGrid pixels(m_frame);
    sweep(*track, ColumnGrid(m_frame, kLineDistance), [&](const TimelineBunch& bunch) {
        const double x = pixels.placeOf(bunch.from);
        m_marks.push_back({x, row.top, kind, bunch.index, bunch.count, row.number});
    });
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
    const ColumnGrid grid(m_frame);
    for (std::size_t i = inside; i < end;) {
        const Instant columnEnd = grid.columnEnd(all[i].from);
        const std::size_t next =
            std::min(countBefore([&](const auto& o) { return o.from < columnEnd; }), end);
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
    const auto mark = std::find_if(m_marks.rbegin(), m_marks.rend(), [&](const TimelineMark& one) {
        const double above = one.y - point.y(); // the last lies on top
        return std::abs(one.x - point.x()) <= kReach && above > 0 && above <= reachUp;
    });
    if (mark != m_marks.rend()) {
        return TimelineHit{mark->kind ? TimelineHit::Kind::Mark : TimelineHit::Kind::Note,
                           mark->index, mark->count};
    }
    const auto note = std::ranges::find_if(m_notes, [point](const TimelineBox& box) {
        return box.rect.contains(point);
    });
    if (note != m_notes.end()) {
        return TimelineHit{TimelineHit::Kind::Note, note->index, note->count};
    }
    for (const TimelineStyle style :
         {TimelineStyle::Paused, TimelineStyle::Holding, TimelineStyle::Down,
          TimelineStyle::Waiting, TimelineStyle::Truth, TimelineStyle::Unknown}) {
        const std::vector<TimelineBox>& bars = boxes(style);
        const auto bar = std::find_if(bars.rbegin(), bars.rend(), [point](const TimelineBox& box) {
            return box.rect.contains(point);
        });
        if (bar != bars.rend()) {
            const bool isTruth = bar->row < m_truthRowCount;
            return TimelineHit{isTruth ? TimelineHit::Kind::ServerHold : TimelineHit::Kind::Span,
                               bar->index, bar->count};
        }
    }
    return hitOverlap(point, false);
}

} // namespace lockscope::models
