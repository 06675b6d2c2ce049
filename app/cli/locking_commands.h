#pragma once

#include "cli/command_table.h"

#include <vector>

namespace lockscope::cli {

/// What protocols, run, acquire and contend are called, which options they have, and what --help
/// says about them; in the order of the help.
std::vector<CommandInfo> lockingCommands();

} // namespace lockscope::cli
