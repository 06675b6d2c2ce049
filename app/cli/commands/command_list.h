#pragma once

#include "app/cli/commands/command.h"

#include <memory>
#include <span>

namespace lockscope::cli {

using CommandMaker = std::unique_ptr<Command> (*)();

/// All commands, in the order of the help.
std::span<const CommandMaker> allCommands();

} // namespace lockscope::cli
