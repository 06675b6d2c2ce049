#pragma once

#include "async/task.h"
#include "cli/server_link.h"

namespace lockscope::cli {

/// `matrix`: protocols and faults, each cell a verdict. Ends with the exit code.
async::Task<int> runMatrix(Context context, MatrixArguments arguments);

} // namespace lockscope::cli
