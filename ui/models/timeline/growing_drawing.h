#pragma once

#include "ui/models/timeline/event_rows.h"
#include "ui/models/timeline/timeline_index.h"

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace lockscope::models {

/// How its user has set up a timeline.
struct TimelineSetup {
    Grouping grouping = Grouping::ByContender;
    TimelineArrangement arrangement;

    friend bool operator==(const TimelineSetup&, const TimelineSetup&) = default;
};

/// What takes as long to make as a run is long.
struct RunDrawing {
    std::shared_ptr<const trace::Chronicle> chronicle;
    TimelineSetup setup; // of the index
    std::unique_ptr<TimelineIndex> index;
    std::vector<EventRow> rows;
};

/// Draws a run. Any thread.
RunDrawing drawingOf(std::shared_ptr<const trace::Chronicle> chronicle, const TimelineNames& names,
                     TimelineSetup setup);

/// Draws a run again and again while it goes on, in the background. Two chronicles of it grow in
/// turn: one is looked at while the other one takes what has happened since, so that nothing waits
/// and what is drawn already is not copied. Times count from the first event.
class GrowingDrawing {
public:
    using Work = std::function<RunDrawing()>;

    /// `permits`: how many may hold one lock at once.
    GrowingDrawing(TimelineNames names, int permits);

    /// What makes the next drawing; to be called once, in any thread. Empty before the first event,
    /// and while neither chronicle is free: one is looked at, the other one not drawn yet.
    /// `events`: all so far, in the order of time; they are read here and not later.
    Work next(std::span<const trace::Event> events, std::vector<trace::ServerHold> serverHolds,
              TimelineSetup setup);

private:
    struct Record {
        std::shared_ptr<trace::GrowingChronicle> chronicle;
        std::size_t eventCount = 0; // that it has taken
    };

    TimelineNames m_names;
    std::array<Record, 2> m_records;
};

} // namespace lockscope::models
