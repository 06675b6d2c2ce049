#include "core/wire/loop_clock.h"

#include <algorithm>
#include <chrono>

namespace lockscope::wire {

namespace {

/// Dropped sleepers leave when their time comes, or earlier when there are this many.
constexpr std::size_t kSleepersBeforePruning = 4096;
/// Waking the thread, and then the server that the woken tasks talk to, takes longer than what each
/// of them has to do: tasks that are due this soon after others wait to be woken together.
constexpr Duration kBetweenWakings = std::chrono::microseconds(200);

} // namespace

LoopClock::LoopClock(QObject* parent)
    : QObject(parent),
      m_alarm(this) // moves to another thread with this
{
    connect(&m_alarm, &Alarm::rang, this, &LoopClock::wakeDue);
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
    m_notBefore = present + kBetweenWakings;
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
        m_alarm.cancel();
    } else {
        m_alarm.setFor(std::max(m_sleepers.begin()->first, m_notBefore));
    }
}

} // namespace lockscope::wire
