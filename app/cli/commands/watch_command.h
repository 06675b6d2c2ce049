#pragma once

#include "app/cli/commands/command.h"
#include "app/cli/options/selection.h"

#include <memory>

namespace lockscope::cli {

struct WatchArguments {
    Selection selection;
    Format format = Format::Json;
};

/// `watch`: prints changes until it is interrupted or its output is closed.
std::unique_ptr<Command> watchCommand();

} // namespace lockscope::cli
