#pragma once

#include "app/cli/commands/command.h"
#include "app/cli/options/protocol_choice.h"

#include <memory>
#include <vector>

namespace lockscope::cli {

struct ProtocolsArguments {
    std::vector<ProtocolPtr> protocols; // the catalogue, and behind it one of the user's own
    ProtocolPtr chosen;                 // the one to explain; null: list all
    Format format = Format::Table;
};

/// `protocols`: the catalogue, or one protocol explained.
std::unique_ptr<Command> protocolsCommand();

} // namespace lockscope::cli
