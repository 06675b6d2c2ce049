#pragma once

#include "async/task.h"
#include "cli/server_link.h"

namespace lockscope::cli {

/// `simulate`: seeded random runs in virtual time. Ends with the exit code.
async::Task<int> runSimulate(Context context, SimulateArguments arguments);

} // namespace lockscope::cli
