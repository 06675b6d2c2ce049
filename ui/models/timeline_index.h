#pragma once

#include "timeline_scale.h"
#include "trace/chronicle.h"

#include <QString>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

// What a run consists of, sorted into the lanes and rows of its timeline. It is made once for a
// run.
namespace lockscope::models {

enum class Grouping { ByContender, ByLock };

/// In the order of painting: what comes later lies on top.
enum class TimelineStyle { Truth, Waiting, Down, Holding, Paused, Overlap };
inline constexpr std::size_t kTimelineStyleCount = 6;
constexpr std::size_t asSize(TimelineStyle style)
{
    return static_cast<std::size_t>(style);
}
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

    /// Grows so that it spans `more` too.
    void include(const TimelineOverlap& more);
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

} // namespace lockscope::models
