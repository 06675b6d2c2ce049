#pragma once

#include "core/kernel/base/kernel_text.h"
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

/// See PlainWords::waiting.
inline constexpr std::string_view kDistributedLockWaiting = QT_TRANSLATE_NOOP(
    "KernelText", "No message wakes those who wait: they look again after 10 to 800 ms.");

/// The machine and the process that such an id names.
struct DistributedLockId {
    std::string_view machine;
    std::string_view process;
};

/// Of an id that isDistributedLockId().
inline DistributedLockId distributedLockIdOf(std::string_view id)
{
    const std::string_view origin = id.substr(0, id.rfind('_'));
    const std::size_t process = origin.rfind('_');
    return {origin.substr(0, process), origin.substr(process + 1)};
}

} // namespace lockscope::inspect::decoders
