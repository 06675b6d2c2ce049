#pragma once

#include "live_runner.h"
#include "report/cell_report.h"
#include "search_runner.h"
#include "timeline_layout.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lockscope::models {

/// A run as the laboratory shows it: what happened when, and what is said about it.
struct RunRecord {
    std::shared_ptr<const trace::Chronicle> chronicle; // nullptr: there is nothing to draw
    TimelineNames names;
    int contenderCount = 0;
    std::vector<search::StoryLine> story;
    /// Of more than the chronicle: random runs added up, or commands counted.
    std::optional<trace::RunStatistics> statistics;
};

/// Of a promise that a search broke: the run is taken once more and looked at.
RunRecord recordOf(const protocol::LockProtocol& protocol, const report::CellVerdict& verdict);

/// Some run of the task in which nothing is said to break: the first of random ones, or the one in
/// which always the first client goes first. Empty when there is no plan.
RunRecord sampleOf(const service::SearchTask& task);

/// Of a live run, as far as it is. Times count from its first event.
RunRecord recordOf(const service::LiveRunOrder& order, const service::LiveRunProgress& progress,
                   std::span<const trace::Event> events);

} // namespace lockscope::models
