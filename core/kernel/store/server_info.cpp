#include "core/kernel/store/server_info.h"

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/characters.h"
#include "core/kernel/base/duration_text.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/store/info_fields.h"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

namespace lockscope::store {

namespace {

using Role = ServerInfo::Role;

std::vector<ServerInfo::WatchedMaster> mastersOf(const InfoFields& fields)
{
    std::vector<ServerInfo::WatchedMaster> masters;
    while (true) {
        const std::string_view line = fields.at("master" + std::to_string(masters.size()));
        if (line.empty()) {
            return masters;
        }
        masters.push_back({std::string(infoPart(line, "name")),
                           std::string(infoPart(line, "address"))});
    }
}

Role roleOf(const InfoFields& fields)
{
    if (fields.at("redis_mode") == "sentinel") {
        return Role::Sentinel;
    }
    const std::string_view role = fields.at("role");
    if (role == "slave" || role == "replica") { // most servers still use the old word
        return Role::Replica;
    }
    return role == "master" ? Role::Master : Role::Unknown;
}

void takeReplication(const InfoFields& fields, ServerInfo& info)
{
    const std::string host(fields.at("master_host"));
    const bool isBare = host.find(':') == std::string::npos;
    info.master = (isBare ? host : '[' + host + ']') + ':' + std::string(fields.at("master_port"));
    info.isMasterLinkUp = fields.at("master_link_status") == "up";
    info.isSyncing = fields.isSet("master_sync_in_progress");
    const auto silentFor = infoNumber(fields.at("master_link_down_since_seconds"));
    if (!info.isMasterLinkUp && silentFor && *silentFor >= 0) {
        info.masterSilentFor = std::chrono::seconds(*silentFor);
    }
}

std::string explainReplica(const ServerInfo& info)
{
    const std::string master = escaped(info.master);
    if (info.isSyncing) {
        return KernelText::tr("This server is a replica of %1 and is still copying its data: the "
                              "locks shown are incomplete.",
                              master);
    }
    if (info.isMasterLinkUp) {
        return KernelText::tr("This server is a replica of %1: the locks shown may be out of date. "
                              "Locks are acquired and released on the master.",
                              master);
    }
    if (info.masterSilentFor) {
        return KernelText::tr("This server is a replica of %1, which has been silent for %2: locks "
                              "acquired or released since then are unknown.",
                              master, durationText(*info.masterSilentFor));
    }
    return KernelText::tr("This server is a replica of %1, which it has never reached: the data "
                          "shown may be unrelated.",
                          master);
}

/// Where a Sentinel at `endpoint` says that the master of the name is.
std::string urlThrough(const Endpoint& endpoint, const std::string& masterName)
{
    Endpoint master;
    master.transport = endpoint.transport;
    master.tls = endpoint.tls;
    master.sentinels = {{{endpoint.host, endpoint.port}}, masterName, endpoint.user};
    return toUrl(master);
}

/// Of the cluster that the server at `endpoint` is a node of.
std::string clusterUrlOf(const Endpoint& endpoint)
{
    Endpoint cluster;
    cluster.transport = endpoint.transport;
    cluster.tls = endpoint.tls;
    cluster.user = endpoint.user;
    cluster.database = endpoint.database;
    cluster.clusterSeeds = {{endpoint.host, endpoint.port}};
    return toUrl(cluster);
}

std::string explainNode(const Endpoint& endpoint)
{
    const std::string sentence =
        KernelText::tr("This is one node of a cluster: locks in the slots of other nodes are not "
                       "shown.");
    return endpoint.transport == Endpoint::Transport::UnixSocket
               ? sentence
               : sentence + ' ' + KernelText::tr("For all of them use %1", clusterUrlOf(endpoint));
}

std::string explainSentinel(const ServerInfo& info, const Endpoint& endpoint)
{
    if (info.watchedMasters.empty()) {
        return KernelText::tr("This is a Sentinel, which stores no keys and therefore no locks. It "
                              "watches no master.");
    }
    std::string masters;
    for (const ServerInfo::WatchedMaster& master : info.watchedMasters) {
        masters += masters.empty() ? "" : ", ";
        masters += KernelText::tr("%1 (now %2): %3", escaped(master.name), escaped(master.address),
                                  urlThrough(endpoint, master.name));
    }
    return KernelText::tr("This is a Sentinel, which stores no keys and therefore no locks. "
                          "Connect to a master that it watches: %1",
                          masters);
}

/// "a and b", "a, b and c". At least one.
std::string listed(const std::vector<std::string>& names)
{
    std::string text = names.front();
    for (std::size_t i = 1; i + 1 < names.size(); ++i) {
        text += ", " + names[i];
    }
    return names.size() == 1 ? text : KernelText::tr("%1 and %2", text, names.back());
}

std::string explainNodes(const std::vector<std::string>& nodes)
{
    return nodes.size() == 1
               ? KernelText::tr(
                   "%1 is a node of a cluster: the members of a Redlock set must be "
                   "independent masters. Each lock is listed separately for each node.",
                   nodes.front())
               : KernelText::tr(
                   "%1 are nodes of a cluster: the members of a Redlock set must be "
                   "independent masters. Each lock is listed separately for each node.",
                   listed(nodes));
}

std::string explainReplicas(const std::vector<std::string>& replicas)
{
    return replicas.size() == 1
               ? KernelText::tr("%1 is a replica: the members of a Redlock set must be independent "
                                "masters. Locks on a replica do not count.",
                                replicas.front())
               : KernelText::tr("%1 are replicas: the members of a Redlock set must be independent "
                                "masters. Locks on a replica do not count.",
                                listed(replicas));
}

std::string evictionByUseOf(const InfoFields& fields)
{
    const std::string_view policy = fields.at("maxmemory_policy");
    const bool hasLimit = infoNumber(fields.at("maxmemory")).value_or(0) > 0;
    const bool isByUse = policy.ends_with("-lru") || policy.ends_with("-lfu");
    return hasLimit && isByUse ? std::string(policy) : std::string();
}

/// CLIENT NO-TOUCH came with Redis 7.2.
bool knowsNoTouch(std::string_view version)
{
    const std::size_t dot = version.find('.');
    const std::int64_t major = infoNumber(version).value_or(0);
    const std::string_view rest = dot < version.size() ? version.substr(dot + 1) : "";
    return major > 7 || (major == 7 && infoNumber(rest).value_or(0) >= 2);
}

} // namespace

std::string_view idOf(Role role)
{
    switch (role) {
    case Role::Unknown: return "";
    case Role::Master: return "master";
    case Role::Replica: return "replica";
    case Role::Sentinel: return "sentinel";
    }
    return "";
}

ServerInfo serverInfoOf(const Outcome& outcome)
{
    ServerInfo info;
    const Reply* const reply = replyOf(outcome);
    if (reply == nullptr || reply->text() == nullptr) {
        return info;
    }
    const InfoFields fields(*reply->text());
    info.role = roleOf(fields);
    info.version = fields.at("redis_version");
    info.runId = fields.at("run_id");
    info.isCluster = fields.isSet("cluster_enabled") || fields.at("redis_mode") == "cluster";
    info.commandsPerSecond = static_cast<std::uint64_t>(
        std::max<std::int64_t>(infoNumber(fields.at("instantaneous_ops_per_sec")).value_or(0), 0));
    info.isLoading = fields.isSet("loading");
    info.evictionByUse = evictionByUseOf(fields);
    const std::int64_t loadedCount =
        infoNumber(fields.at("rdb_last_load_keys_loaded")).value_or(0); // not told before Redis 7
    const std::int64_t offsetAsReplica = infoNumber(fields.at("second_repl_offset")).value_or(-1);
    info.mayHaveKeptData = loadedCount > 0 || info.role == Role::Replica
                           || offsetAsReplica >= 0 // it was one before it became the master
                           || fields.isSet("aof_enabled");
    if (info.role == Role::Replica) {
        takeReplication(fields, info);
    } else if (info.role == Role::Sentinel) {
        info.watchedMasters = mastersOf(fields);
    }
    return info;
}

ReplicationOffsets replicationOffsetsOf(const Outcome& outcome)
{
    const Reply* const reply = replyOf(outcome);
    const std::string* const text = reply != nullptr ? reply->text() : nullptr;
    ReplicationOffsets offsets;
    visitInfoFields(text != nullptr ? std::string_view(*text) : "", [&](std::string_view field,
                                                                        std::string_view value) {
        if (field == "master_replid") {
            offsets.history = value;
        } else if (field == "master_repl_offset") {
            offsets.ofMaster = infoNumber(value);
        } else if (field.starts_with("slave") && infoPart(value, "state") == "online") {
            offsets.ofBestReplica = std::max(offsets.ofBestReplica,
                                             infoNumber(infoPart(value, "offset")));
        }
        return true;
    });
    return offsets;
}

namespace {

/// Calls `visit` with the name of each command and what is said of it; false: nothing is said.
template<class Visit>
bool visitCommandStatistics(const Outcome& outcome, Visit visit)
{
    constexpr std::string_view kBeginning = "cmdstat_";
    const Reply* const reply = replyOf(outcome);
    const std::string* const text = reply != nullptr ? reply->text() : nullptr;
    if (text == nullptr || !text->starts_with("# Commandstats")) {
        return false;
    }
    visitInfoFields(*text, [&](std::string_view field, std::string_view value) {
        if (field.starts_with(kBeginning)) {
            visit(field.substr(kBeginning.size()), value);
        }
        return true;
    });
    return true;
}

} // namespace

std::optional<std::uint64_t> callCountOf(const Outcome& outcome,
                                         const std::function<bool(std::string_view)>& isCounted)
{
    std::uint64_t sum = 0;
    const auto addCalls = [&](std::string_view name, std::string_view value) {
        if (isCounted(name)) {
            const auto calls = infoNumber(infoPart(value, "calls")).value_or(0);
            sum += static_cast<std::uint64_t>(std::max<std::int64_t>(calls, 0));
        }
    };
    return visitCommandStatistics(outcome, addCalls) ? std::optional(sum) : std::nullopt;
}

double executionSecondsOf(const Outcome& commandStatistics,
                          std::span<const std::pair<Bytes, std::uint64_t>> calls)
{
    double microseconds = 0;
    visitCommandStatistics(commandStatistics, [&](std::string_view name, std::string_view value) {
        const auto ours = std::ranges::find_if(calls, [name](const auto& entry) {
            return equalsIgnoringCase(entry.first, name);
        });
        const auto all = static_cast<double>(infoNumber(infoPart(value, "calls")).value_or(0));
        if (ours != calls.end() && all > 0) {
            const auto spent = static_cast<double>(infoNumber(infoPart(value, "usec")).value_or(0));
            microseconds += spent / all * static_cast<double>(ours->second);
        }
    });
    constexpr double kMicrosecondsPerSecond = 1e6;
    return microseconds / kMicrosecondsPerSecond;
}

std::string explain(const ServerInfo& info, const Endpoint& endpoint)
{
    if (info.role == Role::Sentinel) {
        return explainSentinel(info, endpoint);
    }
    if (info.isLoading) {
        return KernelText::tr(
            "The server is loading its data: no key can be read until it has finished.");
    }
    std::string text = info.role == Role::Replica ? explainReplica(info) : std::string();
    if (info.isCluster && !endpoint.isCluster()) {
        text += text.empty() ? "" : " ";
        text += explainNode(endpoint);
    }
    return text;
}

std::string explainDeepLook(const ServerInfo& info)
{
    if (info.evictionByUse.empty() || knowsNoTouch(info.version)) {
        return {};
    }
    return KernelText::tr(
        "This server evicts keys by their last use (%1), and reading counts as use: a deep sweep "
        "makes small keys look recently used, so other keys may be evicted instead. Redis 7.2 and "
        "later can exclude these reads.",
        info.evictionByUse);
}

bool isStateOfServer(const Problem& problem)
{
    static constexpr std::array<std::string_view, 3> kCodes{"BUSY", "MASTERDOWN", "CLUSTERDOWN"};
    const std::string_view code =
        std::string_view(problem.detail).substr(0, problem.detail.find(' '));
    return problem.kind == Problem::Kind::Loading
           || (problem.kind == Problem::Kind::ServerRefused
               && std::ranges::find(kCodes, code) != kCodes.end());
}

bool hasNothingToShow(const ServerInfo& info)
{
    return info.role == Role::Sentinel || info.isLoading;
}

bool mayVoteTogether(std::span<const ServerInfo> servers)
{
    std::set<std::string_view> runIds;
    return std::ranges::none_of(servers, [&runIds](const ServerInfo& server) {
        const bool isTwin = !server.runId.empty() && !runIds.insert(server.runId).second;
        return isTwin || server.isCluster;
    });
}

std::string explainSet(std::span<const ServerInfo> servers, std::span<const Endpoint> endpoints)
{
    const Folding folding = foldingOf(endpoints);
    if (folding == Folding::Never) {
        return {};
    }
    const bool isSaid = endpoints.front().grouping == Grouping::RedlockSet;
    const std::vector<std::string> names = namesBeside(endpoints);
    std::vector<std::string> nodes;
    std::vector<std::string> replicas;
    for (std::size_t i = 0; i < servers.size(); ++i) {
        if (servers[i].isCluster) {
            nodes.push_back(names[i]);
        } else if (servers[i].role == Role::Replica) {
            replicas.push_back(names[i]);
        }
        for (std::size_t other = 0; other < i; ++other) {
            const bool isTwin = !servers[i].runId.empty()
                                && servers[i].runId == servers[other].runId;
            const bool isOther = endpoints[i].database != endpoints[other].database;
            if (isTwin && (isSaid || !isOther)) {
                return KernelText::tr("%1 and %2 are the same server, so they are not a Redlock "
                                      "set. Each lock is listed separately for each of them.",
                                      names[other], names[i]);
            }
        }
    }
    return !nodes.empty()     ? explainNodes(nodes)
           : replicas.empty() ? std::string()
                              : explainReplicas(replicas);
}

} // namespace lockscope::store
