#pragma once

#include "core/kernel/base/time.h"

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace lockscope::inspect {

/// Entries in the order of an instant of theirs: `At`, optional, which is set while they are in the
/// queue.
/// Each knows its place (`Slot`), so that it can leave from the middle.
///
/// A binary heap instead of a std::set: with 100,000 locks, adding one to the set took a tenth of a
/// whole sweep, because every step down the tree missed the cache.
template<class Entry, auto At = &Entry::plannedProbe, auto Slot = &Entry::probeSlot>
class ProbeQueue {
public:
    /// The one that comes first; nullptr: there is none.
    Entry* first() const { return m_heap.empty() ? nullptr : m_heap.front(); }

    /// The entry is not in the queue, and stays where it is in memory until it is removed.
    void add(Entry& entry, Instant at)
    {
        entry.*At = at;
        m_heap.push_back(&entry);
        raise(m_heap.size() - 1);
    }

    /// Does nothing with one that is not in the queue.
    void remove(Entry& entry)
    {
        if (!(entry.*At)) {
            return;
        }
        (entry.*At).reset();
        const std::size_t slot = entry.*Slot;
        Entry* const last = m_heap.back();
        m_heap.pop_back();
        if (last != &entry) {
            m_heap[slot] = last;
            raise(slot);
            sink(last->*Slot);
        }
    }

private:
    bool isEarlier(std::size_t a, std::size_t b) const
    {
        return *(m_heap[a]->*At) < *(m_heap[b]->*At);
    }

    void note(std::size_t slot)
    {
        Entry& entry = *m_heap[slot];
        entry.*Slot = static_cast<std::remove_reference_t<decltype(entry.*Slot)>>(slot);
    }

    /// Up from the slot, until the one above is not later.
    void raise(std::size_t slot)
    {
        while (slot > 0 && isEarlier(slot, (slot - 1) / 2)) {
            const std::size_t parent = (slot - 1) / 2;
            std::swap(m_heap[slot], m_heap[parent]);
            note(slot);
            slot = parent;
        }
        note(slot);
    }

    /// Down from the slot, until none below is earlier.
    void sink(std::size_t slot)
    {
        while (true) {
            std::size_t next = 2 * slot + 1;
            if (next + 1 < m_heap.size() && isEarlier(next + 1, next)) {
                ++next;
            }
            if (next >= m_heap.size() || !isEarlier(next, slot)) {
                break;
            }
            std::swap(m_heap[slot], m_heap[next]);
            note(slot);
            slot = next;
        }
        note(slot);
    }

    std::vector<Entry*> m_heap;
};

} // namespace lockscope::inspect
