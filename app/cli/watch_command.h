#pragma once

#include "async/task.h"
#include "cli/server_link.h"

namespace lockscope::cli {

/// `watch`: prints changes until it is interrupted or nobody reads them any more. Ends with the
/// exit code.
async::Task<int> runWatch(Context context, WatchArguments arguments);

} // namespace lockscope::cli
