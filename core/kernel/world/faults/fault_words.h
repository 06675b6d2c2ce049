#pragma once

#include "core/kernel/base/duration_text.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/world/step.h"
#include "core/kernel/world/world_plan.h"

#include <string>

namespace lockscope::world {

/// What the stories of faults are made of.

inline std::string amountText(const Step& step, const WorldPlan& plan)
{
    return durationText(plan.faults.of(step.fault).amount);
}

inline std::string serverText(const Step& step, const WorldPlan& plan)
{
    return plan.nodeCount > 1 ? KernelText::tr("server %1", step.node + 1)
                              : KernelText::tr("the server");
}

/// Longer than a lease, so that one that begins with the fault ends meanwhile.
inline Duration leaseAndHalf(Duration lease)
{
    return lease + lease / 2;
}

} // namespace lockscope::world
