#pragma once

#include "app/arguments.h"
#include "app/cli/commands/command_list.h"

#include <string>

// What --help prints, and the synopsis of the manual page: made of what the commands say.
namespace lockscope::cli {

/// A command with all its options, those of the servers and the general ones included.
struct DeclaredCommand {
    explicit DeclaredCommand(CommandMaker make);

    std::unique_ptr<Command> command;
    app::ServerOptions servers;
    app::OptionSet options;
};

std::string programHelp(std::span<const CommandMaker> commands);
std::string commandHelp(const DeclaredCommand& declared);

/// One call per command, in the language of man pages.
std::string manualSynopsis(std::span<const CommandMaker> commands);

} // namespace lockscope::cli
