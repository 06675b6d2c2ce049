#include "core/kernel/inspect/watch/owner_index.h"

#include "core/kernel/inspect/decoders/token_shapes.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace lockscope::inspect {

bool canTie(OwnerScope scope, std::string_view owner)
{
    return (scope == OwnerScope::Hold || scope == OwnerScope::Thread)
           && decoders::isUnmistakable(decoders::shapeOf(owner));
}

std::uint32_t OwnerIndex::hashOf(std::uint16_t server, std::string_view owner)
{
    return SlotIndex::mixed(std::hash<std::string_view>()(owner) * 31 + server);
}

std::optional<Slot> OwnerIndex::firstOf(std::uint32_t hash) const
{
    return m_locks.find(hash, [](Slot) { return true; });
}

void OwnerIndex::add(std::uint16_t server, std::string_view owner, Slot lock)
{
    const std::uint32_t hash = hashOf(server, owner);
    if (!m_crowded.empty() && m_crowded.contains(hash)) {
        return;
    }
    if (!firstOf(hash)) {
        m_locks.add(hash, lock);
        return;
    }
    std::vector<Slot>& others = m_others[hash];
    if (others.size() < kLocksMost) {
        others.push_back(lock);
        m_changed.insert(hash);
    }
}

void OwnerIndex::remove(std::uint16_t server, std::string_view owner, Slot lock)
{
    const std::uint32_t hash = hashOf(server, owner);
    const std::optional<Slot> first = firstOf(hash);
    const auto others = m_others.find(hash);
    if (others == m_others.end()) {
        if (first == lock) {
            m_locks.remove(hash, lock);
        }
        return;
    }
    if (first == lock) {
        m_locks.remove(hash, lock);
        m_locks.add(hash, others->second.back());
        others->second.pop_back();
    } else if (std::erase(others->second, lock) == 0) {
        return; // its owner has too many
    }
    if (others->second.empty()) {
        m_others.erase(others);
    }
    m_changed.insert(hash);
}

std::vector<OwnerIndex::Group> OwnerIndex::takeChanges()
{
    std::vector<Group> groups;
    for (const std::uint32_t hash : std::exchange(m_changed, {})) {
        Group group{hash, {}, false};
        const std::optional<Slot> first = firstOf(hash);
        if (first) {
            group.locks.push_back(*first);
        }
        if (const auto others = m_others.find(hash); others != m_others.end()) {
            group.locks.insert(group.locks.end(), others->second.begin(), others->second.end());
        }
        group.isCrowded = group.locks.size() > kLocksMost;
        if (group.isCrowded) {
            m_crowded.insert(hash);
            m_locks.remove(hash, *first);
            m_others.erase(hash);
        }
        groups.push_back(std::move(group));
    }
    return groups;
}

} // namespace lockscope::inspect
