#pragma once

#include "async/task.h"
#include "cli/server_link.h"

namespace lockscope::cli {

/// `release KEY --owner TOKEN`: looks, compares, releases, writes it down, and sees who comes next.
/// Ends with the exit code.
async::Task<int> runRelease(Context context, ReleaseArguments arguments);

} // namespace lockscope::cli
