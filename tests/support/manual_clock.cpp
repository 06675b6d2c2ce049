#include "tests/support/manual_clock.h"

#include <algorithm>
#include <utility>

namespace lockscope::testing {

async::Pending<Instant> ManualClock::wakeAt(Instant when)
{
    if (when <= m_now) {
        return async::Pending<Instant>::ready(m_now);
    }
    async::Completer<Instant> completer;
    auto pending = completer.pending();
    m_sleepers.emplace(when, std::move(completer));
    return pending;
}

WallTime ManualClock::wallNow() const
{
    return m_wallOrigin
           + std::chrono::duration_cast<std::chrono::milliseconds>(m_now.time_since_epoch());
}

void ManualClock::moveTo(Instant when)
{
    m_now = std::max(m_now, when);
    while (!m_sleepers.empty() && m_sleepers.begin()->first <= m_now) {
        m_sleepers.begin()->second.complete(m_now);
        m_sleepers.erase(m_sleepers.begin());
    }
}

std::optional<Instant> ManualClock::nextWake() const
{
    const auto sleeper = std::find_if(m_sleepers.begin(), m_sleepers.end(), [](const auto& entry) {
        return !entry.second.isAbandoned();
    });
    return sleeper != m_sleepers.end() ? std::optional(sleeper->first) : std::nullopt;
}

} // namespace lockscope::testing
