#include "core/kernel/search/state_set.h"

#include <utility>

namespace lockscope::search {

StateSet::Slot& StateSet::slotOf(std::uint64_t hash)
{
    const std::size_t mask = m_slots.size() - 1;
    std::size_t at = hash & mask; // hashes are mixed well already
    while (m_slots[at].hash != 0 && m_slots[at].hash != hash) {
        at = (at + 1) & mask;
    }
    return m_slots[at];
}

bool StateSet::reach(std::uint64_t hash, int cost)
{
    // Zero marks an empty slot; one more collision does not matter.
    const std::uint64_t known = hash == 0 ? 1 : hash;
    Slot& slot = slotOf(known);
    if (slot.hash == 0) {
        slot = {known, cost};
        // Three quarters full: beyond that runs of occupied slots, and so the probes, get long.
        if (++m_count * 4 > m_slots.size() * 3) {
            grow();
        }
        return true;
    }
    if (cost < slot.cost) {
        slot.cost = cost;
        return true;
    }
    return false;
}

void StateSet::grow()
{
    const std::vector<Slot> old = std::exchange(m_slots, std::vector<Slot>(m_slots.size() * 2));
    for (const Slot& slot : old) {
        if (slot.hash != 0) {
            slotOf(slot.hash) = slot;
        }
    }
}

} // namespace lockscope::search
