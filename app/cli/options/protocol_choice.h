#pragma once

#include "app/option_set.h"
#include "core/kernel/protocol/lock_protocol.h"
#include "core/kernel/report/run/saved_protocol.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

// Which protocol a call means. What is wrong is thrown, as an ArgumentError.
namespace lockscope::cli {

/// Built-in protocols are shared without owning.
using ProtocolPtr = std::shared_ptr<const protocol::LockProtocol>;

/// What was typed: --protocol and --protocol-file.
struct ProtocolChoice {
    std::string id; // or the name of a file: with a slash, or ending in .json
    std::string file;

    /// The file of the user's own protocol; empty: it is built in.
    std::string ownFile() const;
};

inline constexpr std::string_view kProtocolFileHelp =
    "Custom protocol, as JSON; used if --protocol is\nomitted.";

/// The protocols that a call may name: the catalogue, and the user's own one.
std::vector<ProtocolPtr> knownProtocols(const ProtocolChoice& choice);

/// The protocol of that id.
ProtocolPtr protocolOf(std::string_view id, const std::vector<ProtocolPtr>& known);

/// The one that was chosen; `fallback` without a choice (empty: there must be one). Refuses a
/// number of servers that it cannot work with.
ProtocolPtr chosenProtocol(const ProtocolChoice& choice, std::string_view fallback,
                           std::size_t serverCount);

/// A protocol by its id, or by the name of a file.
report::SavedProtocol savedProtocol(const std::string& word);
report::SavedProtocol savedProtocolOfFile(const std::string& path);

/// What is in the file; `what` is how an error calls it: "the scenario".
std::string contentOf(const std::string& path, std::string_view what, std::size_t sizeMax);

} // namespace lockscope::cli
