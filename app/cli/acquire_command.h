#pragma once

#include "async/task.h"
#include "cli/server_link.h"

namespace lockscope::cli {

/// `acquire`: takes a lock, keeps it for a while, gives it back. Ends with the exit code.
async::Task<int> runAcquire(Context context, AcquireArguments arguments);

} // namespace lockscope::cli
