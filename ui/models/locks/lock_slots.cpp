#include "ui/models/locks/lock_slots.h"

#include <cassert>
#include <utility>

namespace lockscope::models {

using inspect::LockId;
using inspect::LockPtr;

namespace {

std::uint32_t hashOf(const LockId& id)
{
    return SlotIndex::mixed(inspect::LockIdHash()(id));
}

} // namespace

LockSlots::Put LockSlots::put(LockPtr lock)
{
    assert(lock != nullptr);
    if (const std::optional<Slot> known = find(lock->id)) {
        LockPtr before = std::exchange(m_locks[*known], std::move(lock));
        return {*known, std::move(before)};
    }
    Slot slot = static_cast<Slot>(m_locks.size());
    if (m_free.empty()) {
        m_locks.emplace_back();
    } else {
        slot = m_free.back();
        m_free.pop_back();
    }
    m_index.add(hashOf(lock->id), slot);
    m_locks[slot] = std::move(lock);
    return {slot, nullptr};
}

void LockSlots::remove(Slot slot)
{
    assert(slot < m_locks.size() && m_locks[slot] != nullptr);
    m_index.remove(hashOf(m_locks[slot]->id), slot);
    m_locks[slot].reset();
    m_free.push_back(slot);
}

void LockSlots::clear()
{
    m_locks.clear();
    m_free.clear();
    m_index.clear();
}

std::optional<Slot> LockSlots::find(const LockId& id) const
{
    return m_index.find(hashOf(id), [&](Slot slot) { return m_locks[slot]->id == id; });
}

} // namespace lockscope::models
