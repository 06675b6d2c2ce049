#pragma once

#include "core/kernel/protocol/lock_protocol.h"
#include "core/kernel/search/explorer.h"
#include "core/kernel/world/fault_kind.h"
#include "core/kernel/world/world_plan.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace lockscope::search {

/// Every run of every plan, within bounds that each plan has for itself.
struct SystematicSearch {
    Bounds bounds;
};

/// Random runs; run n of them has the seed `seed` + n.
struct RandomSearch {
    std::uint64_t seed = 1;
    std::uint64_t runCount = 1000;
};

/// One cell of the matrix.
struct SearchTask {
    std::shared_ptr<const protocol::LockProtocol> protocol; // built-in ones are shared without
                                                            // owning
    std::optional<world::FaultKind> fault;                  // what the plans are about; only a name
    std::vector<world::WorldPlan> plans; // none: the fault makes no difference to the protocol
    std::variant<SystematicSearch, RandomSearch> method;
};

} // namespace lockscope::search
