#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/sim/keyspace.h"
#include "core/kernel/sim/sim_database.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace lockscope::sim {

/// How much a master has written: grows by one with everything that is replicated as a whole.
using ReplicationOffset = std::uint64_t;

/// The replicas of a simulated server, and what is still on its way to them. A value; a server
/// without replicas pays nothing for it.
///
/// What is replicated are effects, as Redis does it since version 7: the keys that a command, a
/// script or a transaction left behind, all at once. So a replica needs neither the scripts nor a
/// clock, and what it has is what the master had at some time. A key whose expiry has passed stays
/// on a replica until the master has found that out. What has come later than the slowest replica's
/// state is kept; copies of a server share it.
class SimReplication {
public:
    /// The replica has all that the master has, except the scripts, which do not travel.
    void addReplica(const SimDatabase& master);
    std::size_t replicaCount() const { return m_replicas.size(); }

    /// While the master carries something out: what it changes.
    void keyChanged(const Bytes& key);
    void everythingFlushed();
    /// The command, the script or the transaction is over: its effect goes on its way.
    void commit(Keyspace& master);

    ReplicationOffset offset() const { return m_firstOffset + m_log.size(); }

    const SimDatabase& replica(std::size_t index) const { return m_replicas[index].data; }
    /// How many writes the replica does not have yet.
    std::size_t lagOf(std::size_t index) const;
    /// The replica gets the next write that it does not have; false when it has all.
    bool advance(std::size_t index);
    /// How many replicas have everything up to there.
    std::size_t replicaCountAt(ReplicationOffset offset) const;
    /// How many of the writes up to there some replica does not have yet.
    std::size_t pendingCountAt(ReplicationOffset offset) const;

    /// All replicas take over what another master has.
    void startAgain(const SimDatabase& master);

    /// Of what the replicas have and of what is on its way; how much there was before does not
    /// count.
    std::uint64_t contentHash() const;

private:
    struct KeyState {
        Bytes key;
        std::optional<Value> value; // nullopt: the key is gone
        std::int64_t expiresAtMs = Entry::kNever;
    };

    struct Effect {
        bool flushesFirst = false;
        std::vector<KeyState> keys;
        std::uint64_t hash = 0;
    };

    struct Replica {
        SimDatabase data;
        std::uint64_t dataHash = 0;
        ReplicationOffset offset = 0;
    };

    static Effect effectOn(Keyspace& master, std::vector<Bytes> changedKeys, bool flushesFirst);
    static void apply(const Effect& effect, Keyspace& keys);
    void forgetWhatAllHave();

    std::vector<Replica> m_replicas;
    std::vector<std::shared_ptr<const Effect>> m_log; // what some replica does not have
    ReplicationOffset m_firstOffset = 0;              // of the writes that all have
    std::vector<Bytes> m_changedKeys;                 // in what is being carried out
    bool m_isFlushed = false;
};

} // namespace lockscope::sim
