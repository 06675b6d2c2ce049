#pragma once

#include "core/kernel/inspect/lock_record.h"

#include <array>
#include <span>

namespace lockscope::models {

/// What the bar in "Expires in" shows, as fractions of its length. Pure geometry: pixels come
/// later.
struct LeaseBar {
    enum class Kind {
        Running,
        Never,   // no expiry: an empty bar
        Overdue, // the predicted end has passed; the server has not told yet
    };

    Kind kind = Kind::Never;
    double fraction = 0;           // left of the lease, 0 to 1
    std::array<double, 3> ticks{}; // where the bar stood when it was renewed, newest first
    std::size_t tickCount = 0;
};

/// `lease` is what counts as full; when it is zero or shorter than what is left, what is left
/// counts as full.
LeaseBar leaseBarOf(std::optional<Instant> end, Duration lease,
                    std::span<const std::uint32_t> renewedAtMs, Instant now);

/// The bar of a lock (`holderIndex` of -1) or of one of its holders.
LeaseBar leaseBarOf(const inspect::LockRecord& record, int holderIndex, Instant now);

} // namespace lockscope::models
