#include "core/kernel/search/matrix_tasks.h"

#include "core/kernel/search/default_plans.h"
#include "core/kernel/world/fault_info.h"

namespace lockscope::search {

using world::FaultKind;

std::vector<FaultKind> matrixFaults()
{
    std::vector<FaultKind> faults;
    for (const world::FaultInfo& fault : world::allFaults()) {
        faults.push_back(fault.kind);
    }
    return faults;
}

Bounds matrixBounds()
{
    Bounds bounds;
    bounds.schedulesMax = kMatrixSchedules;
    return bounds;
}

std::vector<SearchTask> matrixRow(const std::shared_ptr<const protocol::LockProtocol>& protocol,
                                  std::span<const FaultKind> faults, const Bounds& bounds)
{
    std::vector<SearchTask> tasks;
    for (const FaultKind fault : faults) {
        SearchTask task;
        task.protocol = protocol;
        task.fault = fault;
        task.plans = plansFor(protocol->info(), fault);
        task.method = SystematicSearch{bounds};
        tasks.push_back(std::move(task));
    }
    return tasks;
}

} // namespace lockscope::search
