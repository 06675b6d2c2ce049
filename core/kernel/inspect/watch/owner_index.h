#pragma once

#include "core/kernel/base/slot_index.h"
#include "core/kernel/inspect/lock_record.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace lockscope::inspect {

/// True for an owner that other locks can be tied by: one made anew for a hold, or that of one
/// thread. A word, a number or the name of a process may stand in any lock.
bool canTie(OwnerScope scope, std::string_view owner);

/// Which locks of a server have the same owner. Nearly all owners have one lock: those cost one
/// bucket of an index and nothing else. A lock is called by the number that its book has for it.
class OwnerIndex {
public:
    /// An owner of more locks than this at once is a process that makes one token, not a hold.
    static constexpr std::size_t kLocksMost = 64;

    /// Locks that may have an owner in common, by a hash of it.
    struct Group {
        std::uint32_t hash = 0;
        std::vector<Slot> locks;
        bool isCrowded = false; // of more than kLocksMost: its owner ties nothing, now and later
    };

    static std::uint32_t hashOf(std::uint16_t server, std::string_view owner);

    /// Once for each of the owners of a lock.
    void add(std::uint16_t server, std::string_view owner, Slot lock);
    void remove(std::uint16_t server, std::string_view owner, Slot lock);

    bool hasChanges() const { return !m_changed.empty(); }
    /// The groups in which a lock came or went since the last call, as they are now.
    std::vector<Group> takeChanges();

private:
    std::optional<Slot> firstOf(std::uint32_t hash) const;

    // By the hashes of owners: the only lock of nearly all of them, and the others of the few.
    SlotIndex m_locks;
    std::unordered_map<std::uint32_t, std::vector<Slot>> m_others; // none is empty
    std::unordered_set<std::uint32_t> m_changed;
    std::unordered_set<std::uint32_t> m_crowded;
};

} // namespace lockscope::inspect
