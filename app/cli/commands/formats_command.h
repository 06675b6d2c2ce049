#pragma once

#include "app/cli/commands/command.h"

#include <memory>

namespace lockscope::cli {

struct FormatsArguments {
    Format format = Format::Table;
};

/// `formats`: every format that is recognised, one line or object each.
std::unique_ptr<Command> formatsCommand();

} // namespace lockscope::cli
