#include "app/cli/commands/command_list.h"

#include <array>

namespace lockscope::cli {

std::span<const CommandMaker> allCommands()
{
    static constexpr std::array kCommands{
        &listCommand,       &watchCommand,     &exportCommand,  &showCommand,     &releaseCommand,
        &disconnectCommand, &auditCommand,     &formatsCommand, &treatCommand,    &aclCommand,
        &treeCommand,       &whoCommand,       &doctorCommand,  &runCommand,      &acquireCommand,
        &contendCommand,    &protocolsCommand, &exploreCommand, &simulateCommand, &replayCommand,
        &matrixCommand,     &mergeCommand,     &adviseCommand,  &lintCommand,     &proveCommand,
        &completionCommand,
    };
    return kCommands;
}

} // namespace lockscope::cli
