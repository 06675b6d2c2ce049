#pragma once

#include "core/kernel/report/run/run_file.h"
#include "core/kernel/workload/live_run.h"

#include <span>
#include <vector>

namespace lockscope::report {

/// What was seen of a live run, in the order of time.
struct LiveObservations {
    std::span<const trace::Event> events; // all of them
    std::vector<trace::ServerHold> serverHolds;
};

/// With times that count from `first`.
std::vector<trace::Event> countedFrom(Duration first, std::span<const trace::Event> events);
std::vector<trace::ServerHold> countedFrom(Duration first,
                                           std::vector<trace::ServerHold> serverHolds);

/// The end of what was observed.
Instant endOf(Instant latestEvent, std::span<const trace::ServerHold> serverHolds);

/// "20 contenders", or "20 contenders on 2 connections" where they share them.
std::string contendersText(const workload::Scenario& scenario);

/// What contenders and locks of the run are called.
trace::RunLabels labelsOf(const protocol::ProtocolInfo& info, workload::Scenario scenario,
                          const workload::LiveRunProgress& progress);

/// "redisson-lock · 32 contenders · 1 lock · lease 1.0 s · for 10.0 s · on 127.0.0.1:6379": which
/// run a result belongs to.
std::string subjectText(const workload::LiveRunOrder& order);

/// A live run as a file, as far as it is. Times count from its first event. The command that does
/// it again is up to the caller.
RunFile runFileOf(SavedProtocol protocol, const workload::Scenario& scenario,
                  const workload::LiveRunProgress& progress, LiveObservations observations);

} // namespace lockscope::report
