#pragma once

#include "cli/command_table.h"

#include <vector>

namespace lockscope::cli {

/// What explore, simulate, replay and matrix are called, which options they have, and what --help
/// says about them; in the order of the help.
std::vector<CommandInfo> searchCommands();

} // namespace lockscope::cli
