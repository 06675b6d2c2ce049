#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/conduct/deviation.h"
#include "core/kernel/conduct/run_log.h"
#include "core/kernel/conduct/workload.h"
#include "core/kernel/world/fault_kind.h"

#include <vector>

namespace lockscope::conduct {

/// Which deviations can make a difference to the workload. Every kind has its turn, the cheapest
/// first: what breaks a lock is mostly one certain kind, and a budget may end before all of them
/// were tried. Those that show harm in a simulation (see Forecast) have turns of their own, and
/// more of them. `natural` is a run without any: it shows the messages; `scripts` are those that
/// its servers knew. What comes to the same is there once:
/// - a dead process has done what the server carried out, so it dies behind what changed a lock;
/// - that the answer to a mere question is late or lost is the same as for the request;
/// - a pause within the lease is a delay of what comes next;
/// - a poll is like the next: of a row of equal messages only the first two count.
/// Delays and pauses end when another process has asked for the lock or done something to it; of
/// what a library sends by itself also when its owner has.
std::vector<Deviation> candidatesFor(const Workload& workload, const RunLog& natural,
                                     const std::vector<world::FaultKind>& faults,
                                     const std::vector<Bytes>& scripts = {});

} // namespace lockscope::conduct
