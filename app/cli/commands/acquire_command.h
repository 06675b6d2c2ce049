#pragma once

#include "app/cli/commands/command.h"
#include "app/cli/options/lock_acquisition.h"

#include <memory>

namespace lockscope::cli {

struct AcquireArguments {
    LockAcquisition lock;
    Duration hold{0};
    Format format = Format::Table;
};

/// `acquire`: takes a lock, keeps it for a while, gives it back.
std::unique_ptr<Command> acquireCommand();

} // namespace lockscope::cli
