#include "cli/commands/command_list.h"

#include "cli/commands/acquire_command.h"
#include "cli/commands/contend_command.h"
#include "cli/commands/explore_command.h"
#include "cli/commands/formats_command.h"
#include "cli/commands/list_command.h"
#include "cli/commands/matrix_command.h"
#include "cli/commands/protocols_command.h"
#include "cli/commands/release_command.h"
#include "cli/commands/replay_command.h"
#include "cli/commands/run_command.h"
#include "cli/commands/show_command.h"
#include "cli/commands/simulate_command.h"
#include "cli/commands/watch_command.h"

#include <array>

namespace lockscope::cli {

std::span<const CommandMaker> allCommands()
{
    static constexpr std::array kCommands{
        &listCommand,     &watchCommand,   &showCommand,    &releaseCommand,   &formatsCommand,
        &runCommand,      &acquireCommand, &contendCommand, &protocolsCommand, &exploreCommand,
        &simulateCommand, &replayCommand,  &matrixCommand,
    };
    return kCommands;
}

} // namespace lockscope::cli
