#pragma once

#include "async/task.h"
#include "cli/server_link.h"

namespace lockscope::cli {

/// `replay`: runs a saved counterexample again, or tells a saved run. Ends with the exit code.
async::Task<int> runReplay(Context context, ReplayArguments arguments);

} // namespace lockscope::cli
