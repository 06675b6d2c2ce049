#pragma once

#include <cstddef>
#include <cstdint>

namespace lockscope::inspect {

/// What watching costs a server, per second.
struct WatchWork {
    double requestsPerSecond = 0;  // the watcher's own: commands that are sent together are one
    double commandsPerSecond = 0;  // the watcher's own
    double executionPerSecond = 0; // seconds that these took by the server's own account
    double bytesPerSecond = 0;     // of these and their replies
    double messagesPerSecond = 0;  // news of changed keys that it is sent
    double writesPerSecond = 0;    // of all clients: with tracking on, each is looked at for us
    bool isTracking = false;       // CLIENT TRACKING … BCAST
    std::size_t prefixCount = 0;   // that each write is compared with; 0: every key is reported
    std::size_t patternCount = 0;  // that each keyspace event is compared with
};

/// What that takes of one core of the server, from 0 to 1 and beyond. An estimate by the figures of
/// docs/benchmarks.md; other machines differ by a small factor.
double coreShareOf(const WatchWork& work);

/// Up to here it costs the server next to nothing to tell about every key: messages a second about
/// keys that are no locks.
inline constexpr std::uint64_t kUnrelatedMessagesMax = 500;

/// How many prefixes may be tracked so that comparing each of `writesPerSecond` writes with them
/// stays within a small part of a core; at least four, at most 64.
std::size_t prefixesWorthTheirCost(double writesPerSecond);

} // namespace lockscope::inspect
