#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockscope::search {

/// The states that a search has seen, by their hashes, and how short the way to each was. Twelve
/// bytes a state at most full load.
class StateSet {
public:
    StateSet() : m_slots(kFirstSize) {}

    /// True when the state is new, or this way to it is shorter than all before.
    bool reach(std::uint64_t hash, int cost);
    /// Of different states.
    std::size_t size() const { return m_count; }

private:
    static constexpr std::size_t kFirstSize = 1024; // a power of two

    // No list of collisions and no erasure: linear probing in one block of memory, because nearly
    // every step of a search looks a state up.
    struct Slot {
        std::uint64_t hash = 0; // 0: empty
        std::int32_t cost = 0;
    };

    Slot& slotOf(std::uint64_t hash);
    void grow();

    std::vector<Slot> m_slots;
    std::size_t m_count = 0;
};

} // namespace lockscope::search
