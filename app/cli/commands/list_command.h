#pragma once

#include "app/cli/commands/command.h"
#include "app/cli/options/selection.h"

#include <memory>

namespace lockscope::cli {

struct ListArguments {
    Selection selection;
    Format format = Format::Table;
    bool listsNearMisses = false; // instead of the locks
};

/// `list`: one complete look at every server, then everything at once, or nothing.
std::unique_ptr<Command> listCommand();

} // namespace lockscope::cli
