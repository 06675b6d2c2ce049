#pragma once

#include "core/kernel/search/explorer.h"

#include <cstddef>
#include <optional>
#include <span>

namespace lockscope::search {

/// What a saved run came to.
struct ReplayedRun {
    /// The number of the first step that was not possible; nullopt: all were.
    std::optional<std::size_t> impossibleStep;
    std::vector<world::Violation> violations;
    world::Chances chances;
    std::uint64_t digest = 0; // of the state in the end
    Duration virtualTime{0};
    int length = 0;
};

/// Runs the steps, each of which is checked for being possible, and to the end of the run where
/// they lead there. `observer` may be null.
ReplayedRun replaySteps(const protocol::LockProtocol& protocol, const world::WorldPlan& plan,
                        std::span<const world::Step> steps, sim::LuaEngine& lua,
                        world::Observer* observer = nullptr);

} // namespace lockscope::search
