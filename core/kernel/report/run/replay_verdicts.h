#pragma once

#include "core/kernel/report/run/counterexample_file.h"
#include "core/kernel/report/run/run_verdicts.h"
#include "core/kernel/search/replayed_run.h"
#include "core/kernel/search/story.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::report {

/// What keeps the example from being replayed, in one sentence without a stop; empty: nothing.
/// `name` is how the sentence calls the file.
std::string complaintAbout(const CounterexampleFile& example, std::string_view name);

/// The same once it was tried.
std::string complaintAbout(const CounterexampleFile& example, const search::ReplayedRun& run,
                           std::string_view name);

/// The violation that the file is about; nullptr: it did not show.
const world::Violation* violationIn(const search::ReplayedRun& run,
                                    const CounterexampleFile& example);

/// The run as a finding; without a violation when that did not show.
search::Finding findingOf(const search::ReplayedRun& run, const CounterexampleFile& example);

/// What happened, up to the violation if it showed.
std::vector<search::StoryLine> storyOf(const search::ReplayedRun& run,
                                       const CounterexampleFile& example, sim::LuaEngine& lua);

/// One run in a simulated world. What is referred to outlives its use.
struct SimulatedRun {
    const protocol::ProtocolInfo& protocol;
    const world::WorldPlan& plan;
    std::span<const world::Step> steps;
    std::span<const world::Violation> violations;
    const world::Chances& chances;
};

/// What the run says about every promise.
std::vector<PromiseVerdict> verdictsOf(const SimulatedRun& run);
std::vector<PromiseVerdict> verdictsOf(const search::ReplayedRun& run,
                                       const CounterexampleFile& example);

} // namespace lockscope::report
