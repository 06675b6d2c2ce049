#pragma once

#include "live_runner.h"
#include "report/run_file.h"

#include <span>

namespace lockscope::service {

/// A live run as a file, as far as it is. Times count from its first event. `events`: all of them,
/// in order. The command that does it again is up to the caller.
report::RunFile runFileOf(report::SavedProtocol protocol, const workload::Scenario& scenario,
                          const LiveRunProgress& progress, std::span<const trace::Event> events);

} // namespace lockscope::service
