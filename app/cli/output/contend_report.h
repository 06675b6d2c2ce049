#pragma once

#include "app/cli/commands/command_list.h"
#include "core/kernel/contention/prediction.h"
#include "core/kernel/report/run/run_json.h"
#include "core/service/live_runner.h"

#include <string>

// What `contend` prints: pure functions from values to text.
namespace lockscope::cli {

/// Verdicts, story and numbers of a run that is over.
report::RunReport contendReport(const ContendArguments& arguments,
                                const workload::LiveRunProgress& progress,
                                std::span<const trace::Event> events);

/// For people: what was run, what it cost, what broke and how.
std::string contendText(const ContendArguments& arguments,
                        const workload::LiveRunProgress& progress, const report::RunReport& report);

/// The same of what --predict computed: numbers alone, as nothing was put to the test.
report::RunReport predictionReport(const ContendArguments& arguments,
                                   const contention::Prediction& prediction);
std::string predictionText(const ContendArguments& arguments,
                           const contention::Prediction& prediction);

/// "4.2 s of 10.0 s · 1,234 acquisitions · 206/s · 3 overlaps"
std::string contendProgressLine(const workload::LiveRunProgress& progress);

} // namespace lockscope::cli
