#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockscope::inspect {

/// The place of what is in no list.
constexpr std::uint32_t kNowhere = 0xffffffffU;

/// Entries in no order. Each knows its place (`Place`, kNowhere at first), so that it can leave
/// from the middle.
template<class Entry, std::uint32_t Entry::*Place>
class PlacedList {
public:
    /// Does nothing with one that is in it. It stays where it is in memory until it is removed.
    void add(Entry& entry)
    {
        if (!contains(entry)) {
            entry.*Place = static_cast<std::uint32_t>(m_entries.size());
            m_entries.push_back(&entry);
        }
    }

    /// Does nothing with one that is not in it.
    void remove(Entry& entry)
    {
        if (contains(entry)) {
            m_entries.back()->*Place = entry.*Place;
            m_entries[entry.*Place] = m_entries.back();
            m_entries.pop_back();
            entry.*Place = kNowhere;
        }
        if (m_entries.empty()) {
            m_entries.shrink_to_fit(); // it may have been very long
        }
    }

    bool contains(const Entry& entry) const { return entry.*Place != kNowhere; }

    const std::vector<Entry*>& entries() const { return m_entries; }

private:
    std::vector<Entry*> m_entries;
};

} // namespace lockscope::inspect
