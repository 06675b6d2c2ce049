#include "core/kernel/base/content_hash.h"
#include "core/kernel/sim/sim_server.h"

namespace lockscope::sim {

namespace {

template<class Items>
std::uint64_t hashInOrder(const Items& items)
{
    ContentHash hash;
    for (const auto& item : items) {
        hash.add(item.contentHash());
    }
    return hash.value();
}

/// The waits, and their order where they compete: all that there is to know of them. Two waits for
/// different keys are served by different writes, so which came first cannot be seen.
std::uint64_t hashOf(const std::vector<KeyWait>& waits)
{
    UnorderedContentHash hash;
    for (auto wait = waits.begin(); wait != waits.end(); ++wait) {
        hash.add(wait->contentHash());
        for (auto earlier = waits.begin(); earlier != wait; ++earlier) {
            if (wait->competesWith(*earlier)) {
                ContentHash order(earlier->contentHash());
                order.add(wait->contentHash());
                hash.add(order.value());
            }
        }
    }
    return hash.value();
}

} // namespace

std::uint64_t SimServer::contentHash() const
{
    if (!m_hash) {
        m_hash = computedHash();
    }
    return *m_hash;
}

std::uint64_t SimServer::computedHash() const
{
    ContentHash hash(m_database.contentHash());
    hash.add(m_replication.contentHash());
    const auto withPending = [this](const auto& item, ReplicationOffset offset) {
        ContentHash itemHash(item.contentHash());
        // An offset counts everything that was ever written, so it differs where states are alike.
        // What matters is how much of that is still on its way.
        itemHash.add(m_replication.pendingCountAt(offset));
        return itemHash.value();
    };
    UnorderedContentHash sessions;
    for (const SimSession& session : m_sessions) {
        if (!session.remembersNothing() || m_replication.pendingCountAt(session.seenOffset) > 0) {
            sessions.add(withPending(session, session.seenOffset));
        }
    }
    hash.add(sessions.value());
    UnorderedContentHash watches;
    for (const Watch& watch : m_watches) {
        watches.add(watch.contentHash());
    }
    hash.add(watches.value());
    hash.add(m_subscriptions.contentHash());
    hash.add(hashOf(m_keyWaits));
    UnorderedContentHash replicaWaits;
    for (const ReplicaWait& wait : m_replicaWaits) {
        replicaWaits.add(withPending(wait, wait.offset));
    }
    hash.add(replicaWaits.value());
    hash.add(hashInOrder(m_deliveries));
    return hash.value();
}

} // namespace lockscope::sim
