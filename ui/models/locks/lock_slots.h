#pragma once

#include "core/kernel/base/slot_index.h"
#include "core/kernel/inspect/lock_record.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace lockscope::models {

/// Keeps the latest record of every lock and finds it by its id. The ids are not copied, because a
/// million locks are an honest case here.
class LockSlots {
public:
    struct Put {
        Slot slot = 0;
        inspect::LockPtr before; // null: the lock is new
    };

    /// Adds the lock, or replaces the record of the same id. `lock` is not null.
    Put put(inspect::LockPtr lock);

    /// Gives the slot back.
    void remove(Slot slot);
    void clear();

    std::optional<Slot> find(const inspect::LockId& id) const;

    /// Not null for a slot in use, null for one that was given back.
    const inspect::LockPtr& at(Slot slot) const { return m_locks[slot]; }

    /// Locks kept.
    std::size_t lockCount() const { return m_locks.size() - m_free.size(); }
    /// One more than the largest slot ever used: what arrays indexed by slot need.
    std::size_t slotCount() const { return m_locks.size(); }

private:
    std::vector<inspect::LockPtr> m_locks;
    std::vector<Slot> m_free;
    SlotIndex m_index;
};

} // namespace lockscope::models
