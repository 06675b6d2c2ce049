#include "core/conduct/timer_book.h"

#include <algorithm>
#include <chrono>

namespace lockscope::conduct {

namespace {

constexpr int kShortOfLease = 8;
constexpr int kTickStepsOfLease = 8;
/// A lock that is tried again and again within the time that it may wait is no ticking.
constexpr int kShortWaitsOfTicking = 10;

/// A poll counts milliseconds. What it is for may be due a moment after it, and some who find that
/// too short for another poll turn round and round until then.
Duration lateness(WaitKind kind)
{
    return kind == WaitKind::Poll ? std::chrono::milliseconds(1) : Duration(0);
}

} // namespace

TimerBook::TimerBook(Duration lease)
    : m_shortWait(lease / kShortOfLease),
      m_tickStep(lease / kTickStepsOfLease)
{}

std::optional<Duration> TimerBook::nextStop(std::span<const Waiter> waiters, Duration now)
{
    std::optional<Duration> next;
    for (const Waiter& waiter : waiters) {
        if (waiter.deadline != Duration::max()) {
            const Duration due = waiter.deadline + lateness(waiter.kind);
            const Duration stop = ticks(waiter, now) ? std::max(due, now + m_tickStep) : due;
            next = std::min(next.value_or(stop), stop);
        }
    }
    return next;
}

bool TimerBook::ticks(const Waiter& waiter, Duration now)
{
    if (waiter.tid == 0) {
        return false; // a timerfd, which nobody may be waiting for
    }
    Thread& thread = m_threads[waiter.tid];
    if (thread.deadline != waiter.deadline) {
        thread.deadline = waiter.deadline;
        thread.shortWaits = waiter.deadline - now <= m_shortWait ? thread.shortWaits + 1 : 0;
    }
    return thread.shortWaits >= kShortWaitsOfTicking;
}

} // namespace lockscope::conduct
