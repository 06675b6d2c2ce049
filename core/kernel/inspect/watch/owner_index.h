#pragma once

#include "core/kernel/inspect/lock_record.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace lockscope::inspect {

/// True for an owner that other locks can be tied by: one made anew for a hold, or that of one
/// thread. A word, a number or the name of a process may stand in any lock.
bool canTie(OwnerScope scope, std::string_view owner);

/// Which locks of a server have the same owner. Nearly all owners have one lock: those cost one
/// entry and nothing else.
class OwnerIndex {
public:
    /// An owner of more locks than this at once is a process that makes one token, not a hold.
    static constexpr std::size_t kLocksMost = 64;

    /// Locks that may have an owner in common, by a hash of it.
    struct Group {
        std::size_t hash = 0;
        std::vector<const LockId*> locks;
        bool isCrowded = false; // of more than kLocksMost: its owner ties nothing, now and later
    };

    static std::size_t hashOf(std::uint16_t server, std::string_view owner);

    /// `lock` stays where it is until it is removed. Once for each of its owners.
    void add(std::string_view owner, const LockId& lock);
    void remove(std::string_view owner, const LockId& lock);

    bool hasChanges() const { return !m_changed.empty(); }
    /// The groups in which a lock came or went since the last call, as they are now.
    std::vector<Group> takeChanges();

private:
    // By the hashes of owners: the only lock of nearly all of them, and the others of the few.
    std::unordered_map<std::size_t, const LockId*> m_locks;
    std::unordered_map<std::size_t, std::vector<const LockId*>> m_others; // none is empty
    std::unordered_set<std::size_t> m_changed;
    std::unordered_set<std::size_t> m_crowded;
};

} // namespace lockscope::inspect
