#pragma once

#include "async/task.h"
#include "cli/server_link.h"

namespace lockscope::cli {

/// `contend`: runs contenders until the time is over or somebody interrupts, and reports. Ends with
/// the exit code.
async::Task<int> runContend(Context context, ContendArguments arguments);

} // namespace lockscope::cli
