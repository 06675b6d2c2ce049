#pragma once

#include <cstdint>

namespace lockscope::store {

/// What looking at the keys of a server may cost it at most; 0: as much as it takes. A sweep keeps
/// to it by pausing, however long that makes it. What follows a change of a lock is read at once;
/// the sweep waits until that is paid for as well.
struct Budget {
    std::uint32_t commandsPerSecond = 0;
    std::uint64_t bytesPerSecond = 0; // sent and received
    double percent = 0;               // of the server's time: 100 is all that one thread has

    bool isBounded() const { return *this != Budget(); }
    friend bool operator==(const Budget&, const Budget&) = default;
};

} // namespace lockscope::store
