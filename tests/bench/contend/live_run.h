#pragma once

#include "core/service/live_runner.h"
#include "tests/bench/contend/processor_time.h"

#include <optional>

namespace lockscope::wire {
class PrivateServer;
} // namespace lockscope::wire

namespace lockscope::bench {

/// A live run, and what it took from the processors while it was running.
struct LiveRun {
    trace::RunStatistics statistics;
    ProcessorTime server;
    ProcessorTime driver; // the thread of the contenders

    double loadOf(const ProcessorTime& time) const;
    /// How much of the time one of the two was ready to work and had no processor.
    double waitedShare() const;
};

/// Runs the order, with one thread, on that server, by an event loop of this thread. nullopt when
/// it fails.
std::optional<LiveRun> runLive(workload::LiveRunOrder order, const wire::PrivateServer& server);

} // namespace lockscope::bench
