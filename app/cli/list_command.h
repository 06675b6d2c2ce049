#pragma once

#include "async/task.h"
#include "cli/server_link.h"

namespace lockscope::cli {

/// `list`: one complete look at every server, then everything at once, or nothing. Ends with the
/// exit code.
async::Task<int> runList(Context context, ListArguments arguments);

} // namespace lockscope::cli
