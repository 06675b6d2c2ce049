#pragma once

#include <cstdint>
#include <string_view>

namespace lockscope::inspect {

/// What it means that a name sounds like a lock; see soundsLikeLock().
enum class LockNaming : std::uint8_t {
    None,     // it does not
    Aside,    // the word belongs to something else: package-lock, locker:7, lock:attempts
    Doubtful, // the lock, or the state of what the name names: user:42:locked, door:7:lock
    Clear,    // lock:order:42, order_lock
};

/// Asked for the names of keys that were read, not for those of a whole sweep.
LockNaming lockNamingOf(std::string_view key);

} // namespace lockscope::inspect
