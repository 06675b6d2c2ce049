#pragma once

#include "async/executor.h"
#include "base/clock.h"
#include "cli/output/output.h"
#include "store/endpoint.h"

#include <vector>

namespace lockscope::cli {

/// What a command works with. Everything outlives the command.
struct Context {
    async::Executor& executor;
    Clock& clock;
    Output& output;
    const std::vector<store::Endpoint>& endpoints;
};

} // namespace lockscope::cli
