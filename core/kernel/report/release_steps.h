#pragma once

#include "core/kernel/inspect/release_plan.h"

#include <string>
#include <vector>

namespace lockscope::report {

/// What the plan's command does on each server, one sentence per step, in the order in which the
/// script does it: "Stop unless the value of order:42 is "5f0c…"."; "Delete order:42.". The steps
/// are one script, so nothing happens between them. Names and values are escaped; of a long list
/// the first few are named. Empty for a recipe that is not supported.
std::vector<std::string> releaseSteps(const inspect::ReleasePlan& plan);

} // namespace lockscope::report
