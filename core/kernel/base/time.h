#pragma once

#include <chrono>
#include <cstdint>

namespace lockscope {

/// Every span of time in the kernel.
using Duration = std::chrono::microseconds;

/// Tag of the time line that a Clock measures. It is monotonic and its origin means nothing:
/// instants are only compared with and subtracted from each other.
struct Timeline {
    using duration = Duration;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<Timeline>;
    static constexpr bool is_steady = true;
};

/// A point on the time line of the Clock that was handed in.
using Instant = std::chrono::time_point<Timeline, Duration>;

/// A point in wall-clock time, in milliseconds since 1970 (UTC), as lock values and servers state
/// it. Whose clock it was is said where it is stored.
using WallTime = std::chrono::sys_time<std::chrono::milliseconds>;

constexpr std::int64_t toMs(Duration d)
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(d).count();
}

constexpr std::int64_t toEpochMs(WallTime t)
{
    return t.time_since_epoch().count();
}

constexpr WallTime wallTimeOfMs(std::int64_t epochMs)
{
    return WallTime(std::chrono::milliseconds(epochMs));
}

} // namespace lockscope
