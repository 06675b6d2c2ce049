#pragma once

#include "core/kernel/base/time.h"
#include "core/kernel/store/endpoint.h"
#include "core/kernel/store/outcome.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockscope::store {

/// What a server says of itself in INFO. What it does not tell keeps its first value: unknown,
/// empty, false.
struct ServerInfo {
    enum class Role { Unknown, Master, Replica, Sentinel };

    Role role = Role::Unknown;
    std::string version; // "7.0.15"
    std::string runId;   // another one after each start of the server
    /// Its keys may be older than its start: it loaded some, or has them from its master.
    bool mayHaveKeptData = false;
    bool isCluster = false;
    bool isLoading = false;
    std::uint64_t commandsPerSecond = 0; // of all clients
    /// "allkeys-lru": what it throws away when its memory is full depends on what was used last;
    /// empty: it does not, or there is no limit.
    std::string evictionByUse;

    /// A master that a Sentinel watches.
    struct WatchedMaster {
        std::string name;
        std::string address; // "10.0.0.5:6379"
        friend bool operator==(const WatchedMaster&, const WatchedMaster&) = default;
    };
    std::vector<WatchedMaster> watchedMasters; // of a Sentinel

    // Of a replica.
    std::string master; // "10.0.0.5:6379"
    bool isMasterLinkUp = false;
    bool isSyncing = false;                  // copies the whole data set just now
    std::optional<Duration> masterSilentFor; // since when the link is down; nullopt while it is up,
                                             // or when there never was one

    friend bool operator==(const ServerInfo&, const ServerInfo&) = default;
};

std::string_view idOf(ServerInfo::Role role); // "master", "replica", "sentinel"; "" when unknown

/// Reads the outcome of INFO; nothing is known when it was refused.
ServerInfo serverInfoOf(const Outcome& outcome);

/// How far the copies of what a master wrote have come, by the outcome of INFO replication.
struct ReplicationOffsets {
    std::string history; // offsets of another one mean something else
    std::optional<std::int64_t> ofMaster;
    std::optional<std::int64_t> ofBestReplica; // nullopt: none follows
};
ReplicationOffsets replicationOffsetsOf(const Outcome& outcome);

/// How often the server carried out commands, by the outcome of INFO commandstats: of those whose
/// names, written as the server does ("set", "client|list"), are to be counted. Nullopt when it
/// does not tell.
std::optional<std::uint64_t> callCountOf(const Outcome& outcome,
                                         const std::function<bool(std::string_view)>& isCounted);

/// What so many calls of commands took the server, in seconds, if each took as long as calls of the
/// same command do on average, by the outcome of INFO commandstats. Names in capitals: "SET",
/// "CLIENT|LIST". 0 when it does not tell.
double executionSecondsOf(const Outcome& commandStatistics,
                          std::span<const std::pair<Bytes, std::uint64_t>> calls);

/// Why one cannot simply believe that what this server shows is everything, and current: it is a
/// replica, a node of a cluster, a Sentinel, loading. Empty for an ordinary master. `endpoint` is
/// where it was asked: a Sentinel is told with the URLs that lead to its masters, a node with that
/// of its cluster.
std::string explain(const ServerInfo& info, const Endpoint& endpoint);

/// What reading very many keys does to such a server, in a sentence or two; empty when it does
/// nothing: it throws away nothing by use, or can be asked not to count our reading.
std::string explainDeepLook(const ServerInfo& info);

/// The server answers, but about no key for now: it loads, runs a script for too long, has lost its
/// master or its cluster.
bool isStateOfServer(const Problem& problem);

/// True when the server has no keys to show, now or ever.
bool hasNothingToShow(const ServerInfo& info);

/// Whether what these servers have under one name may be the votes of one Redlock: nodes of a
/// cluster have different keys, and a server that is given twice would vote twice.
bool mayVoteTogether(std::span<const ServerInfo> servers);

/// Why these servers are no Redlock set, whose members have to be independent masters; empty when
/// nothing speaks against it, and where they are not meant to be one: they were called separate, or
/// are databases of one server. `endpoints` has one entry per server.
std::string explainSet(std::span<const ServerInfo> servers, std::span<const Endpoint> endpoints);

} // namespace lockscope::store
