#include "ui/models/timeline/timeline_index.h"

#include "ui/models/ui_text.h"

#include <algorithm>
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

constexpr std::uint32_t kNoLock = UINT32_MAX;
/// More holders at once than this are rare, and the beliefs below are to stay in sight.
constexpr std::size_t kTruthRowsMax = 8;

std::size_t asSize(Mark::Kind kind)
{
    return static_cast<std::size_t>(kind);
}

void append(TimelineTrack& track, Instant from, Instant to, std::size_t index)
{
    track.append(from, to, static_cast<std::uint32_t>(index));
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

} // namespace

QString TimelineNames::holder(const std::optional<ContenderId>& id) const
{
    return id ? contender(*id) : UiText::tr("unknown");
}

void TimelineOverlap::include(const TimelineOverlap& more)
{
    from = std::min(from, more.from);
    to = std::max(to, more.to);
    upperRow = std::min(upperRow, more.upperRow);
    lowerRow = std::max(lowerRow, more.lowerRow);
    count += more.count;
}

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
        endUnknown(chronicle.end);
        findContended(chronicle.spans);
        takeMarks(chronicle.marks);
        takeNotes(chronicle.notes);
        for (const trace::Overlap& overlap : chronicle.overlaps) {
            useOf(overlap.first, overlap.lock);
            useOf(overlap.second, overlap.lock);
        }
        makeTruth(chronicle.serverHolds);
        makeRows();
        takeOverlaps(chronicle.overlaps);
    }

private:
    struct LockUse {
        ContenderId contender = 0;
        std::uint32_t lock = kNoLock;
        Tracks tracks;
        int row = 0;
        std::optional<std::size_t> uncertain; // the latest span, when it ended so
    };
    struct Stretch {
        Instant from{};
        Instant to{};
    };
    struct TruthRow {
        Tracks tracks;
        Instant until = Instant::min(); // the lock is held until then
    };

    /// A contender with a lock; it is there from now on.
    LockUse& useOf(ContenderId contender, std::uint32_t lock)
    {
        const std::uint64_t key = (std::uint64_t(contender) << 32U) | lock;
        const auto [it, isNew] = m_useNumbers.try_emplace(key, m_uses.size());
        if (isNew) {
            m_uses.push_back({contender, lock, {}, 0, std::nullopt});
        }
        return m_uses[it->second];
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
            if (span.kind != Span::Kind::Waiting && span.kind != Span::Kind::Holding) {
                Tracks& body = m_bodies[span.contender];
                append(track(body.styles[asSize(styleOf(span.kind))]), span.from, span.to, i);
                continue;
            }
            LockUse& use = useOf(span.contender, span.lock);
            append(track(use.tracks.styles[asSize(styleOf(span.kind))]), span.from, span.to, i);
            endUnknown(use, span.from);
            if (span.end == trace::SpanEnd::Uncertain) {
                use.uncertain = i;
            }
        }
    }

    /// An unknown stretch ends with the next that is known.
    void endUnknown(LockUse& use, Instant at)
    {
        if (const auto span = std::exchange(use.uncertain, std::nullopt)) {
            const Instant since = m_index.m_chronicle->spans[*span].to;
            if (at > since) {
                append(track(use.tracks.styles[asSize(TimelineStyle::Unknown)]), since, at, *span);
            }
        }
    }

    void endUnknown(Instant end)
    {
        for (LockUse& use : m_uses) {
            endUnknown(use, end);
        }
    }

    /// When each lock has waiters. Who waits holds nothing, so for a holder it is others.
    static std::map<LockId, std::vector<Stretch>> demandOf(const std::vector<Span>& spans)
    {
        std::map<LockId, std::vector<Stretch>> demand;
        for (const Span& span : spans) {
            if (span.kind != Span::Kind::Waiting) {
                continue;
            }
            std::vector<Stretch>& stretches = demand[span.lock];
            if (!stretches.empty() && span.from <= stretches.back().to) {
                stretches.back().to = std::max(stretches.back().to, span.to);
            } else {
                stretches.push_back({span.from, span.to});
            }
        }
        return demand;
    }

    void findContended(const std::vector<Span>& spans)
    {
        const auto demand = demandOf(spans);
        for (LockUse& use : m_uses) {
            const int holds = use.tracks.styles[asSize(TimelineStyle::Holding)];
            const auto wanted = demand.find(static_cast<LockId>(use.lock));
            if (holds < 0 || wanted == demand.end()) {
                continue;
            }
            TimelineTrack contended;
            for (const TimelineInterval& hold : m_index.m_tracks[static_cast<std::size_t>(holds)]) {
                cut(hold, wanted->second, contended);
            }
            if (!contended.empty()) {
                track(use.tracks.styles[asSize(TimelineStyle::Contended)]) = std::move(contended);
            }
        }
    }

    /// Appends what of a hold lies within the stretches.
    static void cut(const TimelineInterval& hold, const std::vector<Stretch>& stretches,
                    TimelineTrack& into)
    {
        auto stretch = std::ranges::partition_point(stretches, [&hold](const Stretch& candidate) {
            return candidate.to <= hold.from;
        });
        for (; stretch != stretches.end() && stretch->from < hold.to; ++stretch) {
            append(into, std::max(stretch->from, hold.from), std::min(stretch->to, hold.to),
                   hold.index);
        }
    }

    void takeMarks(const std::vector<Mark>& marks)
    {
        for (std::size_t i = 0; i < marks.size(); ++i) {
            const Mark& mark = marks[i];
            Tracks& tracks = useOf(mark.contender, mark.lock).tracks;
            append(track(tracks.marks[asSize(mark.kind)]), mark.at, mark.at, i);
        }
    }

    void takeNotes(const std::vector<trace::Note>& notes)
    {
        for (std::size_t i = 0; i < notes.size(); ++i) {
            append(track(m_bodies[notes[i].contender].notes), notes[i].at, notes[i].at, i);
        }
    }

    /// A client that shares a lock has a row of its own for as long. In a crowd the last
    /// row takes all that are left.
    void makeTruth(const std::vector<trace::ServerHold>& serverHolds)
    {
        using Place = std::pair<LockId, std::optional<int>>; // a majority before its servers
        std::map<Place, std::vector<TruthRow>> lanes;
        for (std::size_t i = 0; i < serverHolds.size(); ++i) {
            const trace::ServerHold& serverHold = serverHolds[i];
            TruthRow& row = freeRow(lanes[{serverHold.lock, serverHold.node}], serverHold.from);
            const Instant overBy = serverHold.overBy.value_or(serverHold.to);
            row.until = std::max(row.until, overBy);
            append(track(row.tracks.styles[asSize(TimelineStyle::Truth)]), serverHold.from,
                   serverHold.to, i);
            if (overBy > serverHold.to) {
                append(track(row.tracks.styles[asSize(TimelineStyle::Unknown)]), serverHold.to,
                       overBy, i);
            }
        }
        for (const auto& [place, rows] : lanes) {
            const LockId lock = place.first;
            addLane(m_names.lock(lock), lock, true);
            m_index.m_all.lanes.back().node = place.second;
            for (const TruthRow& row : rows) {
                addRow({{}, lastLane(), std::nullopt, lock}, row.tracks);
            }
        }
    }

    static TruthRow& freeRow(std::vector<TruthRow>& rows, Instant from)
    {
        const auto free = std::ranges::find_if(rows, [from](const TruthRow& row) {
            return row.until <= from;
        });
        if (free != rows.end()) {
            return *free;
        }
        return rows.size() < kTruthRowsMax ? rows.emplace_back() : rows.back();
    }

    /// Who stood still or wrote without ever having asked for a lock has a lane, if lanes are
    /// contenders.
    void makeRows()
    {
        std::set<ContenderId> present;
        std::set<std::uint32_t> locks;
        for (const LockUse& use : m_uses) {
            present.insert(use.contender);
            locks.insert(use.lock);
        }
        for (const auto& [contender, tracks] : m_bodies) {
            if (!m_isByLock && !present.contains(contender)) {
                useOf(contender, kNoLock);
            }
        }
        std::vector<LockUse*> order;
        for (LockUse& use : m_uses) {
            order.push_back(&use);
        }
        std::ranges::sort(order, {}, [this](const LockUse* use) { return placeOf(*use); });
        std::uint64_t lane = UINT64_MAX;
        for (LockUse* use : order) {
            const std::uint64_t group = placeOf(*use).first;
            if (std::exchange(lane, group) != group) {
                makeOutputRow();
                addLane(laneTitle(*use), static_cast<std::uint32_t>(group), false);
            }
            makeRow(*use, locks.size() > 1);
        }
        makeOutputRow();
    }

    /// Of the contender whose lane is the last one.
    void makeOutputRow()
    {
        const bool hasNone = m_isByLock || lastLane() < 0 || m_index.m_all.lanes.back().isTruth;
        const auto body = hasNone ? m_bodies.end() : m_bodies.find(m_index.m_all.lanes.back().id);
        if (body != m_bodies.end() && body->second.notes >= 0) {
            addRow({UiText::tr("output"), lastLane(), body->first, std::nullopt, true}, {});
            m_index.m_all.tracks.back().notes = body->second.notes;
        }
    }

    std::pair<std::uint64_t, std::uint64_t> placeOf(const LockUse& use) const
    {
        return m_isByLock ? std::pair<std::uint64_t, std::uint64_t>(use.lock, use.contender)
                          : std::pair<std::uint64_t, std::uint64_t>(use.contender, use.lock);
    }

    QString laneTitle(const LockUse& use) const
    {
        return m_isByLock ? m_names.lock(static_cast<LockId>(use.lock))
                          : m_names.contender(use.contender);
    }

    void makeRow(LockUse& use, bool hasManyLocks)
    {
        use.row = static_cast<int>(m_index.m_all.rows.size());
        TimelineRow row{{}, lastLane(), use.contender, std::nullopt};
        if (use.lock != kNoLock) {
            row.lock = static_cast<LockId>(use.lock);
        }
        if (m_isByLock) {
            row.title = m_names.contender(use.contender);
        } else if (hasManyLocks && row.lock) {
            row.title = m_names.lock(*row.lock);
        }
        Tracks tracks = use.tracks;
        if (const auto body = m_bodies.find(use.contender); body != m_bodies.end()) {
            for (const TimelineStyle style : {TimelineStyle::Paused, TimelineStyle::Down}) {
                tracks.styles[asSize(style)] = body->second.styles[asSize(style)];
            }
            tracks.notes = m_isByLock ? std::exchange(body->second.notes, -1) : -1;
        }
        addRow(std::move(row), tracks);
    }

    void takeOverlaps(const std::vector<trace::Overlap>& overlaps)
    {
        for (std::size_t i = 0; i < overlaps.size(); ++i) {
            const trace::Overlap& overlap = overlaps[i];
            const auto [upper, lower] = std::minmax({useOf(overlap.first, overlap.lock).row,
                                                     useOf(overlap.second, overlap.lock).row});
            m_index.m_allOverlaps.push_back({overlap.from, std::max(overlap.from, overlap.to),
                                             static_cast<std::uint32_t>(i), upper, lower, 1});
        }
    }

    int lastLane() const { return static_cast<int>(m_index.m_all.lanes.size()) - 1; }

    void addLane(const QString& title, std::uint32_t id, bool isTruth)
    {
        const auto firstRow = static_cast<int>(m_index.m_all.rows.size());
        m_index.m_all.lanes.push_back({title, id, isTruth, std::nullopt, false, firstRow, 0, 0});
    }

    void addRow(TimelineRow row, const Tracks& tracks)
    {
        ++m_index.m_all.lanes.back().fullCount;
        m_index.m_all.rows.push_back(std::move(row));
        m_index.m_all.tracks.push_back(tracks);
    }

    TimelineIndex& m_index;
    bool m_isByLock;
    const TimelineNames& m_names;
    std::vector<LockUse> m_uses;
    std::unordered_map<std::uint64_t, std::size_t> m_useNumbers;
    /// Pauses, crashes and notes, of all that a contender does.
    std::map<ContenderId, Tracks> m_bodies;
};

TimelineIndex::TimelineIndex(std::shared_ptr<const trace::Chronicle> chronicle, Grouping grouping,
                             const TimelineNames& names)
    : m_chronicle(std::move(chronicle))
{
    Sorter(*this, grouping, names).sort();
    std::ranges::for_each(m_tracks, &TimelineTrack::seal);
    m_ownTrackCount = m_tracks.size();
    measure();
    arrange({});
}

void TimelineIndex::arrange(const TimelineArrangement& arrangement)
{
    m_tracks.resize(m_ownTrackCount);
    m_shown = {};
    m_places.assign(m_all.rows.size(), -1);
    const auto isMatch = [&arrangement](const QString& title) {
        return title.contains(arrangement.filter, Qt::CaseInsensitive);
    };
    const std::vector<bool> isOverlapping = overlappingRows();
    const auto isWanted = [&](std::size_t row, bool isInMatch) {
        return (isInMatch || isMatch(m_all.rows[row].title))
               && (!arrangement.isOverlapsOnly || isOverlapping[row]);
    };
    for (const TimelineLane& lane : m_all.lanes) {
        const bool isInMatch = isMatch(lane.title);
        std::vector<std::size_t> rows;
        for (int i = 0; i < lane.fullCount; ++i) {
            const auto row = static_cast<std::size_t>(lane.firstRow) + static_cast<std::size_t>(i);
            if (lane.isTruth || isWanted(row, isInMatch)) {
                rows.push_back(row);
            }
        }
        if (rows.empty()) {
            continue;
        }
        TimelineLane shown = lane;
        shown.firstRow = rowCount();
        shown.isCollapsed = lane.canCollapse() && arrangement.collapsed.contains(lane.key());
        m_shown.lanes.push_back(shown);
        if (shown.isCollapsed) {
            showMerged(rows);
        } else {
            std::ranges::for_each(rows, [this](std::size_t row) { showRow(row); });
        }
        m_shown.lanes.back().rowCount = rowCount() - shown.firstRow;
    }
    placeOverlaps();
}

std::vector<bool> TimelineIndex::overlappingRows() const
{
    std::vector<bool> isOverlapping(m_all.rows.size());
    for (const TimelineOverlap& overlap : m_allOverlaps) {
        isOverlapping[static_cast<std::size_t>(overlap.upperRow)] = true;
        isOverlapping[static_cast<std::size_t>(overlap.lowerRow)] = true;
    }
    return isOverlapping;
}

void TimelineIndex::showRow(std::size_t row)
{
    m_places[row] = rowCount();
    m_shown.rows.push_back(m_all.rows[row]);
    m_shown.rows.back().lane = static_cast<int>(m_shown.lanes.size()) - 1;
    m_shown.tracks.push_back(m_all.tracks[row]);
}

void TimelineIndex::showMerged(const std::vector<std::size_t>& rows)
{
    std::array<std::set<int>, kTimelineStyleCount> styles;
    std::array<std::set<int>, kMarkKindCount> marks;
    std::set<int> notes;
    const auto collect = [](auto& sets, const auto& numbers) {
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            if (numbers[i] >= 0) {
                sets[i].insert(numbers[i]); // rows of one contender share its pauses
            }
        }
    };
    TimelineRow row{{},
                    static_cast<int>(m_shown.lanes.size()) - 1,
                    m_all.rows[rows.front()].contender,
                    m_all.rows[rows.front()].lock};
    for (const std::size_t part : rows) {
        m_places[part] = rowCount();
        collect(styles, m_all.tracks[part].styles);
        collect(marks, m_all.tracks[part].marks);
        if (m_all.tracks[part].notes >= 0) {
            notes.insert(m_all.tracks[part].notes);
        }
        row.contender = row.contender == m_all.rows[part].contender ? row.contender : std::nullopt;
        row.lock = row.lock == m_all.rows[part].lock ? row.lock : std::nullopt;
    }
    Tracks tracks;
    std::ranges::transform(styles, tracks.styles.begin(),
                           [this](const std::set<int>& numbers) { return merged(numbers); });
    std::ranges::transform(marks, tracks.marks.begin(),
                           [this](const std::set<int>& numbers) { return merged(numbers); });
    tracks.notes = merged(notes);
    m_shown.rows.push_back(std::move(row));
    m_shown.tracks.push_back(tracks);
}

/// The number of a track with all that is in some tracks.
int TimelineIndex::merged(const std::set<int>& numbers)
{
    if (numbers.size() < 2) {
        return numbers.empty() ? -1 : *numbers.begin();
    }
    TimelineTrack track;
    for (const int number : numbers) {
        for (const TimelineInterval& item : *trackAt(number)) {
            append(track, item.from, item.to, item.index);
        }
    }
    track.seal();
    m_tracks.push_back(std::move(track));
    return static_cast<int>(m_tracks.size()) - 1;
}

/// An overlap with a row that is hidden stands at the other one.
void TimelineIndex::placeOverlaps()
{
    m_overlaps.clear();
    m_overlapBlocks.clear();
    for (TimelineOverlap overlap : m_allOverlaps) {
        const int upper = m_places[static_cast<std::size_t>(overlap.upperRow)];
        const int lower = m_places[static_cast<std::size_t>(overlap.lowerRow)];
        if (upper < 0 && lower < 0) {
            continue;
        }
        overlap.upperRow = upper < 0 ? lower : upper;
        overlap.lowerRow = lower < 0 ? upper : lower;
        if (m_overlaps.size() % kBlockSize == 0) {
            m_overlapBlocks.push_back(overlap);
        } else {
            m_overlapBlocks.back().include(overlap);
        }
        m_overlaps.push_back(overlap);
    }
}

void TimelineIndex::measure()
{
    const Duration something = m_chronicle->axis == trace::Chronicle::Axis::Steps
                                   ? Duration(1)
                                   : std::chrono::milliseconds(1);
    m_full = {Instant{}, m_chronicle->end};
    for (const TimelineTrack& track : m_tracks) { // none is empty: it is made for what is put in
        m_full.from = std::min(m_full.from, track.front().from);
        m_full.to = std::max(m_full.to, track.latestEnd());
    }
    m_full.to = std::max(m_full.to, m_full.from + something);
}

const TimelineTrack* TimelineIndex::trackAt(int number) const
{
    return number < 0 ? nullptr : &m_tracks[static_cast<std::size_t>(number)];
}

const TimelineTrack* TimelineIndex::trackOf(int row, TimelineStyle style) const
{
    return trackAt(m_shown.tracks[static_cast<std::size_t>(row)].styles[asSize(style)]);
}

const TimelineTrack* TimelineIndex::marksOf(int row, Mark::Kind kind) const
{
    return trackAt(m_shown.tracks[static_cast<std::size_t>(row)].marks[asSize(kind)]);
}

const TimelineTrack* TimelineIndex::notesOf(int row) const
{
    return trackAt(m_shown.tracks[static_cast<std::size_t>(row)].notes);
}

std::size_t TimelineIndex::itemCount(int row) const
{
    std::size_t count = 0;
    const Tracks& tracks = m_shown.tracks[static_cast<std::size_t>(row)];
    const auto add = [&](int number) { count += number < 0 ? 0 : trackAt(number)->size(); };
    std::ranges::for_each(tracks.styles, add);
    std::ranges::for_each(tracks.marks, add);
    add(tracks.notes);
    return count;
}

int TimelineIndex::rowOf(ContenderId contender, LockId lock) const
{
    for (std::size_t row = 0; row < m_all.rows.size(); ++row) {
        if (m_all.rows[row].contender == contender && m_all.rows[row].lock == lock) {
            return m_places[row];
        }
    }
    return -1;
}

int TimelineIndex::truthRowOf(LockId lock, int node) const
{
    int row = -1;
    for (const TimelineLane& lane : m_shown.lanes) {
        if (lane.isTruth && lane.id == lock && (row < 0 || lane.node == node)) {
            row = lane.firstRow;
        }
    }
    return row;
}

int TimelineIndex::truthRowCount() const
{
    int count = 0;
    for (const TimelineLane& lane : m_shown.lanes) {
        count += lane.isTruth ? lane.rowCount : 0;
    }
    return count;
}

int TimelineIndex::hiddenLaneCount() const
{
    return static_cast<int>(m_all.lanes.size() - m_shown.lanes.size());
}

} // namespace lockscope::models
