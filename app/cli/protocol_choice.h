#pragma once

#include "cli/locking_arguments.h"
#include "option_parser.h"
#include "report/saved_protocol.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lockscope::cli {

/// The file of the user's own protocol: --protocol-file FILE, or --protocol with a file's name.
std::optional<std::string> ownFileOf(const app::Words& words);

/// The protocols that a call may name: the catalogue, and the one of --protocol-file.
std::variant<std::vector<ProtocolPtr>, app::ArgumentError> knownProtocols(const app::Words& words);

/// The protocol of that id, or an error that says what may have been meant.
std::variant<ProtocolPtr, app::ArgumentError> protocolOf(std::string_view id,
                                                         const std::vector<ProtocolPtr>& known);

/// The one of --protocol; without it that of --protocol-file, and without both `fallback` (empty:
/// there must be one). Refuses a number of servers that it cannot work with.
std::variant<ProtocolPtr, app::ArgumentError> chosenProtocol(const app::Words& words,
                                                             std::string_view fallback);

/// A protocol by its id, or by the name of a file (with a slash, or ending in .json).
std::variant<report::SavedProtocol, app::ArgumentError> savedProtocol(const std::string& word);
std::variant<report::SavedProtocol, app::ArgumentError> savedProtocolOfFile(
    const std::string& path);

/// What is in the file; `what` is how an error calls it: "the scenario".
std::variant<std::string, app::ArgumentError> contentOf(const std::string& path,
                                                        std::string_view what);

} // namespace lockscope::cli
