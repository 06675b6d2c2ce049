#pragma once

#include "core/kernel/protocol/lock_protocol.h"

#include <span>
#include <string_view>

namespace lockscope::protocol {

/// Every protocol that comes with the program, from the simplest to the most elaborate.
std::span<const LockProtocol* const> builtinProtocols();

/// nullptr when there is no such protocol.
const LockProtocol* findProtocol(std::string_view id);

} // namespace lockscope::protocol
