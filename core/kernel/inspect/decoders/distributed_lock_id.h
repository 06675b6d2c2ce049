#pragma once

#include "core/kernel/inspect/decoders/token_shapes.h"

#include <string_view>

namespace lockscope::inspect::decoders {

/// <machine>_<process>_<32 hexadecimal digits>: what DistributedLock.Redis calls a lock id.
inline bool isDistributedLockId(std::string_view text)
{
    constexpr std::size_t kRandomSize = 32;
    if (text.size() < kRandomSize + 4 || text[text.size() - kRandomSize - 1] != '_'
        || !isHex(text.substr(text.size() - kRandomSize), kRandomSize)) {
        return false;
    }
    text.remove_suffix(kRandomSize + 1);
    const std::size_t process = text.rfind('_');
    return process != std::string_view::npos && process > 0
           && decimalOf(text.substr(process + 1)).has_value();
}

} // namespace lockscope::inspect::decoders
