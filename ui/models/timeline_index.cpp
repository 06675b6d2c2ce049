#include "timeline_index.h"

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

} // namespace

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
                m_index.m_overlapBlocks.back().include(m_index.m_overlaps.back());
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

} // namespace lockscope::models
