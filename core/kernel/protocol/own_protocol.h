#pragma once

#include "core/kernel/protocol/json_file.h"
#include "core/kernel/protocol/lock_protocol.h"
#include "core/kernel/protocol/own_lock.h"

#include <memory>
#include <string>
#include <string_view>
#include <variant>

namespace lockscope::protocol {

using ProtocolFileError = FileError;

/// A lock protocol from the text of its file: JSON with three Lua scripts, see
/// docs/own-protocols.md. Its scripts are not run, so what is wrong inside them shows only on a
/// server. A file is refused when its id is that of a built-in protocol.
std::variant<std::unique_ptr<LockProtocol>, ProtocolFileError> readProtocol(std::string_view text);

/// What such a file says, for those who look at the steps themselves.
std::variant<OwnLockPlan, ProtocolFileError> readOwnLockPlan(std::string_view text);

} // namespace lockscope::protocol
