#pragma once

#include "core/kernel/report/run_file.h"
#include "core/service/live_runner.h"

#include <span>
#include <vector>

namespace lockscope::service {

/// What was seen of a live run, in the order of time.
struct LiveObservations {
    std::span<const trace::Event> events; // all of them
    std::vector<trace::ServerHold> serverHolds;
};

/// A live run as a file, as far as it is. Times count from its first event. The command that does
/// it again is up to the caller.
report::RunFile runFileOf(report::SavedProtocol protocol, const workload::Scenario& scenario,
                          const LiveRunProgress& progress, LiveObservations sights);

} // namespace lockscope::service
