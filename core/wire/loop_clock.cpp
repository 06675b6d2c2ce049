#include "loop_clock.h"

#include <algorithm>
#include <chrono>

namespace lockscope::wire {

namespace {

/// Dropped sleepers leave when their time comes, or earlier when there are this many.
constexpr std::size_t kSleepersBeforePruning = 4096;

} // namespace

LoopClock::LoopClock(QObject* parent)
    : QObject(parent),
      m_timer(this) // moves to another thread with this
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &LoopClock::wakeDue);
}

Instant LoopClock::present()
{
    const auto sinceBoot = std::chrono::steady_clock::now().time_since_epoch();
    return Instant(std::chrono::duration_cast<Duration>(sinceBoot));
}

WallTime LoopClock::wallNow() const
{
    return std::chrono::time_point_cast<std::chrono::milliseconds>(
        std::chrono::system_clock::now());
}

async::Pending<Instant> LoopClock::wakeAt(Instant when)
{
    if (m_sleepers.size() >= kSleepersBeforePruning) {
        std::erase_if(m_sleepers, [](const auto& sleeper) { return sleeper.second.isAbandoned(); });
    }
    async::Completer<Instant> completer;
    auto pending = completer.pending();
    m_sleepers.emplace(when, std::move(completer));
    arm();
    return pending;
}

void LoopClock::wakeDue()
{
    const Instant present = now();
    while (!m_sleepers.empty() && m_sleepers.begin()->first <= present) {
        m_sleepers.begin()->second.complete(present);
        m_sleepers.erase(m_sleepers.begin());
    }
    arm();
}

void LoopClock::arm()
{
    while (!m_sleepers.empty() && m_sleepers.begin()->second.isAbandoned()) {
        m_sleepers.erase(m_sleepers.begin());
    }
    if (m_sleepers.empty()) {
        m_timer.stop();
        return;
    }
    // Rounded up: waking early would only mean waking twice.
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(m_sleepers.begin()->first
                                                                   - now());
    const auto longest = std::chrono::milliseconds(std::chrono::hours(24));
    m_timer.start(std::clamp(wait, std::chrono::milliseconds(0), longest));
}

} // namespace lockscope::wire
