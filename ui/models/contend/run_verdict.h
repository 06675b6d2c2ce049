#pragma once

#include "core/kernel/report/wording.h"
#include "core/kernel/search/harm.h"
#include "core/service/live_runner.h"

#include <QString>

#include <vector>

namespace lockscope::models {

/// What a live run came to, in plain words: severity 0 all is well, 1 worth a look, 2 broken. While
/// it is going on, what can be said so far. The headline is empty while there is nothing to say.
report::Verdict runVerdict(const workload::LiveRunProgress& progress,
                           const workload::Scenario& scenario, const protocol::ProtocolInfo& info);

/// What a live run that is over came to, in so few words that two of them can be compared: "two
/// holders at once", "nothing broke".
QString verdictWords(const workload::LiveRunProgress& progress, const workload::Scenario& scenario,
                     const protocol::ProtocolInfo& info);

/// Of a number of holders at once, or of readers and writers.
bool promisesExclusion(const protocol::ProtocolInfo& info);

/// What broke in it, worst first, as a search would call it.
std::vector<search::Harm> harmsIn(const workload::LiveRunProgress& progress,
                                  const workload::Scenario& scenario,
                                  const protocol::ProtocolInfo& info);

} // namespace lockscope::models
