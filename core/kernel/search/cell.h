#pragma once

#include "core/kernel/search/explorer.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockscope::search {

/// What a search says about one promise.
struct PromiseResult {
    enum class Status : std::uint8_t {
        Held,          // within what was covered, which had chances to break it
        Broken,        // see finding
        NotExercised,  // in nothing that was covered it could have been broken
        NotApplicable, // the protocol has nothing that it could be about
    };

    protocol::Promise promise = protocol::Promise::MutualExclusion;
    Status status = Status::NotApplicable;
    /// The protocol claims it, and what it assumes for that held in the finding's plan (Broken) or
    /// in all plans (otherwise).
    bool isPromised = false;
    std::optional<Finding> finding; // Broken: the shortest; a promised one before all others
    std::size_t planIndex = 0;      // Broken: of the plan in which it broke
    std::uint64_t chances = 0;      // to break it
};

/// What several plans came to for one protocol.
struct SearchReport {
    std::vector<PromiseResult> promises; // one per promise, in the order of the promises
    Coverage coverage;

    const PromiseResult& of(protocol::Promise promise) const
    {
        return promises.at(static_cast<std::size_t>(promise));
    }
    bool isAnyBroken() const;
    /// What to show first: the shortest broken promise that was promised, or else the shortest
    /// broken one; nullptr when all held.
    const PromiseResult* headline() const;
};

/// Nothing seen yet: no promise that applies to the protocol is exercised.
SearchReport emptyReport(const protocol::ProtocolInfo& info);

/// Promises that could have been broken and were not are held.
void addChances(SearchReport& report, const world::Chances& chances);

/// Adds what was found in one of the plans.
void addTo(SearchReport& report, const Exploration& exploration, const protocol::ProtocolInfo& info,
           const world::WorldPlan& plan, std::size_t planIndex);

/// Searches the plans one after the other. `goOn` is asked now and then.
SearchReport searchPlans(const protocol::LockProtocol& protocol,
                         std::span<const world::WorldPlan> plans, sim::LuaEngine& lua,
                         const Bounds& bounds, const GoOn& goOn = {});

/// A run in which something broke, soon rather than short.
struct QuickFinding {
    std::size_t planIndex = 0;
    Finding finding;
};

/// The first that comes up; nullopt when nothing breaks within the bounds. Looks a little way into
/// every plan before it looks further into any: one that holds is not searched to its end first.
std::optional<QuickFinding> findSoon(const protocol::LockProtocol& protocol,
                                     std::span<const world::WorldPlan> plans, sim::LuaEngine& lua,
                                     const Bounds& bounds);

} // namespace lockscope::search
