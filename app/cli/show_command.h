#pragma once

#include "async/task.h"
#include "cli/server_link.h"

namespace lockscope::cli {

/// `show KEY`: one lock explained. Ends with the exit code.
async::Task<int> runShow(Context context, ShowArguments arguments);

} // namespace lockscope::cli
