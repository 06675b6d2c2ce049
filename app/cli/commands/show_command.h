#pragma once

#include "app/cli/commands/command.h"
#include "core/kernel/base/bytes.h"

#include <memory>

namespace lockscope::cli {

struct ShowArguments {
    Bytes key;
    Format format = Format::Table;
};

/// `show KEY`: one lock explained.
std::unique_ptr<Command> showCommand();

} // namespace lockscope::cli
