#pragma once

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/store/limits.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

namespace lockscope::inspect {

/// Notices a walk by SCAN that would never come to its end, in constant memory. A walk visits every
/// bucket of the server's table once, in an order in which no cursor comes twice.
class ScanLoopCheck {
public:
    /// `total`: the keys that the server says it has; nullopt when it does not say.
    explicit ScanLoopCheck(std::optional<std::uint64_t> total = std::nullopt)
        : m_allowance(kAllowanceAlways
                      + kAllowancePerKey * std::min(total.value_or(kKeysMax), kKeysMax))
    {}

    /// A page of `keyCount` keys came, for which COUNT was `askedFor`, and the walk is to go on at
    /// `next`. Says what is wrong with that; nullopt: nothing.
    std::optional<std::string> sawPage(const std::string& next, std::uint64_t keyCount,
                                       std::uint64_t askedFor)
    {
        if (next.size() > store::limits::kCursorBytesMax) {
            return KernelText::tr("a SCAN cursor of more than %1 digits",
                                  store::limits::kCursorBytesMax);
        }
        if (next == m_landmark) {
            return KernelText::tr("SCAN returned the same cursor again, so it would never end");
        }
        // Brent's way to find a cycle: a landmark is kept for twice as long as the one before.
        if (++m_stepsFromLandmark == m_landmarkLife) {
            m_landmark = next;
            m_landmarkLife *= 2;
            m_stepsFromLandmark = 0;
        }
        m_walked += std::max(keyCount, askedFor);
        if (m_walked > m_allowance) {
            return KernelText::tr("SCAN continued after %1 entries", m_walked);
        }
        return std::nullopt;
    }

private:
    static constexpr std::uint64_t kKeysMax = std::uint64_t{1} << 32U; // of a Redis database
    /// Tables are up to ten times as large as what is in them, and grow during the walk.
    static constexpr std::uint64_t kAllowancePerKey = 16;
    /// A table that was emptied just now keeps its size for a while.
    static constexpr std::uint64_t kAllowanceAlways = 100'000'000;

    std::uint64_t m_allowance;
    std::uint64_t m_walked = 0;
    std::string m_landmark;
    std::uint64_t m_landmarkLife = 1;
    std::uint64_t m_stepsFromLandmark = 0;
};

} // namespace lockscope::inspect
