#pragma once

#include "app/arguments.h"
#include "app/cli/commands/command_list.h"

#include <memory>
#include <span>
#include <string>
#include <variant>

namespace lockscope::cli {

/// A call of lockscope-cli that can be run.
struct CliArguments {
    app::ServerArguments servers; // none for commands that need none
    std::unique_ptr<Command> command;
};

/// `words` without the name of the program. An error says how to get help.
std::variant<CliArguments, app::Information, app::ArgumentError> parseCliArguments(
    std::span<const std::string> words, const app::Environment& environment,
    std::span<const CommandMaker> commands = allCommands());

} // namespace lockscope::cli
