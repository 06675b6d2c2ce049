#include "core/kernel/world/world_plan.h"

#include "core/kernel/world/fault_info.h"

#include <algorithm>

namespace lockscope::world {

Act Act::acquire(Duration lease, int key)
{
    Act act;
    act.kind = Kind::Acquire;
    act.key = key;
    act.span = lease;
    return act;
}

Act Act::as(protocol::Mode wanted) const
{
    Act act = *this;
    act.mode = wanted;
    return act;
}

Act Act::unrenewed() const
{
    Act act = *this;
    act.isRenewed = false;
    return act;
}

Act Act::fromAnotherTask() const
{
    Act act = *this;
    act.byAnotherTask = true;
    return act;
}

bool ClientPlan::handsOver() const
{
    return std::ranges::any_of(acts, &Act::byAnotherTask);
}

Duration usualAmount(FaultKind kind, Duration lease)
{
    const FaultInfo& fault = infoOf(kind);
    return fault.usualAmount != nullptr ? fault.usualAmount(lease) : Duration(0);
}

FaultPlan FaultPlan::only(FaultKind kind, Duration lease, int countMax)
{
    FaultPlan plan;
    plan.totalMax = countMax;
    plan.of(kind) = {countMax, usualAmount(kind, lease)};
    return plan;
}

void FaultPlan::add(FaultKind kind, Duration lease, int countMax)
{
    of(kind) = {countMax, usualAmount(kind, lease)};
    totalMax += countMax;
}

int WorldPlan::keyCount() const
{
    int count = 1;
    for (const ClientPlan& client : clients) {
        for (const Act& act : client.acts) {
            count = std::max(count, act.key + 1);
        }
    }
    return count;
}

Duration WorldPlan::leaseMax() const
{
    Duration longest{0};
    for (const ClientPlan& client : clients) {
        for (const Act& act : client.acts) {
            if (act.kind == Act::Kind::Acquire) {
                longest = std::max(longest, act.span);
            }
        }
    }
    return longest;
}

std::string WorldPlan::keyName(int key) const
{
    return keyCount() == 1 ? "k" : "k" + std::to_string(key + 1);
}

std::string clientName(int client)
{
    constexpr int kLetterCount = 26;
    std::string name(1, static_cast<char>('A' + client % kLetterCount));
    if (client >= kLetterCount) {
        name += std::to_string(client / kLetterCount);
    }
    return name;
}

} // namespace lockscope::world
