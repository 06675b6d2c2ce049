#include "core/kernel/sim/sim_replication.h"

#include "core/kernel/base/content_hash.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace lockscope::sim {

/// Scripts are no part of what Redis 7 sends to a new replica, and EVALSHA is not replicated: after
/// a failover clients meet NOSCRIPT.
void SimReplication::addReplica(const SimDatabase& master)
{
    Replica replica{master, 0, offset()};
    replica.data.forgetScripts();
    replica.dataHash = replica.data.contentHash();
    m_replicas.push_back(std::move(replica));
}

void SimReplication::keyChanged(const Bytes& key)
{
    if (!m_replicas.empty()) {
        m_changedKeys.push_back(key);
    }
}

void SimReplication::everythingFlushed()
{
    // What was written before, in the same command, script or transaction, is gone with the rest.
    m_isFlushed = !m_replicas.empty();
    m_changedKeys.clear();
}

/// As propagatePendingCommands() in server.c, which wraps what a script or a transaction did in
/// MULTI and EXEC: no replica stands between two writes of one of them.
void SimReplication::commit(Keyspace& master)
{
    if (m_changedKeys.empty() && !m_isFlushed) {
        return;
    }
    m_log.push_back(std::make_shared<const Effect>(
        effectOn(master, std::exchange(m_changedKeys, {}), std::exchange(m_isFlushed, false))));
}

std::size_t SimReplication::lagOf(std::size_t index) const
{
    return static_cast<std::size_t>(offset() - m_replicas[index].offset);
}

bool SimReplication::advance(std::size_t index)
{
    Replica& replica = m_replicas[index];
    if (replica.offset == offset()) {
        return false;
    }
    apply(*m_log[static_cast<std::size_t>(replica.offset - m_firstOffset)], replica.data.keys());
    // Kept, because states are hashed far more often than replicas move.
    replica.dataHash = replica.data.contentHash();
    ++replica.offset;
    forgetWhatAllHave();
    return true;
}

std::size_t SimReplication::replicaCountAt(ReplicationOffset offset) const
{
    return static_cast<std::size_t>(std::ranges::count_if(m_replicas,
                                                          [offset](const Replica& replica) {
                                                              return replica.offset >= offset;
                                                          }));
}

std::size_t SimReplication::pendingCountAt(ReplicationOffset offset) const
{
    return offset > m_firstOffset ? static_cast<std::size_t>(offset - m_firstOffset) : 0;
}

/// As after a full synchronisation all replicas are level with the new master. Offsets go on and
/// never go back.
void SimReplication::startAgain(const SimDatabase& master)
{
    const std::size_t count = m_replicas.size();
    m_firstOffset = offset();
    m_log.clear();
    m_replicas.clear();
    while (m_replicas.size() < count) {
        addReplica(master);
    }
}

/// Lags instead of offsets, which grow without end: states with the same data and the same backlog
/// are the same, however much was written before.
std::uint64_t SimReplication::contentHash() const
{
    ContentHash hash;
    for (const Replica& replica : m_replicas) {
        hash.add(replica.dataHash);
        hash.add(offset() - replica.offset);
    }
    for (const auto& effect : m_log) {
        hash.add(effect->hash);
    }
    return hash.value();
}

SimReplication::Effect SimReplication::effectOn(Keyspace& master, std::vector<Bytes> changedKeys,
                                                bool flushesFirst)
{
    // The hash must not depend on the order in which a script came by its keys.
    std::ranges::sort(changedKeys);
    changedKeys.erase(std::unique(changedKeys.begin(), changedKeys.end()), changedKeys.end());
    Effect effect;
    effect.flushesFirst = flushesFirst;
    ContentHash hash;
    hash.add(flushesFirst);
    for (Bytes& key : changedKeys) {
        hash.add(key);
        KeyState state;
        if (const Entry* const entry = master.find(key)) {
            hash.add(entry->contentHash());
            state.value = entry->value;
            state.expiresAtMs = entry->expiresAtMs;
        }
        state.key = std::move(key);
        effect.keys.push_back(std::move(state));
    }
    effect.hash = hash.value();
    return effect;
}

/// The states of whole keys are set, not commands repeated: a replica needs no clock for that, and
/// applying an effect twice would change nothing.
void SimReplication::apply(const Effect& effect, Keyspace& keys)
{
    if (effect.flushesFirst) {
        keys.clear();
    }
    for (const KeyState& state : effect.keys) {
        Entry* entry = keys.find(state.key);
        if (!state.value) {
            if (entry != nullptr) {
                keys.erase(*entry);
            }
            continue;
        }
        if (entry != nullptr) {
            entry->value = *state.value;
        } else {
            entry = &keys.insert(state.key, *state.value);
        }
        entry->expiresAtMs = state.expiresAtMs;
    }
}

void SimReplication::forgetWhatAllHave()
{
    const auto slowest = std::ranges::min_element(m_replicas, {}, &Replica::offset);
    assert(slowest != m_replicas.end() && slowest->offset >= m_firstOffset);
    const auto count = static_cast<std::ptrdiff_t>(slowest->offset - m_firstOffset);
    m_log.erase(m_log.begin(), m_log.begin() + count);
    m_firstOffset = slowest->offset;
}

} // namespace lockscope::sim
