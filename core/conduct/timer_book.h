#pragma once

#include "core/conduct/clock/virtual_clock.h"
#include "core/kernel/base/time.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>

namespace lockscope::conduct {

/// Knows which threads only tick: those that wait for a short while again and again, such as the
/// housekeeping of a JVM and the wheel of Netty's timers. A clock that stopped for each of their
/// ticks would need hundreds of steps for a lease.
class TimerBook {
public:
    /// Ticks are short by comparison with the lease.
    explicit TimerBook(Duration lease);

    /// Where the clock goes next: to the first timer of a thread that does not tick, or as far as
    /// ticks may wait. nullopt where nobody waits. `waiters` of processes at rest. Ask once for
    /// each step: the answers before are what ticking is known from.
    std::optional<Duration> nextStop(std::span<const Waiter> waiters, Duration now);

private:
    struct Thread {
        Duration deadline{}; // of its latest wait
        int shortWaits = 0;  // one after the other, up to now
    };

    bool ticks(const Waiter& waiter, Duration now);

    Duration m_shortWait;                     // no longer than that
    Duration m_tickStep;                      // as long as ticks may wait
    std::map<std::int32_t, Thread> m_threads; // by number
};

} // namespace lockscope::conduct
