#pragma once

#include <cstdint>

namespace lockscope::store {

/// The most that watching the locks of a server may cost it; 0: as much as it takes. Everything
/// that the watch sends counts: sweeps, looks at locks that changed or ended, polls, counts of
/// waiters, lists of clients. Each of them pauses until what was sent so far is paid for, so the
/// first change after a pause is still read at once.
struct Budget {
    std::uint32_t commandsPerSecond = 0;
    std::uint64_t bytesPerSecond = 0; // sent and received
    double percent = 0;               // of the server's time: 100 is all that one thread has

    bool isBounded() const { return *this != Budget(); }
    friend bool operator==(const Budget&, const Budget&) = default;
};

} // namespace lockscope::store
