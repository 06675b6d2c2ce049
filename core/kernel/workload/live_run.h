#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/time.h"
#include "core/kernel/protocol/lock_protocol.h"
#include "core/kernel/store/endpoint.h"
#include "core/kernel/store/problem.h"
#include "core/kernel/trace/event.h"
#include "core/kernel/trace/run_statistics.h"
#include "core/kernel/workload/contender_life.h"
#include "core/kernel/workload/leftover.h"
#include "core/kernel/workload/scenario.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace lockscope::workload {

/// What to run, and where.
struct LiveRunOrder {
    Scenario scenario;
    std::shared_ptr<const protocol::LockProtocol> protocol; // built-in ones are shared without
                                                            // owning
    /// Where; several for a protocol of several masters. Empty: private servers are started for
    /// the run and stopped after it.
    std::vector<store::Endpoint> servers;
    int privateServerCount = 1; // of those
    int threadCount = 2;
};

/// One contender at a glance.
struct ContenderStatus {
    trace::ContenderId id = 0;
    Activity activity = Activity::Thinking;
    trace::LockId lock = 0;
    Instant since{};
    std::uint64_t acquisitions = 0;
};

/// How a run is doing, some ten times a second.
struct LiveRunProgress {
    enum class Phase {
        Idle,     // no run yet
        Starting, // servers and connections
        Running,
        Parked,   // paused by the user: no contender holds or waits
        Stopping, // holders release
        Finished,
        Failed, // see problem
    };

    Phase phase = Phase::Idle;
    Instant at{};         // when this was true, on the time line of ContenderStatus::since
    Duration elapsed{0};  // of running, parking not counted
    Duration duration{0}; // as ordered
    trace::RunStatistics statistics;
    double recentPerSecond = 0; // acquisitions over the last second
    std::vector<ContenderStatus> contenders;
    std::vector<store::Endpoint> servers; // where it runs
    /// Of the keys of this run: the ordered prefix and a number that no other run has.
    Bytes keyPrefix;
    store::Problem problem;
    /// See ContenderLife::refusal(): of the contender that had it first.
    std::optional<store::Problem> refusal{};
    std::uint64_t droppedEventCount = 0; // beyond the bound of the log
    /// After the end: keys of the run that are still there although no crash was asked for, and
    /// those left by crashes.
    std::vector<Leftover> leftBehind;
};

} // namespace lockscope::workload
