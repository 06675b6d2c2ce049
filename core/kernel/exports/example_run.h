#pragma once

#include "core/kernel/report/run/counterexample_file.h"
#include "core/kernel/report/run/run_file.h"
#include "core/kernel/search/replayed_run.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lockscope::exports {

/// A counterexample that was replayed, recorded as it goes on to its end. The command that does it
/// again is up to the caller.
report::RunFile runFileOf(const report::CounterexampleFile& example, const search::ReplayedRun& run,
                          std::vector<search::StoryLine> story);

/// Replays it and tells it; or why it cannot be replayed, in one sentence. `name` is how the
/// sentence calls the file.
std::variant<report::RunFile, std::string> replayed(const report::CounterexampleFile& example,
                                                    std::string_view name);

} // namespace lockscope::exports
