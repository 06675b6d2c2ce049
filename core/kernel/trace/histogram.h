#pragma once

#include "core/kernel/base/time.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace lockscope::trace {

/// How often which duration occurred. Exact below 128 µs, within 1 % above, up to about 19 hours;
/// what is longer counts as that. Fixed size, constant time.
class Histogram {
public:
    void add(Duration value, std::uint32_t times = 1);
    void merge(const Histogram& other);

    std::uint64_t count() const { return m_count; }
    Duration max() const { return m_max; }
    /// The smallest recorded duration that at least this share (0 to 1) of all does not exceed;
    /// zero when there is none. Never more than max().
    Duration quantile(double share) const;

    /// One bar: durations in [from, to).
    struct Bar {
        Duration from{0};
        Duration to{0};
        std::uint64_t count = 0;
    };
    static constexpr std::size_t kBarCount = 128 + 29 * 64;
    Bar barAt(std::size_t index) const;

private:
    static std::size_t indexOf(Duration value);

    std::array<std::uint32_t, kBarCount> m_bars{};
    std::uint64_t m_count = 0;
    Duration m_max{0};
};

} // namespace lockscope::trace
