#include "app/cli/commands/command_list.h"

#include "app/cli/commands/acquire_command.h"
#include "app/cli/commands/contend_command.h"
#include "app/cli/commands/explore_command.h"
#include "app/cli/commands/formats_command.h"
#include "app/cli/commands/list_command.h"
#include "app/cli/commands/matrix_command.h"
#include "app/cli/commands/protocols_command.h"
#include "app/cli/commands/release_command.h"
#include "app/cli/commands/replay_command.h"
#include "app/cli/commands/run_command.h"
#include "app/cli/commands/show_command.h"
#include "app/cli/commands/simulate_command.h"
#include "app/cli/commands/watch_command.h"

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
