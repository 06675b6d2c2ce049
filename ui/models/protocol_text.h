#pragma once

#include "core/kernel/protocol/protocol_info.h"

#include <QString>

namespace lockscope::models {

/// "one holder at a time"
QString promiseText(protocol::Promise promise);

/// All promises of a protocol in one line; those that hold under an assumption only are marked by
/// an asterisk. A sentence when it promises nothing.
QString promisesLine(const protocol::ProtocolInfo& info);

/// One line per promise, with what has to hold for it.
QString promisesInFull(const protocol::ProtocolInfo& info);

} // namespace lockscope::models
