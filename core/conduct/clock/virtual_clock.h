#pragma once

#include "core/conduct/clock/clock_page.h"
#include "core/kernel/base/time.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockscope::conduct {

/// What a thread waits in, as in LockscopeWaitKind.
enum class WaitKind { Sleep = 1, Poll, Condition, Semaphore, Futex };

/// A thread of a client in a timed wait.
struct Waiter {
    std::int32_t pid = 0;
    std::int32_t tid = 0;
    WaitKind kind = WaitKind::Sleep;
    Duration deadline{}; ///< since the start, rounded up: moved there, the clock ends the wait.
                         ///< Duration::max() for one without end

    friend bool operator==(const Waiter&, const Waiter&) = default;
};

/// The clock of client processes that have liblockscope-vclock.so in LD_PRELOAD and path() in
/// LOCKSCOPE_CLOCK_PAGE. It belongs to one thread; the processes read it at any time. Starts at 0
/// and frozen. The page is a file in memory, for this user alone and of a fixed size. It has no
/// name in any folder, so nothing is left behind however the program ends; processes that have it
/// still run on, on a clock that stands. They may write to the page, but the time that this object
/// tells does not depend on what they write.
class VirtualClock {
public:
    /// Throws std::system_error when the page cannot be made.
    VirtualClock();
    ~VirtualClock();
    VirtualClock(const VirtualClock&) = delete;
    VirtualClock& operator=(const VirtualClock&) = delete;

    /// Can be opened by the processes of this user as long as the object exists.
    std::string path() const;

    /// Since the start; rounded down.
    Duration now() const;
    /// What the wall clock of the processes showed at the start.
    std::chrono::sys_time<Duration> begin() const;
    /// Never backwards: by 0 at least. Wakes every wait whose deadline has come; it ends a moment
    /// later (clock_page.h has figures).
    void moveBy(Duration by);
    /// Whether real time counts besides. What the clock shows does not jump.
    void setFlowing(bool flowing);
    bool isFlowing() const { return m_isFlowing; }

    /// Of all processes, in no order. Waits whose deadline has passed are among them until they
    /// have ended.
    std::vector<Waiter> waiters() const;
    std::vector<Waiter> waitersOf(std::int32_t pid) const;
    /// The earliest of all waits, or of those of some processes; none if nobody waits with one.
    std::optional<Duration> nextDeadline() const;
    std::optional<Duration> nextDeadline(std::span<const std::int32_t> pids) const;
    /// After the end of a process, and only then: one that was killed cannot do it.
    void clearSlotsOf(std::int32_t pid);

private:
    std::int64_t nowNs() const;
    void announce();

    int m_file = -1;
    LockscopeClockPage* m_page = nullptr;
    std::int64_t m_monotonicBaseNs = 0;
    std::int64_t m_realtimeBaseNs = 0;
    std::int64_t m_movedNs = 0;
    bool m_isFlowing = false;
};

} // namespace lockscope::conduct
