#include "ui/models/locks/lease_bar.h"

#include "ui/models/formatting.h"

#include <algorithm>

namespace lockscope::models {

LeaseBar leaseBarOf(std::optional<Instant> end, Duration lease,
                    std::span<const std::uint32_t> renewedAtMs, Instant now)
{
    LeaseBar bar;
    if (!end) {
        return bar;
    }
    const Duration left = std::max(*end - now, Duration(0));
    bar.kind = left > Duration(0) ? LeaseBar::Kind::Running : LeaseBar::Kind::Overdue;
    const Duration full = std::max(lease, left);
    if (full <= Duration(0)) {
        return bar;
    }
    const auto fractionOf = [full](Duration part) {
        return std::clamp(static_cast<double>(part.count()) / static_cast<double>(full.count()),
                          0.0, 1.0);
    };
    bar.fraction = fractionOf(left);
    for (const std::uint32_t leftMs :
         renewedAtMs.first(std::min(renewedAtMs.size(), bar.ticks.size()))) {
        bar.ticks[bar.tickCount++] = fractionOf(std::chrono::milliseconds(leftMs));
    }
    return bar;
}

LeaseBar leaseBarOf(const inspect::LockRecord& record, int holderIndex, Instant now)
{
    // The renewals seen are those of the lock as a whole; a holder with an end of its own has none
    // to show.
    const bool isWholeLock = holderIndex < 0;
    const std::size_t ticks = isWholeLock ? std::min<std::size_t>(record.renewals,
                                                                  record.renewedAtMs.size())
                                          : 0;
    return leaseBarOf(endOf(record, holderIndex), record.lease,
                      std::span(record.renewedAtMs).first(ticks), now);
}

} // namespace lockscope::models
