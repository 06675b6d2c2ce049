#include "core/kernel/inspect/watch/budget_pace.h"

#include <algorithm>
#include <chrono>

namespace lockscope::inspect {

namespace {

constexpr double kCommandsPerKeyMax = 4; // of nearly all keys
constexpr double kBytesPerKey = 400;     // both ways, about
/// These take the server about a hundred microseconds: others do not notice.
constexpr std::size_t kKeysOfAShare = 32;
/// A piece that is paid for in so short a time delays nothing that anybody would notice.
constexpr double kSecondsPerPiece = 0.1;

Duration secondsOf(double seconds)
{
    return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
}

} // namespace

BudgetPace::BudgetPace(store::Store& store, Clock& clock, store::Budget budget)
    : m_store(store),
      m_clock(clock),
      m_budget(budget),
      m_paid(store.usage())
{}

std::size_t BudgetPace::keysAtOnce(std::size_t usual) const
{
    auto keys = static_cast<double>(m_budget.percent != 0 ? std::min(usual, kKeysOfAShare) : usual);
    if (m_budget.commandsPerSecond != 0) {
        keys = std::min(keys, m_budget.commandsPerSecond * kSecondsPerPiece / kCommandsPerKeyMax);
    }
    if (m_budget.bytesPerSecond != 0) {
        const auto bytes = static_cast<double>(m_budget.bytesPerSecond);
        keys = std::min(keys, bytes * kSecondsPerPiece / kBytesPerKey);
    }
    return std::max(static_cast<std::size_t>(keys), std::size_t(1));
}

/// The dearest of its limits counts.
Duration BudgetPace::priceSinceLastTime(Instant begunAt) const
{
    const store::Usage usage = m_store.usage();
    double seconds = 0;
    if (m_budget.commandsPerSecond != 0) {
        const auto commands = static_cast<double>(usage.commandCount - m_paid.commandCount);
        seconds = std::max(seconds, commands / m_budget.commandsPerSecond);
    }
    if (m_budget.bytesPerSecond != 0) {
        const auto bytes = static_cast<double>(usage.bytes() - m_paid.bytes());
        seconds = std::max(seconds, bytes / static_cast<double>(m_budget.bytesPerSecond));
    }
    if (m_budget.percent != 0) {
        const std::chrono::duration<double> busy = m_clock.now() - begunAt;
        seconds = std::max(seconds, busy.count() * 100 / m_budget.percent);
    }
    return secondsOf(seconds);
}

async::Task<void> BudgetPace::settle(Instant begunAt)
{
    if (!isBounded()) {
        co_return;
    }
    m_paidUntil = std::max(m_paidUntil, begunAt) + priceSinceLastTime(begunAt);
    m_paid = m_store.usage();
    if (m_clock.now() < m_paidUntil) {
        co_await m_clock.wakeAt(m_paidUntil);
    }
}

} // namespace lockscope::inspect
