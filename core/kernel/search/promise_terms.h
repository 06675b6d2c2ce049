#pragma once

#include "core/kernel/protocol/protocol_info.h"
#include "core/kernel/workload/scenario.h"
#include "core/kernel/world/world_plan.h"

namespace lockscope::search {

/// Whether there is anything in the protocol that the promise could be about.
bool isApplicable(protocol::Promise promise, const protocol::ProtocolInfo& info);

/// What the plan, with everything that may go wrong in it, takes away from what claims assume.
protocol::Conditions conditionsBrokenBy(const world::WorldPlan& plan);

/// The same of a live run: what the scenario lets happen, not what happened.
protocol::Conditions conditionsBrokenBy(const workload::Scenario& scenario);

/// Whether the protocol claims the promise, and the claim assumes none of these conditions.
bool isPromised(protocol::Promise promise, const protocol::ProtocolInfo& info,
                protocol::Conditions broken);
bool isPromised(protocol::Promise promise, const protocol::ProtocolInfo& info,
                const world::WorldPlan& plan);

} // namespace lockscope::search
