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
    const std::size_t count = m_locks.count(hash);
    if (count > kLocksMost || m_crowded.contains(hash)) {
        return;
    }
    m_locks.emplace(hash, &lock);
    if (count > 0) {
        m_changed.insert(hash);
    }
}

void OwnerIndex::remove(std::string_view owner, const LockId& lock)
{
    const std::size_t hash = hashOf(lock.server, owner);
    const auto [begin, end] = m_locks.equal_range(hash);
    const auto entry = std::find_if(begin, end,
                                    [&lock](const auto& e) { return e.second == &lock; });
    if (entry == end) {
        return; // its owner has too many
    }
    m_locks.erase(entry);
    if (m_locks.contains(hash)) {
        m_changed.insert(hash);
    }
}

std::vector<OwnerIndex::Group> OwnerIndex::takeChanges()
{
    std::vector<Group> groups;
    for (const std::size_t hash : std::exchange(m_changed, {})) {
        Group group{hash, {}, false};
        const auto [begin, end] = m_locks.equal_range(hash);
        for (auto entry = begin; entry != end; ++entry) {
            group.locks.push_back(entry->second);
        }
        group.isCrowded = group.locks.size() > kLocksMost;
        if (group.isCrowded) {
            m_crowded.insert(hash);
            m_locks.erase(begin, end);
        }
        groups.push_back(std::move(group));
    }
    return groups;
}

} // namespace lockscope::inspect
