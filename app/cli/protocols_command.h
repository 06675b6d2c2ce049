#pragma once

#include "cli/locking_arguments.h"

#include <string>

namespace lockscope::cli {

/// What `protocols` prints: the catalogue, or one protocol explained.
std::string protocolsText(const ProtocolsArguments& arguments);

} // namespace lockscope::cli
