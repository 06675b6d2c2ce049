#pragma once

#include "core/kernel/trace/chronicle.h"
#include "ui/models/timeline/timeline_scale.h"
#include "ui/models/timeline/timeline_track.h"

#include <QString>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

// What a run consists of, sorted into the lanes and rows of its timeline. It is made once for a
// run.
namespace lockscope::models {

enum class Grouping { ByContender, ByLock };

/// In the order of painting: what comes later lies on top. Unknown: the record does not say what
/// became of a request, a hold or a server hold. Contended: a part of a hold for which others wait.
enum class TimelineStyle { Unknown, Truth, Waiting, Down, Holding, Paused, Contended, Overlap };
inline constexpr std::size_t kTimelineStyleCount = 8;
constexpr std::size_t asSize(TimelineStyle style)
{
    return static_cast<std::size_t>(style);
}
inline constexpr std::size_t kMarkKindCount = 5; // trace::Mark::Kind

/// What contenders and locks are called.
struct TimelineNames {
    std::function<QString(trace::ContenderId)> contender;
    std::function<QString(trace::LockId)> lock;

    /// Of a server hold: "somebody" where the server does not say who.
    QString holder(const std::optional<trace::ContenderId>& id) const;
};

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
    QString title;        // for the truth, the name of the lock
    std::uint32_t id = 0; // of the contender or lock
    bool isTruth = false;
    std::optional<int> node = std::nullopt; // of the truth of one of several servers
    bool isCollapsed = false;               // all its rows are merged into one
    int firstRow = 0;
    int rowCount = 0;  // that are shown
    int fullCount = 0; // that there are

    using Key = std::tuple<bool, std::uint32_t, std::optional<int>>; // isTruth, id, node
    Key key() const { return {isTruth, id, node}; }
    bool canCollapse() const { return fullCount > 1; }
    int endRow() const { return firstRow + rowCount; } // behind the last that is shown
};

/// A line of bars within a lane.
struct TimelineRow {
    QString title; // what tells it from the other rows of its lane; may be empty
    int lane = 0;
    std::optional<trace::ContenderId> contender; // none for the truth, and for several
    std::optional<trace::LockId> lock; // none for who has not asked for any, and for several
    bool isOutput = false;             // what the contender wrote: texts instead of bars
};

/// Which lanes are shown, and how.
struct TimelineArrangement {
    QString filter; // in the title of a lane or row, in any case; empty: all
    std::set<TimelineLane::Key> collapsed;
    bool isOverlapsOnly = false; // rows that overlap with another one somewhere

    friend bool operator==(const TimelineArrangement&, const TimelineArrangement&) = default;
};

/// A chronicle sorted into lanes and rows. The truth comes first, a lane for each lock, with as
/// many rows as it had holders at once, and below it one for each of several servers; then a lane
/// for each contender with a row for each lock it wants and one for what it wrote, or the other way
/// round.
class TimelineIndex {
public:
    static constexpr std::size_t kBlockSize = 64;

    TimelineIndex(std::shared_ptr<const trace::Chronicle> chronicle, Grouping grouping,
                  const TimelineNames& names);

    /// Chooses lanes and rows anew; at first all of them are shown. The truth always is.
    void arrange(const TimelineArrangement& arrangement);

    const trace::Chronicle& chronicle() const { return *m_chronicle; }
    /// From the beginning, or the first event before it, to the end of the record; never empty.
    VisibleRange full() const { return m_full; }

    /// What is shown.
    const std::vector<TimelineLane>& lanes() const { return m_shown.lanes; }
    const std::vector<TimelineRow>& rows() const { return m_shown.rows; }
    int rowCount() const { return static_cast<int>(m_shown.rows.size()); }
    /// Where the bars of a contender and a lock are; -1 when they are not shown.
    int rowOf(trace::ContenderId contender, trace::LockId lock) const;
    /// The first of those that show the truth about a lock, on that server where each has a lane;
    /// -1 when the server was not looked at.
    int truthRowOf(trace::LockId lock, int node = 0) const;
    /// How many rows show the truth: the first ones.
    int truthRowCount() const;
    /// How many lanes are not shown.
    int hiddenLaneCount() const;

    /// What of a style is in a row; nullptr when there is nothing. Overlaps are between rows.
    const TimelineTrack* trackOf(int row, TimelineStyle style) const;
    const TimelineTrack* marksOf(int row, trace::Mark::Kind kind) const;
    /// What the contender wrote: in a row of its own, the last of its lane; where lanes are locks,
    /// or it is collapsed, among the marks of its first row.
    const TimelineTrack* notesOf(int row) const;
    /// How much there is in a row.
    std::size_t itemCount(int row) const;

    /// Those of which a row at least is shown.
    const std::vector<TimelineOverlap>& overlaps() const { return m_overlaps; }
    /// Each kBlockSize overlaps, as one.
    const std::vector<TimelineOverlap>& overlapBlocks() const { return m_overlapBlocks; }

private:
    class Sorter;

    /// Numbers of tracks, -1 for none.
    struct Tracks {
        Tracks()
        {
            styles.fill(-1);
            marks.fill(-1);
        }

        std::array<int, kTimelineStyleCount> styles;
        std::array<int, kMarkKindCount> marks;
        int notes = -1;
    };
    struct Rows {
        std::vector<TimelineLane> lanes;
        std::vector<TimelineRow> rows;
        std::vector<Tracks> tracks; // of each row
    };

    const TimelineTrack* trackAt(int number) const;
    std::vector<bool> overlappingRows() const;
    void measure();
    void showRow(std::size_t row);
    void showMerged(const std::vector<std::size_t>& rows);
    int merged(const std::set<int>& numbers);
    void placeOverlaps();

    std::shared_ptr<const trace::Chronicle> m_chronicle;
    VisibleRange m_full;
    Rows m_all;
    Rows m_shown;
    std::vector<int> m_places;           // where each of all rows is shown; -1: nowhere
    std::vector<TimelineTrack> m_tracks; // those of all rows, then the merged ones
    std::size_t m_ownTrackCount = 0;
    std::vector<TimelineOverlap> m_allOverlaps; // between any rows
    std::vector<TimelineOverlap> m_overlaps;
    std::vector<TimelineOverlap> m_overlapBlocks;
};

} // namespace lockscope::models
