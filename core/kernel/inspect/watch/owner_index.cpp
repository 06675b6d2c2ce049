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

std::size_t OwnerIndex::hashOf(std::uint16_t server, std::string_view owner)
{
    return std::hash<std::string_view>()(owner) * 31 + server;
}

void OwnerIndex::add(std::string_view owner, const LockId& lock)
{
    const std::size_t hash = hashOf(lock.server, owner);
    if (!m_crowded.empty() && m_crowded.contains(hash)) {
        return;
    }
    if (m_locks.try_emplace(hash, &lock).second) {
        return;
    }
    std::vector<const LockId*>& others = m_others[hash];
    if (others.size() < kLocksMost) {
        others.push_back(&lock);
        m_changed.insert(hash);
    }
}

void OwnerIndex::remove(std::string_view owner, const LockId& lock)
{
    const std::size_t hash = hashOf(lock.server, owner);
    const auto first = m_locks.find(hash);
    const auto others = m_others.find(hash);
    if (others == m_others.end()) {
        if (first != m_locks.end() && first->second == &lock) {
            m_locks.erase(first);
        }
        return;
    }
    if (first->second == &lock) {
        first->second = others->second.back();
        others->second.pop_back();
    } else if (std::erase(others->second, &lock) == 0) {
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
    for (const std::size_t hash : std::exchange(m_changed, {})) {
        Group group{hash, {}, false};
        if (const auto first = m_locks.find(hash); first != m_locks.end()) {
            group.locks.push_back(first->second);
        }
        if (const auto others = m_others.find(hash); others != m_others.end()) {
            group.locks.insert(group.locks.end(), others->second.begin(), others->second.end());
        }
        group.isCrowded = group.locks.size() > kLocksMost;
        if (group.isCrowded) {
            m_crowded.insert(hash);
            m_locks.erase(hash);
            m_others.erase(hash);
        }
        groups.push_back(std::move(group));
    }
    return groups;
}

} // namespace lockscope::inspect
