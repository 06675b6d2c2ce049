#pragma once

#include "cli/commands/command.h"
#include "cli/options/selection.h"

#include <memory>

namespace lockscope::cli {

struct WatchArguments {
    Selection selection;
    Format format = Format::Json;
};

/// `watch`: prints changes until it is interrupted or its output is closed.
std::unique_ptr<Command> watchCommand();

} // namespace lockscope::cli
