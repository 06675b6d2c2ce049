#pragma once

#include "core/kernel/base/time.h"

#include <algorithm>
#include <cstdint>

namespace lockscope::inspect {

/// Chooses the COUNT of SCAN so that one call occupies the server for about `target()` and no
/// longer: larger pages cost the server no less per key, they only delay the other clients.
class ScanPacer {
public:
    /// On a server nearby, where the p99 of others is not doubled (`bench_courtesy`), and a sweep
    /// is not much slower than with pages of 250 us (`bench_scan`).
    static constexpr Duration kTargetMin = std::chrono::microseconds(150);
    static constexpr Duration kTargetMax = std::chrono::microseconds(250);
    /// A server far away rests for a round trip after each page, so that fewer of the others meet
    /// one; and with small pages a sweep would be all travelling.
    static constexpr Duration::rep kTargetsPerRoundTrip = 20;
    static constexpr std::uint32_t kCountMin = 50;
    static constexpr std::uint32_t kCountMax = 1000;
    static constexpr std::uint32_t kCountFirst = 500;

    explicit ScanPacer(Duration roundTrip = {})
        : m_target(std::clamp(roundTrip / kTargetsPerRoundTrip, kTargetMin, kTargetMax))
    {}

    Duration target() const { return m_target; }
    std::uint32_t count() const { return m_count; }

    /// A SCAN with the present count took the server about this long. Measured at our end, so it is
    /// an upper bound; one slow answer halves the count at most.
    void sawCall(Duration spent)
    {
        const double ratio = static_cast<double>(m_target.count())
                             / static_cast<double>(std::max<Duration::rep>(spent.count(), 1));
        const double bounded = std::clamp(ratio, 0.5, 1.25);
        const auto wanted = static_cast<std::uint32_t>(static_cast<double>(m_count) * bounded);
        m_count = std::clamp(wanted, kCountMin, kCountMax);
    }

private:
    Duration m_target;
    std::uint32_t m_count = kCountFirst;
};

} // namespace lockscope::inspect
