#include "core/kernel/inspect/watch/read_order.h"

#include <algorithm>
#include <chrono>

namespace lockscope::inspect {

namespace {

/// No look takes longer: its requests would have timed out.
constexpr Duration kLongestLook = std::chrono::seconds(20);

} // namespace

void ReadOrder::note(const LockSnapshot& snapshot)
{
    const Instant readAt = snapshot.main().seenAt;
    while (!m_order.empty() && readAt - m_order.front().first > kLongestLook) {
        const auto& [noted, key] = m_order.front();
        const auto known = m_readAt.find(key);
        if (known != m_readAt.end() && known->second == noted) {
            m_readAt.erase(known);
        }
        m_order.pop_front();
    }
    for (const Observation& seen : snapshot.keys) {
        m_readAt[seen.key] = readAt;
        m_order.emplace_back(readAt, seen.key);
    }
}

bool ReadOrder::isOutdated(const LockSnapshot& snapshot) const
{
    return std::ranges::any_of(snapshot.keys, [&](const Observation& seen) {
        const auto known = m_readAt.find(seen.key);
        return known != m_readAt.end() && known->second > snapshot.main().seenAt;
    });
}

} // namespace lockscope::inspect
