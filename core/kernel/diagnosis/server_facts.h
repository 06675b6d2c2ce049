#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/base/clock.h"
#include "core/kernel/store/outcome.h"
#include "core/kernel/store/server_info.h"
#include "core/kernel/store/store.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::diagnosis {

/// A replica, as its master sees it.
struct ReplicaFacts {
    std::string address; // "10.0.0.6:6379"
    bool isOnline = false;
    std::optional<Duration> lag; // since it last told how far it is, in whole seconds
    friend bool operator==(const ReplicaFacts&, const ReplicaFacts&) = default;
};

/// What a server says of itself that matters to its locks.
struct ServerFacts {
    std::uint16_t server = 0; // as LockId::server
    std::string node;         // of a cluster, the address of the node that says so
    bool isKnown = false;     // false: it did not tell, and the rest means nothing
    bool isAsked = true;      // false: why it did not
    store::ServerInfo info;
    std::string evictionPolicy;        // "noeviction"; empty: not told
    std::int64_t memoryLimit = 0;      // bytes; 0: none
    std::int64_t memoryUsed = 0;       // bytes
    std::int64_t evictedKeys = 0;      // since its start
    std::optional<bool> appendsToFile; // every write, to its append-only file
    std::string fsync;                 // "everysec"; empty: not asked, or not told
    std::vector<ReplicaFacts> replicas;
    std::optional<Duration> clockAhead; // its calendar clock minus ours; nullopt: not told
    Duration clockUncertainty{0};       // of that, in either direction
    std::optional<Duration> replyTime;  // of TIME, there and back; nullopt: it did not reply

    /// What it throws away when its memory is full; empty: nothing, as far as it tells.
    std::string_view evicts() const;

    friend bool operator==(const ServerFacts&, const ServerFacts&) = default;
};

/// Reads the outcome of INFO; the clock is not in it.
ServerFacts serverFactsOf(std::uint16_t server, const store::Outcome& outcome);

/// INFO and TIME. Nothing is known where the server refuses. The references outlive the task.
async::Task<ServerFacts> askServerFacts(store::Store& store, Clock& clock, std::uint16_t server);

/// CONFIG GET: what INFO does not tell. Leaves `facts` as they are where the server refuses.
async::Task<ServerFacts> withSettings(store::Store& store, ServerFacts facts);

} // namespace lockscope::diagnosis
