#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/sim/sim_database.h"
#include "core/kernel/sim/sim_replication.h"
#include "core/kernel/store/command.h"
#include "core/kernel/store/reply.h"
#include "core/kernel/store/reply_encoding.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace lockscope::sim {

/// Names one connection to a simulated server; never used twice.
using SessionId = std::uint32_t;

/// What a connection remembers between two commands.
struct SimSession {
    SessionId id = 0;
    bool isInTransaction = false;
    bool isTransactionBroken = false; // a command could not be queued: EXECABORT
    bool hasWatchedChange = false;    // EXEC answers nil
    std::vector<store::Command> queue;
    ReplicationOffset seenOffset = 0; // all that was written before its latest command ended

    bool remembersNothing() const
    {
        return !isInTransaction && !isTransactionBroken && !hasWatchedChange && queue.empty();
    }
    /// Of everything except seenOffset, which says something only beside the replicas.
    std::uint64_t contentHash() const;
};

/// What a server knows of a client that has said who it is, or where it comes from. It decides
/// nothing about locks, so that it does not count among what a connection remembers.
struct ClientFacts {
    SessionId session = 0;
    Bytes address; // "127.0.0.1:40312"; empty: nobody said
    Bytes name;
    std::optional<ServerTime> connectedAt; // nullopt: nobody said
    std::optional<ServerTime> lastSeenAt;
    std::string_view lastCommand; // as in the table; empty: none yet
    bool isSparedFromEviction = false;
    store::Protocol protocol = store::Protocol::Resp2;
    // Of the latest answer, for a client in RESP3.
    store::ReplyShape answerShape = store::ReplyShape::Plain;
    std::vector<store::ReplyShape> itemShapes; // of EXEC
};

/// A key that EXEC must find as it was.
struct Watch {
    SessionId session = 0;
    Bytes key;
    bool wasExpired = false; // already then; that it goes is no change

    std::uint64_t contentHash() const;
};

/// Waits for a key with something to take out of it: a blocking pop or move.
struct KeyWait {
    SessionId session = 0;
    std::vector<Bytes> keys;     // any of them
    bool isForSortedSet = false; // or for a list
    store::Command attempt; // what to try once there is a key; its second word is to be the key
    std::optional<ServerTime> until; // forever without it

    bool isFor(const Bytes& key) const;
    /// True when it matters which of the two came first.
    bool competesWith(const KeyWait& other) const;
    std::uint64_t contentHash() const;
};

/// Waits for replicas to have all that was written up to an offset: WAIT.
struct ReplicaWait {
    SessionId session = 0;
    std::int64_t replicaCount = 0;
    ReplicationOffset offset = 0;
    std::optional<ServerTime> until; // forever without it

    /// Of everything except the offset.
    std::uint64_t contentHash() const;
};

/// Something that a server sends without being asked in this moment.
struct Delivery {
    SessionId session = 0;
    store::Reply reply;
    store::ReplyShape shape = store::ReplyShape::Plain; // follows from what was asked for

    std::uint64_t contentHash() const;
    friend bool operator==(const Delivery&, const Delivery&) = default;
};

} // namespace lockscope::sim
