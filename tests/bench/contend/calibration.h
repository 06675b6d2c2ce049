#pragma once

#include "core/kernel/contention/costs.h"

#include <optional>

namespace lockscope::bench {

/// What commands and answers cost on this machine, with a server of its own. Work is measured as
/// processor time, so that other programs hardly disturb it; waking up is what remains of the time
/// that one connection waits for its answers. So many contenders share the caches, but at least as
/// many as it takes to measure. Takes some seconds and runs event loops of this thread. nullopt
/// when the server does not start.
std::optional<contention::Costs> calibrate(int contenderCount);

} // namespace lockscope::bench
