#pragma once

#include "core/kernel/contention/costs.h"
#include "core/kernel/protocol/lock_protocol.h"
#include "core/kernel/trace/run_statistics.h"
#include "core/kernel/workload/scenario.h"

#include <functional>
#include <string>

namespace lockscope::contention {

/// What a run would come to.
struct Prediction {
    /// As a live run counts them: what happens after the scenario's duration, while all contenders
    /// release, counts as well, and the duration is the elapsed time.
    trace::RunStatistics statistics;
    double serverLoad = 0; // of one processor, 0 to 1: the busiest server
    double driverLoad = 0; // likewise: the busiest thread of the clients
};

/// Runs the scenario in virtual time on `serverCount` modelled servers. The result depends on the
/// arguments and on nothing else; on the same machine, and on any other with the same compiler, it
/// is the same each time. Takes, and uses up, as much processor time as the coroutines and scripts
/// of the run need: some microseconds for a command. Asks `goOn` a hundred times a second or more,
/// and ends early with an empty result when it says no. Any thread.
Prediction predict(
    const protocol::LockProtocol& protocol, const workload::Scenario& scenario, const Costs& costs,
    int serverCount = 1, const std::function<bool()>& goOn = [] { return true; });

/// What the costs are those of, and what a prediction does not say: two sentences.
std::string predictionCaveat();

} // namespace lockscope::contention
