#include "core/kernel/base/slot_index.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace lockscope {

void SlotIndex::add(std::uint32_t hash, Slot slot)
{
    if ((m_count + 1) * 4 > m_buckets.size() * 3) {
        grow();
    }
    put({hash, slot});
    ++m_count;
}

/// Empties its bucket and moves up whatever was pushed past it, so that no search ends too early.
void SlotIndex::remove(std::uint32_t hash, Slot slot)
{
    assert(m_count > 0);
    std::size_t gap = homeOf(hash);
    while (m_buckets[gap].slot != slot || m_buckets[gap].hash != hash) {
        assert(m_buckets[gap].slot != kNoSlot);
        gap = after(gap);
    }
    for (std::size_t at = after(gap); m_buckets[at].slot != kNoSlot; at = after(at)) {
        if (distance(homeOf(m_buckets[at].hash), at) >= distance(gap, at)) {
            m_buckets[gap] = m_buckets[at];
            gap = at;
        }
    }
    m_buckets[gap] = Bucket();
    --m_count;
}

void SlotIndex::clear()
{
    m_buckets.clear();
    m_count = 0;
}

void SlotIndex::put(Bucket bucket)
{
    std::size_t at = homeOf(bucket.hash);
    while (m_buckets[at].slot != kNoSlot) {
        at = after(at);
    }
    m_buckets[at] = bucket;
}

void SlotIndex::grow()
{
    constexpr std::size_t kFewestBuckets = 16;
    const std::vector<Bucket> before = std::exchange(m_buckets, {});
    m_buckets.resize(std::max(kFewestBuckets, before.size() + before.size() / 2));
    for (const Bucket& bucket : before) {
        if (bucket.slot != kNoSlot) {
            put(bucket);
        }
    }
}

} // namespace lockscope
