#include "core/kernel/search/promise_terms.h"

#include "core/kernel/world/fault_info.h"

#include <algorithm>

namespace lockscope::search {

using protocol::Condition;
using protocol::Conditions;
using protocol::Promise;
using protocol::ProtocolInfo;
using workload::Scenario;
using world::Act;
using world::ClientPlan;
using world::WorldPlan;

namespace {

bool areLeasesEqual(const WorldPlan& plan)
{
    const Duration longest = plan.leaseMax();
    return std::ranges::all_of(plan.clients, [longest](const ClientPlan& client) {
        return std::ranges::all_of(client.acts, [longest](const Act& act) {
            return act.kind != Act::Kind::Acquire || act.span == longest;
        });
    });
}

/// Several readers that come again and again.
/// Where readers overlap all the time, a lock that prefers them may starve writers without a
/// mistake: claims that assume pauses do not hold it against the protocol.
bool isRelayOfReaders(const WorldPlan& plan)
{
    constexpr int kRoundsMin = 3;
    const auto isRelay = [](const ClientPlan& client) {
        return std::ranges::count_if(client.acts,
                                     [](const Act& act) {
                                         return act.kind == Act::Kind::Acquire
                                                && act.mode == protocol::Mode::Read;
                                     })
               >= kRoundsMin;
    };
    return std::ranges::count_if(plan.clients, isRelay) > 1;
}

bool waitsForWakeUp(const ProtocolInfo& info)
{
    return std::ranges::any_of(info.needs,
                               [](const protocol::Need& need) { return need.step == "wait"; });
}

} // namespace

bool isApplicable(Promise promise, const ProtocolInfo& info)
{
    switch (promise) {
    case Promise::MutualExclusion: return !info.hasModes;
    case Promise::ReadWriteExclusion: return info.hasModes;
    case Promise::ReentryBalance: return info.isReentrant || info.hasModes;
    case Promise::NoLostWakeup: return waitsForWakeUp(info);
    case Promise::FencingOrder: return info.hasFence;
    case Promise::LeaseHonesty: return info.hasExpiry;
    default: return true;
    }
}

Conditions conditionsBrokenBy(const WorldPlan& plan)
{
    Conditions broken;
    for (const world::FaultInfo& fault : world::allFaults()) {
        if (!plan.faults.allows(fault.kind)) {
            continue;
        }
        broken |= fault.breaks;
        // A holder that relies on renewals is in time only as long as they get through.
        if (fault.hindersRenewals && plan.renewal.isOn()) {
            broken |= Condition::HolderInTime;
        }
    }
    for (const ClientPlan& client : plan.clients) {
        broken |= client.sharesIdentityWith ? Conditions(Condition::OwnIdentity) : Conditions();
        broken |= client.diesHolding ? Conditions(Condition::NobodyDies) : Conditions();
        broken |= client.handsOver() ? Conditions(Condition::OwnRelease) : Conditions();
    }
    if (!areLeasesEqual(plan)) {
        broken |= Condition::EqualLeases;
    }
    if (isRelayOfReaders(plan)) {
        broken |= Condition::ReadersPause;
    }
    return broken;
}

Conditions conditionsBrokenBy(const Scenario& scenario)
{
    Conditions broken;
    if (scenario.pauseProbability > 0) {
        broken |= infoOf(world::FaultKind::Pause).breaks;
    }
    if (scenario.crashProbability > 0 || scenario.kind == Scenario::Kind::HotStandby) {
        broken |= infoOf(world::FaultKind::Crash).breaks;
    }
    if (!scenario.renewal.isOn() && scenario.hold.longest() > scenario.lease) {
        broken |= Condition::HolderInTime;
    }
    if (scenario.readShare > 0) {
        broken |= Condition::ReadersPause;
    }
    return broken;
}

bool isPromised(Promise promise, const ProtocolInfo& info, Conditions broken)
{
    const auto claim = std::ranges::find(info.claims, promise, &protocol::Claim::promise);
    return claim != info.claims.end() && !claim->conditions.intersects(broken);
}

/// Decided by what the plan allows and not by what happened in a run: the same cell of the matrix
/// must not change its meaning from run to run.
bool isPromised(Promise promise, const ProtocolInfo& info, const WorldPlan& plan)
{
    return isPromised(promise, info, conditionsBrokenBy(plan));
}

} // namespace lockscope::search
