#pragma once

#include "async/task.h"
#include "cli/server_link.h"

namespace lockscope::cli {

/// `explore`: looks at every run within the bounds and prints verdicts and the shortest
/// counterexample. Ends with the exit code.
async::Task<int> runExplore(Context context, ExploreArguments arguments);

} // namespace lockscope::cli
