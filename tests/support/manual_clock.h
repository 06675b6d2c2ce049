#pragma once

#include "core/kernel/base/clock.h"

#include <map>
#include <optional>

namespace lockscope::testing {

/// A clock that stands still until the test moves it.
class ManualClock final : public Clock {
public:
    Instant now() const override { return m_now; }
    async::Pending<Instant> wakeAt(Instant when) override;
    WallTime wallNow() const override;

    /// Moves on, never back, and wakes all sleepers that are due by then.
    void moveTo(Instant when);
    void moveBy(Duration span) { moveTo(m_now + span); }

    /// When the next sleeper that still waits wants to be woken.
    std::optional<Instant> nextWake() const;

    /// What the wall clock says at the clock's origin. 2026-11-19 12:00:00 UTC unless told
    /// otherwise.
    void setWallOrigin(WallTime origin) { m_wallOrigin = origin; }

private:
    Instant m_now{std::chrono::hours(1)};
    WallTime m_wallOrigin{std::chrono::sys_days(std::chrono::November / 19 / 2026)
                          + std::chrono::hours(11)};
    std::multimap<Instant, async::Completer<Instant>> m_sleepers;
};

} // namespace lockscope::testing
