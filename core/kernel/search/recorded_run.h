#pragma once

#include "core/kernel/search/explorer.h"
#include "core/kernel/trace/chronicle.h"
#include "core/kernel/trace/run_steps.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace lockscope::search {

/// A run as it can be drawn.
struct RecordedRun {
    /// The first step that was not possible; the record ends before it.
    std::optional<std::size_t> impossibleStep;
    std::vector<trace::Event> events;
    trace::Chronicle chronicle; // of the events, with server holds and messages
    trace::RunSteps steps;      // also those behind the ones that were asked for
    std::vector<world::Violation> violations;
    world::Chances chances;
};

/// Runs the steps and then on to the end without any further fault, each time with what comes first
/// of all that may come next: what a violation leads to is part of the picture.
RecordedRun recordRun(const protocol::LockProtocol& protocol, const world::WorldPlan& plan,
                      std::span<const world::Step> steps, sim::LuaEngine& lua);

} // namespace lockscope::search
