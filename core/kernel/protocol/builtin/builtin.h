#pragma once

// The protocols that come with the program, one file each. The header is written from their list in
// CMakeLists.txt.
#include "builtin_protocols.h"
#include "core/kernel/protocol/lock_protocol.h"

#include <string>

namespace lockscope::protocol::builtin {

/// Id, words and claims of a protocol: what stands in the JSON file beside its class. The rest of
/// what is known about it depends on its steps, and is said there.
ProtocolInfo descriptionOf(const std::string& id);

} // namespace lockscope::protocol::builtin
