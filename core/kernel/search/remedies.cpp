#include "core/kernel/search/remedies.h"

#include "core/kernel/protocol/replicated_lock.h"
#include "core/kernel/search/matrix_tasks.h"

namespace lockscope::search {

using world::Act;
using world::WorldPlan;

namespace {

void lengthenLeases(WorldPlan& plan)
{
    const Duration longest = plan.leaseMax() * kLongerLease;
    for (world::ClientPlan& client : plan.clients) {
        for (Act& act : client.acts) {
            act.span *= act.kind == Act::Kind::Acquire ? kLongerLease : 1;
        }
    }
    plan.horizon += 2 * longest; // what a dead client holds is to run out within the run
}

void apply(Remedy remedy, SearchTask& task)
{
    if (remedy == Remedy::Replicas) {
        task.protocol = std::make_shared<const protocol::ReplicatedLock>(task.protocol);
    }
    for (WorldPlan& plan : task.plans) {
        if (remedy == Remedy::Replicas) {
            plan.hasReplicas = true;
        } else {
            lengthenLeases(plan);
        }
    }
}

} // namespace

bool isApplicable(Remedy remedy, const protocol::ProtocolInfo& info)
{
    return remedy == Remedy::LongerLease ? info.hasExpiry
                                         : info.keys != protocol::KeyUse::OnePerServer;
}

std::vector<SearchTask> matrixRowWith(std::span<const Remedy> remedies,
                                      const std::shared_ptr<const protocol::LockProtocol>& protocol,
                                      std::span<const world::FaultKind> faults,
                                      const Bounds& bounds)
{
    std::vector<SearchTask> tasks = matrixRow(protocol, faults, bounds);
    for (SearchTask& task : tasks) {
        for (const Remedy remedy : remedies) {
            apply(remedy, task);
        }
    }
    return tasks;
}

} // namespace lockscope::search
