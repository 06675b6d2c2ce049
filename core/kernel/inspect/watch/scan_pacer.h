#pragma once

#include "core/kernel/base/time.h"

#include <algorithm>
#include <cstdint>

namespace lockscope::inspect {

/// Chooses the COUNT of SCAN so that one call occupies the server for about `kTarget` and no
/// longer: larger pages cost the server no less per key, they only delay the other clients.
class ScanPacer {
public:
    static constexpr Duration kTarget = std::chrono::microseconds(250);
    static constexpr std::uint32_t kCountMin = 50;
    static constexpr std::uint32_t kCountMax = 1000;
    static constexpr std::uint32_t kCountFirst = 500;

    std::uint32_t count() const { return m_count; }

    /// A SCAN with the present count took the server about this long. Measured at our end, so it is
    /// an upper bound; one slow answer halves the count at most.
    void sawCall(Duration spent)
    {
        const double ratio = static_cast<double>(kTarget.count())
                             / static_cast<double>(std::max<Duration::rep>(spent.count(), 1));
        const double bounded = std::clamp(ratio, 0.5, 1.25);
        const auto wanted = static_cast<std::uint32_t>(static_cast<double>(m_count) * bounded);
        m_count = std::clamp(wanted, kCountMin, kCountMax);
    }

private:
    std::uint32_t m_count = kCountFirst;
};

} // namespace lockscope::inspect
