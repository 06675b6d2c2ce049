#pragma once

#include "app/cli/commands/command.h"
#include "app/cli/options/lock_acquisition.h"

#include <memory>
#include <string>
#include <vector>

namespace lockscope::cli {

struct RunArguments {
    LockAcquisition lock;
    Duration killAfter = std::chrono::seconds(10); // between SIGTERM and SIGKILL
    std::vector<std::string> command;              // the program and its arguments
};

/// `run`: holds a lock around a command.
std::unique_ptr<Command> runCommand();

} // namespace lockscope::cli
