#pragma once

#include "protocol/lock_protocol.h"

#include <memory>
#include <string>
#include <string_view>
#include <variant>

namespace lockscope::protocol {

/// What is wrong with a protocol file.
struct ProtocolFileError {
    int line = 1;       // from 1
    int column = 1;     // from 1, in bytes
    std::string reason; // one sentence

    friend bool operator==(const ProtocolFileError&, const ProtocolFileError&) = default;
};

/// A lock protocol from the text of its file: JSON with three Lua scripts, see
/// docs/own-protocols.md. Its scripts are not run, so what is wrong inside them shows only on a
/// server. A file is refused when its id is that of a built-in protocol.
std::variant<std::unique_ptr<LockProtocol>, ProtocolFileError> readProtocol(std::string_view text);

} // namespace lockscope::protocol
