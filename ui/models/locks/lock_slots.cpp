#include "ui/models/locks/lock_slots.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace lockscope::models {

using inspect::LockId;
using inspect::LockPtr;

LockSlots::Put LockSlots::put(LockPtr lock)
{
    assert(lock != nullptr);
    if ((lockCount() + 1) * 2 > m_buckets.size()) {
        growIndex();
    }
    Slot& bucket = m_buckets[bucketOf(lock->id)];
    if (bucket != kNoSlot) {
        LockPtr before = std::exchange(m_locks[bucket], std::move(lock));
        return {bucket, std::move(before)};
    }
    if (m_free.empty()) {
        bucket = static_cast<Slot>(m_locks.size());
        m_locks.push_back(std::move(lock));
    } else {
        bucket = m_free.back();
        m_free.pop_back();
        m_locks[bucket] = std::move(lock);
    }
    return {bucket, nullptr};
}

void LockSlots::remove(Slot slot)
{
    assert(slot < m_locks.size() && m_locks[slot] != nullptr);
    closeGapAt(bucketOf(m_locks[slot]->id));
    m_locks[slot].reset();
    m_free.push_back(slot);
}

void LockSlots::clear()
{
    m_locks.clear();
    m_free.clear();
    m_buckets.clear();
}

std::optional<Slot> LockSlots::find(const LockId& id) const
{
    if (m_buckets.empty()) {
        return std::nullopt;
    }
    const Slot slot = m_buckets[bucketOf(id)];
    return slot == kNoSlot ? std::nullopt : std::optional(slot);
}

/// Where the search for the id begins. The upper half of the product is the well-mixed one.
std::size_t LockSlots::homeOf(const LockId& id) const
{
    const std::uint64_t wide = inspect::LockIdHash()(id) * 0x9e3779b97f4a7c15ULL;
    return (wide >> 32U) & (m_buckets.size() - 1);
}

/// Where the id is, or the empty bucket that ends the search for it.
std::size_t LockSlots::bucketOf(const LockId& id) const
{
    std::size_t at = homeOf(id);
    while (m_buckets[at] != kNoSlot && m_locks[m_buckets[at]]->id != id) {
        at = (at + 1) & (m_buckets.size() - 1);
    }
    return at;
}

void LockSlots::growIndex()
{
    constexpr std::size_t kFewestBuckets = 16;
    const std::vector<Slot> before = std::move(m_buckets);
    m_buckets.assign(std::max(kFewestBuckets, before.size() * 2), kNoSlot);
    for (const Slot slot : before) {
        if (slot != kNoSlot) {
            m_buckets[bucketOf(m_locks[slot]->id)] = slot;
        }
    }
}

/// Empties a bucket and moves up whatever was pushed past it, so that no search ends too early.
void LockSlots::closeGapAt(std::size_t gap)
{
    const std::size_t mask = m_buckets.size() - 1;
    for (std::size_t at = (gap + 1) & mask; m_buckets[at] != kNoSlot; at = (at + 1) & mask) {
        const std::size_t home = homeOf(m_locks[m_buckets[at]]->id);
        if (((at - home) & mask) >= ((at - gap) & mask)) {
            m_buckets[gap] = m_buckets[at];
            gap = at;
        }
    }
    m_buckets[gap] = kNoSlot;
}

} // namespace lockscope::models
