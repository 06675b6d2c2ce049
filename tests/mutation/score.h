#pragma once

#include "core/kernel/protocol/promise.h"
#include "core/kernel/search/explorer.h"
#include "core/kernel/sim/lua_engine.h"
#include "core/kernel/world/fault_kind.h"
#include "core/kernel/world/world_plan.h"
#include "tests/mutation/mutants.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::mutation {

/// How a mistake was found: a promise that the sound protocol keeps in the same plan, or breaks in
/// longer runs only, is broken.
struct Kill {
    protocol::Promise promise = protocol::Promise::MutualExclusion;
    world::FaultKind fault{};
    std::string plan; // its name
    int length = 0;   // of the shortest run
};

/// Tries the mutants of one protocol with the plans that are used by default.
class Judgement {
public:
    Judgement(const Subject& subject, search::Bounds bounds);

    /// Searches until a promise tells the mutant from the protocol; nullopt: it survives. Order and
    /// misuse come first, because their plans are few.
    std::optional<Kill> tryOn(const Mutant& mutant);

private:
    /// The plans against one kind of fault, and what the sound protocol does in each of them.
    struct Trial {
        world::FaultKind fault{};
        std::vector<world::WorldPlan> plans;
        std::vector<std::optional<search::Exploration>> sound; // by plan; made when it is needed
    };

    search::Exploration explore(const protocol::LockProtocol& protocol,
                                const world::WorldPlan& plan, sim::LuaEngine& lua) const;
    std::optional<Kill> tryPlan(const Mutant& mutant, Trial& trial, std::size_t index,
                                sim::LuaEngine& lua);

    std::shared_ptr<const protocol::LockProtocol> m_protocol;
    search::Bounds m_bounds;
    sim::LuaEngine m_lua; // of the sound protocol
    std::vector<Trial> m_trials;
};

} // namespace lockscope::mutation
