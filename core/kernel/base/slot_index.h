#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace lockscope {

/// A small number that stands for an entry of a table as long as it is kept. Numbers of removed
/// entries are used again.
using Slot = std::uint32_t;

/// Finds the entries of a table by a hash of what they are called. What they are called stands in
/// the entries and nowhere else, and the table is only looked at where the hash is right: eight
/// bytes a bucket, half to three quarters of which are in use.
class SlotIndex {
public:
    /// The 32 bits by which entries are told apart here.
    static std::uint32_t mixed(std::size_t hash)
    {
        return static_cast<std::uint32_t>((hash * 0x9e3779b97f4a7c15ULL) >> 32U);
    }

    /// The one with this hash that `isIt(slot)` says yes to.
    template<class IsIt>
    std::optional<Slot> find(std::uint32_t hash, IsIt isIt) const
    {
        if (m_buckets.empty()) {
            return std::nullopt;
        }
        for (std::size_t at = homeOf(hash); m_buckets[at].slot != kNoSlot; at = after(at)) {
            if (m_buckets[at].hash == hash && isIt(m_buckets[at].slot)) {
                return m_buckets[at].slot;
            }
        }
        return std::nullopt;
    }

    /// Not in it yet.
    void add(std::uint32_t hash, Slot slot);
    /// It was added with this hash.
    void remove(std::uint32_t hash, Slot slot);
    void clear();

private:
    static constexpr Slot kNoSlot = 0xffffffffU;
    struct Bucket {
        std::uint32_t hash = 0;
        Slot slot = kNoSlot;
    };

    /// Where the search for the hash begins: hashes are spread evenly over any number of buckets.
    std::size_t homeOf(std::uint32_t hash) const
    {
        return (std::uint64_t(hash) * m_buckets.size()) >> 32U;
    }
    std::size_t after(std::size_t at) const { return at + 1 < m_buckets.size() ? at + 1 : 0; }
    /// How far a search that begins at `from` goes until it is there.
    std::size_t distance(std::size_t from, std::size_t to) const
    {
        return to >= from ? to - from : to + m_buckets.size() - from;
    }
    void put(Bucket bucket);
    void grow();

    std::vector<Bucket> m_buckets; // open addressing, linear probing
    std::size_t m_count = 0;
};

} // namespace lockscope
