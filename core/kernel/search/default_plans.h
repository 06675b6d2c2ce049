#pragma once

#include "core/kernel/protocol/protocol_info.h"
#include "core/kernel/world/world_plan.h"

#include <span>
#include <vector>

namespace lockscope::search {

/// The plans by which a protocol is tried against one kind of fault by default. Misuse has plans of
/// its own and is in no others: what breaks a lock that is used wrongly is no flaw of the others.
/// They have all the shapes without which known flaws stay invisible (two clients at once, one
/// behind the other's lease, two rounds, nested holds with other leases, two keys, readers and a
/// writer, a server out of reach), as far as the protocol has what they need. Times are those of
/// the written ground truth with a second for a tick: a lease of 10 s, work of 4 s, a retry every
/// 3 s, a renewal every 3 s, a pause of 15 s.
std::vector<world::WorldPlan> defaultPlans(const protocol::ProtocolInfo& info,
                                           world::FaultKind fault);

/// The same shapes without any fault or misuse, for callers that add faults of their own.
std::vector<world::WorldPlan> defaultShapes(const protocol::ProtocolInfo& info);

/// The plans with so many clients: those with more are left out, and the others get copies of their
/// last client. 0: as they are.
std::vector<world::WorldPlan> withClients(std::vector<world::WorldPlan> plans, int clientCount);

/// The default plans with so many clients; none when the fault makes no difference to the protocol.
std::vector<world::WorldPlan> plansFor(const protocol::ProtocolInfo& info, world::FaultKind fault,
                                       int clientCount = 0);

/// All of these kinds, once each and with the amounts that are usual for this lease, in one run; of
/// kinds that make no difference to the protocol, and of misuse, nothing. At most three faults in a
/// run: more do not break more, but make it harder to see why.
world::FaultPlan faultsTogether(const protocol::ProtocolInfo& info,
                                std::span<const world::FaultKind> faults, Duration lease);

/// Whether the fault can make a difference to the protocol at all.
bool isApplicable(world::FaultKind fault, const protocol::ProtocolInfo& info);

} // namespace lockscope::search
