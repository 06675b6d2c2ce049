#pragma once

#include <span>
#include <vector>

namespace lockscope::wire {

/// What the calling thread reads its sockets into. One for good: a fresh large one for every
/// reading makes the allocator tidy up every time, and one for every socket is much for a thousand.
inline std::span<char> readBuffer()
{
    constexpr std::size_t kSize = 64 * 1024;
    static thread_local std::vector<char> buffer(kSize);
    return buffer;
}

} // namespace lockscope::wire
