#pragma once

#include "async/task.h"
#include "cli/server_link.h"

namespace lockscope::cli {

/// `run`: holds a lock around a command. Ends with the exit code, when the command has ended and
/// the lock was given back.
async::Task<int> runRun(Context context, RunArguments arguments);

} // namespace lockscope::cli
