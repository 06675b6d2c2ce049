#include "timeline_layout.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

namespace lockscope::models {

using trace::ContenderId;
using trace::LockId;
using trace::Mark;
using trace::Span;

namespace {

constexpr double kBarShare = 0.46;    // of the height of a row
constexpr double kOutlineShare = 0.1; // how far an overlap reaches beyond the bars
constexpr double kEdge = 8;           // what is cut off ends this far outside
constexpr std::uint32_t kNoLock = UINT32_MAX;

std::size_t asSize(TimelineStyle style)
{
    return static_cast<std::size_t>(style);
}

std::size_t asSize(Mark::Kind kind)
{
    return static_cast<std::size_t>(kind);
}

void append(TimelineTrack& track, Instant from, Instant to, std::size_t index)
{
    auto latest = static_cast<std::uint32_t>(track.size());
    if (!track.empty() && track[track.back().latest].to >= to) {
        latest = track.back().latest;
    }
    track.push_back({from, std::max(from, to), static_cast<std::uint32_t>(index), latest});
}

TimelineStyle styleOf(Span::Kind kind)
{
    switch (kind) {
    case Span::Kind::Waiting: return TimelineStyle::Waiting;
    case Span::Kind::Holding: return TimelineStyle::Holding;
    case Span::Kind::Paused: return TimelineStyle::Paused;
    case Span::Kind::Down: return TimelineStyle::Down;
    }
    return TimelineStyle::Waiting;
}

/// `all` grows so that it spans `more` too.
void include(TimelineOverlap& all, const TimelineOverlap& more)
{
    all.from = std::min(all.from, more.from);
    all.to = std::max(all.to, more.to);
    all.upperRow = std::min(all.upperRow, more.upperRow);
    all.lowerRow = std::max(all.lowerRow, more.lowerRow);
    all.count += more.count;
}

} // namespace

/// Goes through a chronicle once and then makes the rows, in their order.
class TimelineIndex::Sorter {
public:
    Sorter(TimelineIndex& index, Grouping grouping, const TimelineNames& names)
        : m_index(index),
          m_isByLock(grouping == Grouping::ByLock),
          m_names(names)
    {}

    void sort()
    {
        const trace::Chronicle& chronicle = *m_index.m_chronicle;
        takeSpans(chronicle.spans);
        takeMarks(chronicle.marks);
        for (const trace::Overlap& overlap : chronicle.overlaps) {
            affairOf(overlap.first, overlap.lock);
            affairOf(overlap.second, overlap.lock);
        }
        makeTruth(chronicle.tenures);
        makeRows();
        takeOverlaps(chronicle.overlaps);
    }

private:
    struct Affair {
        ContenderId contender = 0;
        std::uint32_t lock = kNoLock;
        Tracks tracks;
        int row = 0;
    };

    /// A contender with a lock; it is there from now on.
    Affair& affairOf(ContenderId contender, std::uint32_t lock)
    {
        const std::uint64_t key = (std::uint64_t(contender) << 32U) | lock;
        const auto [it, isNew] = m_affairNumbers.try_emplace(key, m_affairs.size());
        if (isNew) {
            m_affairs.push_back({contender, lock, {}, 0});
        }
        return m_affairs[it->second];
    }

    TimelineTrack& track(int& number)
    {
        if (number < 0) {
            number = static_cast<int>(m_index.m_tracks.size());
            m_index.m_tracks.emplace_back();
        }
        return m_index.m_tracks[static_cast<std::size_t>(number)];
    }

    void takeSpans(const std::vector<Span>& spans)
    {
        for (std::size_t i = 0; i < spans.size(); ++i) {
            const Span& span = spans[i];
            const bool isOfLock = span.kind == Span::Kind::Waiting
                                  || span.kind == Span::Kind::Holding;
            Tracks& tracks = isOfLock ? affairOf(span.contender, span.lock).tracks
                                      : m_bodies[span.contender];
            append(track(tracks.styles[asSize(styleOf(span.kind))]), span.from, span.to, i);
        }
    }

    void takeMarks(const std::vector<Mark>& marks)
    {
        for (std::size_t i = 0; i < marks.size(); ++i) {
            const Mark& mark = marks[i];
            Tracks& tracks = affairOf(mark.contender, mark.lock).tracks;
            append(track(tracks.marks[asSize(mark.kind)]), mark.at, mark.at, i);
        }
    }

    void makeTruth(const std::vector<trace::Tenure>& tenures)
    {
        std::map<LockId, Tracks> locks;
        for (std::size_t i = 0; i < tenures.size(); ++i) {
            int& number = locks[tenures[i].lock].styles[asSize(TimelineStyle::Truth)];
            append(track(number), tenures[i].from, tenures[i].to, i);
        }
        for (const auto& [lock, tracks] : locks) {
            m_index.m_lanes.push_back({m_names.lock(lock), true, m_index.rowCount(), 1});
            addRow({{}, lastLane(), std::nullopt, lock}, tracks);
        }
    }

    /// Who stood still without ever having asked for a lock has a lane, if lanes are contenders.
    void makeRows()
    {
        std::set<ContenderId> present;
        std::set<std::uint32_t> locks;
        for (const Affair& affair : m_affairs) {
            present.insert(affair.contender);
            locks.insert(affair.lock);
        }
        for (const auto& [contender, tracks] : m_bodies) {
            if (!m_isByLock && !present.contains(contender)) {
                affairOf(contender, kNoLock);
            }
        }
        std::vector<Affair*> order;
        for (Affair& affair : m_affairs) {
            order.push_back(&affair);
        }
        std::ranges::sort(order, {}, [this](const Affair* affair) { return placeOf(*affair); });
        std::uint64_t lane = UINT64_MAX;
        for (Affair* affair : order) {
            const std::uint64_t group = placeOf(*affair).first;
            if (std::exchange(lane, group) != group) {
                m_index.m_lanes.push_back({laneTitle(*affair), false, m_index.rowCount(), 0});
            }
            makeRow(*affair, locks.size() > 1);
        }
    }

    std::pair<std::uint64_t, std::uint64_t> placeOf(const Affair& affair) const
    {
        return m_isByLock ? std::pair<std::uint64_t, std::uint64_t>(affair.lock, affair.contender)
                          : std::pair<std::uint64_t, std::uint64_t>(affair.contender, affair.lock);
    }

    QString laneTitle(const Affair& affair) const
    {
        return m_isByLock ? m_names.lock(static_cast<LockId>(affair.lock))
                          : m_names.contender(affair.contender);
    }

    void makeRow(Affair& affair, bool hasManyLocks)
    {
        affair.row = m_index.rowCount();
        ++m_index.m_lanes.back().rowCount;
        TimelineRow row{{}, lastLane(), affair.contender, std::nullopt};
        if (affair.lock != kNoLock) {
            row.lock = static_cast<LockId>(affair.lock);
        }
        if (m_isByLock) {
            row.title = m_names.contender(affair.contender);
        } else if (hasManyLocks && row.lock) {
            row.title = m_names.lock(*row.lock);
        }
        Tracks tracks = affair.tracks;
        if (const auto body = m_bodies.find(affair.contender); body != m_bodies.end()) {
            for (const TimelineStyle style : {TimelineStyle::Paused, TimelineStyle::Down}) {
                tracks.styles[asSize(style)] = body->second.styles[asSize(style)];
            }
        }
        addRow(std::move(row), tracks);
    }

    void takeOverlaps(const std::vector<trace::Overlap>& overlaps)
    {
        for (std::size_t i = 0; i < overlaps.size(); ++i) {
            const trace::Overlap& overlap = overlaps[i];
            const auto [upper, lower] = std::minmax({affairOf(overlap.first, overlap.lock).row,
                                                     affairOf(overlap.second, overlap.lock).row});
            m_index.m_overlaps.push_back({overlap.from, std::max(overlap.from, overlap.to),
                                          static_cast<std::uint32_t>(i), upper, lower, 1});
            if (i % kBlockSize == 0) {
                m_index.m_overlapBlocks.push_back(m_index.m_overlaps.back());
            } else {
                include(m_index.m_overlapBlocks.back(), m_index.m_overlaps.back());
            }
        }
    }

    int lastLane() const { return static_cast<int>(m_index.m_lanes.size()) - 1; }

    void addRow(TimelineRow row, const Tracks& tracks)
    {
        m_index.m_rows.push_back(std::move(row));
        m_index.m_rowTracks.push_back(tracks);
    }

    TimelineIndex& m_index;
    bool m_isByLock;
    const TimelineNames& m_names;
    std::vector<Affair> m_affairs;
    std::unordered_map<std::uint64_t, std::size_t> m_affairNumbers;
    std::map<ContenderId, Tracks> m_bodies; // pauses and crashes: of all that a contender does
};

TimelineIndex::TimelineIndex(std::shared_ptr<const trace::Chronicle> chronicle, Grouping grouping,
                             const TimelineNames& names)
    : m_chronicle(std::move(chronicle))
{
    Sorter(*this, grouping, names).sort();
    measure();
}

void TimelineIndex::measure()
{
    constexpr Duration kSomething = std::chrono::milliseconds(1);
    m_full = {Instant{}, m_chronicle->end};
    const auto see = [this](const TimelineTrack& track) {
        m_full.from = std::min(m_full.from, track.front().from);
        m_full.to = std::max(m_full.to, track[track.back().latest].to);
    };
    for (const TimelineTrack& track : m_tracks) {
        see(track); // no track is empty: it is made for what is put into it
    }
    m_full.to = std::max(m_full.to, m_full.from + kSomething);
}

const TimelineTrack* TimelineIndex::trackAt(int number) const
{
    return number < 0 ? nullptr : &m_tracks[static_cast<std::size_t>(number)];
}

const TimelineTrack* TimelineIndex::trackOf(int row, TimelineStyle style) const
{
    return trackAt(m_rowTracks[static_cast<std::size_t>(row)].styles[asSize(style)]);
}

const TimelineTrack* TimelineIndex::marksOf(int row, Mark::Kind kind) const
{
    return trackAt(m_rowTracks[static_cast<std::size_t>(row)].marks[asSize(kind)]);
}

double barTop(int row, double laneHeight)
{
    return std::round(row * laneHeight + (laneHeight - barHeight(laneHeight)) / 2);
}

double barHeight(double laneHeight)
{
    return std::max(std::round(laneHeight * kBarShare), 1.0);
}

namespace {

/// The end of the pixel in which something begins, and later than that also where a pixel is less
/// than a microsecond. All that began before the range is in one.
Instant columnEnd(Instant from, const TimelineFrame& frame)
{
    if (from < frame.range.from) {
        return frame.range.from;
    }
    const double column = std::floor(xOf(from, frame.range, frame.width));
    return std::max(instantAt(column + 1, frame.range, frame.width), from + Duration(1));
}

/// The first that does not begin in the column of `it`. Looks near first, as most columns are not
/// crowded.
template<class Position>
Position nextColumn(Position it, Position end, const TimelineFrame& frame)
{
    const Instant edge = columnEnd(it->from, frame);
    const auto isBefore = [edge](const auto& item) { return item.from < edge; };
    Position next = it + 1;
    std::ptrdiff_t step = 1;
    while (step < end - next && isBefore(*(next + step))) {
        next += step;
        step *= 2;
    }
    return std::partition_point(next, next + std::min(step + 1, end - next), isBefore);
}

/// Calls `emit(first, longest, count)` for each column in which something visible begins. The one
/// that lasts longest covers the others of its column, which are of the same kind.
template<class Emit>
void sweep(const TimelineTrack& track, const TimelineFrame& frame, Emit emit)
{
    const VisibleRange range = frame.range;
    auto it = std::ranges::partition_point(track, [&](const TimelineInterval& item) {
        return track[item.latest].to < range.from;
    });
    const auto end = std::partition_point(it, track.end(), [&](const TimelineInterval& item) {
        return item.from <= range.to;
    });
    while (it != end) {
        const auto next = nextColumn(it, end, frame);
        const auto longest = track.begin() + std::prev(next)->latest;
        if (longest >= it) { // else an earlier one covers them
            emit(*it, *longest, static_cast<std::uint32_t>(next - it));
        }
        it = next;
    }
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
            include(*m_rest, overlap);
        } else {
            m_rest = overlap;
        }
    }

private:
    void put(const TimelineOverlap& overlap)
    {
        const double laneHeight = m_layout.m_frame.laneHeight;
        const double beyond = std::round(laneHeight * kOutlineShare);
        QRectF rect = m_layout.barRect(overlap.from, overlap.to, overlap.upperRow);
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

TimelineLayout::TimelineLayout(const TimelineIndex& index, const TimelineFrame& frame)
    : m_frame(frame)
{
    const bool isUsable = !frame.range.isEmpty() && std::isfinite(frame.width) && frame.width > 0
                          && std::isfinite(frame.laneHeight) && frame.laneHeight > 0;
    if (!isUsable) {
        return;
    }
    const double rowCount = index.rowCount();
    const double first = std::clamp(std::floor(frame.top / frame.laneHeight), 0.0, rowCount);
    const double last = std::clamp(std::ceil(frame.bottom / frame.laneHeight), first, rowCount);
    Columns columns(frame.width);
    for (int row = static_cast<int>(first); row < static_cast<int>(last); ++row) {
        layOutSpans(index, row, columns);
        layOutMarks(index, row);
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

QRectF TimelineLayout::barRect(Instant from, Instant to, int row) const
{
    const double left = std::max(xOf(from, m_frame.range, m_frame.width), -kEdge);
    const double right = std::min(xOf(to, m_frame.range, m_frame.width), m_frame.width + kEdge);
    return {left, barTop(row, m_frame.laneHeight), right - left, barHeight(m_frame.laneHeight)};
}

void TimelineLayout::layOutSpans(const TimelineIndex& index, int row, Columns& columns)
{
    for (const TimelineStyle style :
         {TimelineStyle::Truth, TimelineStyle::Waiting, TimelineStyle::Down, TimelineStyle::Paused,
          TimelineStyle::Holding}) { // the most important last
        const TimelineTrack* const track = index.trackOf(row, style);
        if (track == nullptr) {
            continue;
        }
        sweep(*track, m_frame, [&](const auto& first, const auto& longest, std::uint32_t count) {
            QRectF rect = barRect(longest.from, longest.to, row);
            const bool isWide = rect.width() >= 1;
            if (!isWide) { // together they may still reach beyond their pixel
                rect.setLeft(barRect(first.from, longest.to, row).left());
            }
            if (rect.width() < 1) {
                columns.take(rect.left(), style, longest.index, count);
            } else {
                boxesOf(style).push_back({rect, longest.index, isWide ? 1 : count, row});
            }
        });
    }
    const double top = barTop(row, m_frame.laneHeight);
    for (const std::size_t column : std::exchange(columns.taken, {})) {
        const Columns::Cell cell = std::exchange(columns.cells[column], {});
        const QRectF rect(static_cast<double>(column), top, 1, barHeight(m_frame.laneHeight));
        boxesOf(cell.style).push_back({rect, cell.index, cell.count, row});
    }
}

void TimelineLayout::layOutMarks(const TimelineIndex& index, int row)
{
    const double top = barTop(row, m_frame.laneHeight);
    for (std::size_t i = 0; i < kMarkKindCount; ++i) {
        const auto kind = static_cast<Mark::Kind>(i);
        const TimelineTrack* const track = index.marksOf(row, kind);
        if (track == nullptr) {
            continue;
        }
        sweep(*track, m_frame, [&](const auto&, const auto& item, std::uint32_t count) {
            const double x = xOf(item.from, m_frame.range, m_frame.width);
            m_marks.push_back({x, top, kind, item.index, count, row});
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
        const auto next = static_cast<std::size_t>(nextColumn(it, stop, m_frame) - all.begin());
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
          TimelineStyle::Waiting, TimelineStyle::Truth}) {
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
