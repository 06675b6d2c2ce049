#include "core/operations/metrics/named_locks.h"

#include "core/kernel/inspect/lock_names.h"

#include <algorithm>
#include <utility>

namespace lockscope::metrics {

NamedLocks::NamedLocks(std::vector<std::string> patterns, std::size_t namesMax)
    : m_patterns(std::move(patterns)),
      m_namesMax(namesMax)
{}

void NamedLocks::meet(const inspect::LockId& id, bool isNew)
{
    const bool isNamed = std::ranges::any_of(m_patterns, [&](const std::string& pattern) {
        return inspect::matchesGlob(pattern, id.name);
    });
    if (!isNamed || isAdmitted(id)) {
        return;
    }
    if (m_admitted.size() < m_namesMax) {
        m_admitted.insert(id);
    } else {
        m_leftOutCount += isNew ? 1 : 0;
    }
}

} // namespace lockscope::metrics
