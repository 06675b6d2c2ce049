#pragma once

#include "search/explorer.h"

#include <cstdint>
#include <vector>

namespace lockscope::search {

/// How often it broke when a run went on at random from one of its places.
struct Continuation {
    std::size_t stepCount = 0; // of the run that were kept
    int sampleCount = 0;
    int brokenCount = 0; // of the samples: those with a violation of the same promise

    bool isInevitable() const { return sampleCount > 0 && brokenCount == sampleCount; }
};

/// When did it become inevitable? From each prefix of the run so many random continuations.
std::vector<Continuation> sampleContinuations(const protocol::LockProtocol& protocol,
                                              const world::WorldPlan& plan, const Finding& finding,
                                              sim::LuaEngine& lua, int sampleCount = 100,
                                              std::uint64_t seed = 1);

/// The number of steps after which every continuation broke; the length of the run when there is
/// no earlier place.
std::size_t inevitableAfter(const std::vector<Continuation>& continuations);

} // namespace lockscope::search
