#pragma once

#include "cli/locking_arguments.h"
#include "option_parser.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lockscope::cli {

/// The protocols that a call may name: the catalogue, and the one of --protocol-file.
std::variant<std::vector<ProtocolPtr>, app::ArgumentError> knownProtocols(const app::Words& words);

/// The protocol of that id, or an error that says what may have been meant.
std::variant<ProtocolPtr, app::ArgumentError> protocolOf(std::string_view id,
                                                         const std::vector<ProtocolPtr>& known);

/// The one of --protocol; without it that of --protocol-file, and without both `fallback` (empty:
/// there must be one). Refuses a number of servers that it cannot work with.
std::variant<ProtocolPtr, app::ArgumentError> chosenProtocol(const app::Words& words,
                                                             std::string_view fallback);

} // namespace lockscope::cli
