#pragma once

#include "core/kernel/inspect/observation.h"
#include "core/kernel/inspect/release_plan.h"

#include <string>
#include <vector>

namespace lockscope::report {

/// A command as one types it at the prompt of redis-cli, and what it is for.
struct ByHand {
    std::string purpose;
    std::string command;
};

/// Looks at everything that belongs to the lock.
std::vector<ByHand> inspectionByHand(const inspect::LockSnapshot& snapshot,
                                     const inspect::ReleasePlan* plan);

/// One by one what a release of what was seen does, and last all of it at once, which is the safe
/// way.
std::vector<ByHand> releaseByHand(const inspect::ReleasePlan& plan,
                                  const inspect::LockSnapshot& snapshot);

} // namespace lockscope::report
