#pragma once

#include "app/cli/output/output.h"
#include "core/kernel/async/executor.h"
#include "core/kernel/base/clock.h"
#include "core/kernel/store/endpoint.h"

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
