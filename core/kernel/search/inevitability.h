#pragma once

#include "core/kernel/search/explorer.h"
#include "core/kernel/search/story.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace lockscope::search {

/// How often it broke when a run went on at random from one of its places.
struct Continuation {
    std::size_t stepCount = 0; // of the run that were kept
    int sampleCount = 0;
    int brokenCount = 0; // of the samples: those with a violation of the same promise

    bool isInevitable() const { return sampleCount > 0 && brokenCount == sampleCount; }
};

struct Sampling {
    int sampleCount = 100; // from each prefix
    std::uint64_t seed = 1;
    std::function<bool()> goOn; // asked before every sample; false ends it; none: true
};

/// When did it become inevitable? From each prefix of the run so many random continuations. Empty
/// when it was ended early, and when the plan has no such run: findings may come from files.
std::vector<Continuation> sampleContinuations(const protocol::LockProtocol& protocol,
                                              const world::WorldPlan& plan, const Finding& finding,
                                              sim::LuaEngine& lua, const Sampling& sampling = {});

/// The number of steps after which every continuation broke; the length of the run when there is
/// no earlier place.
std::size_t inevitableAfter(const std::vector<Continuation>& continuations);

/// The line of a story from which on every sample broke the promise.
struct TurningPoint {
    std::size_t line = 0;      // index
    int sampleCount = 0;       // from there, all of which broke
    int brokenCountBefore = 0; // of as many from just before

    friend bool operator==(const TurningPoint&, const TurningPoint&) = default;
};

/// nullopt: it could be avoided to the last, or never.
std::optional<TurningPoint> turningPointIn(const std::vector<StoryLine>& story,
                                           const std::vector<Continuation>& continuations);

} // namespace lockscope::search
