#pragma once

#include "core/kernel/inspect/lock_record.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace lockscope::inspect {

/// A hold that was watched from its beginning to its end.
struct PastHold {
    Duration length{0};
    Duration lease{0};          // the longest that was seen of it; 0: it had no expiry
    std::uint32_t renewals = 0; // that were seen
    bool ranOut = false;        // instead of being released
    friend bool operator==(const PastHold&, const PastHold&) = default;
};

/// How a lock was held before. Immutable once published, like the records that point to it.
struct HoldHistory {
    static constexpr std::size_t kHoldsMax = 16;

    std::vector<PastHold> holds; // the latest kHoldsMax, the newest last
    std::uint64_t total = 0;     // all that were watched

    Duration longest() const;
    std::size_t ranOutCount() const;
};

/// The histories of the locks of a book: of a bounded number, those that were held lately.
class HoldHistories {
public:
    explicit HoldHistories(std::size_t locksMax) : m_locksMax(locksMax) {}

    /// The hold `ended` is over. Nothing is learned of one that was there before we watched, or
    /// that may have ended and begun again unseen.
    void add(const LockRecord& ended, ChangeKind ending, Instant now);

    /// null: no hold of this lock was watched from beginning to end.
    std::shared_ptr<const HoldHistory> of(const LockId& lock) const;

private:
    using Generation = std::unordered_map<LockId, std::shared_ptr<const HoldHistory>, LockIdHash>;

    std::size_t m_locksMax;
    Generation m_recent; // full, it becomes the older one, which is forgotten
    Generation m_older;
};

} // namespace lockscope::inspect
