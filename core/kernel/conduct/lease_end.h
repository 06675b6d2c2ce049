#pragma once

#include "core/kernel/conduct/judge.h"
#include "core/kernel/conduct/run_log.h"
#include "core/kernel/conduct/workload.h"

#include <cstdint>

namespace lockscope::conduct {

/// The event that ends a lock whose holder is gone.
enum class LeaseEnd : std::uint8_t {
    Expiry,  // of its keys
    InValue, // the next client, when the time that the value holds is over
};

/// The lock was granted after the breach: to the client that had been refused, or to any client in
/// the probes at the end of the run. Keys without an expiry then do not mean that the lock never
/// ends.
bool wasGrantedLater(const Breach& breach, const RunLog& log, const Workload& workload);

} // namespace lockscope::conduct
