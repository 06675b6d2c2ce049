#pragma once

#include "core/kernel/protocol/protocol_info.h"
#include "core/kernel/world/world_plan.h"

namespace lockscope::search {

/// Whether there is anything in the protocol that the promise could be about.
bool isApplicable(protocol::Promise promise, const protocol::ProtocolInfo& info);

/// What the plan, with everything that may go wrong in it, takes away from what claims assume.
protocol::Conditions conditionsBrokenBy(const world::WorldPlan& plan);

/// Whether the protocol claims the promise, and nothing in the plan is against what it assumes.
bool isPromised(protocol::Promise promise, const protocol::ProtocolInfo& info,
                const world::WorldPlan& plan);

} // namespace lockscope::search
