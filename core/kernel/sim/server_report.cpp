// INFO, ROLE, and the lines of CLIENT LIST.

#include "core/kernel/sim/call.h"
#include "core/kernel/sim/server_identity.h"
#include "core/kernel/sim/sim_server.h"

#include <algorithm>
#include <chrono>
#include <concepts>
#include <string>

namespace lockscope::sim {

using store::Command;
using store::Reply;

namespace {

constexpr std::string_view kReplicationId = "10c5c0be5e11a7ed5e7e75107c10c4e50f1d1e55";
constexpr std::string_view kNoReplicationId = "0000000000000000000000000000000000000000";
constexpr int kFirstReplicaPort = 6380;

/// In the order of INFO; all of them are in the answer if none is named.
constexpr std::string_view kSections[] = {"server",      "clients", "persistence",
                                          "replication", "cluster", "keyspace"};

std::string field(std::string_view name, std::string_view value)
{
    return std::string(name) + ":" + std::string(value) + "\r\n";
}

template<class Number>
    requires std::integral<Number> std::string field(std::string_view name, Number value)
    {
        return field(name, std::to_string(value));
    }

/// A process has no number, no memory and no disk here: what only they could tell is zero.
std::string serverSection(ServerTime now)
{
    return "# Server\r\n" + field("redis_version", kRedisVersion)
           + field("redis_git_sha1", "00000000") + field("redis_git_dirty", 0)
           + field("redis_build_id", "0") + field("redis_mode", "standalone")
           + field("os", "Lockscope") + field("arch_bits", 64)
           + field("monotonic_clock", "simulated") + field("multiplexing_api", "none")
           + field("atomicvar_api", "none") + field("gcc_version", "0.0.0") + field("process_id", 1)
           + field("process_supervised", "no") + field("run_id", kReplicationId)
           + field("tcp_port", kServerAddress.substr(kServerAddress.find(':') + 1))
           + field("server_time_usec", now.time_since_epoch().count())
           + field("uptime_in_seconds", 0) + field("uptime_in_days", 0) + field("hz", 10)
           + field("configured_hz", 10) + field("lru_clock", 0) + field("executable", "")
           + field("config_file", "") + field("io_threads_active", 0);
}

std::string persistenceSection()
{
    std::string text = "# Persistence\r\n";
    for (const std::string_view name : {"loading", "async_loading", "current_cow_peak",
                                        "current_cow_size", "current_cow_size_age"}) {
        text += field(name, 0);
    }
    text += field("current_fork_perc", "0.00");
    for (const std::string_view name :
         {"current_save_keys_processed", "current_save_keys_total", "rdb_changes_since_last_save",
          "rdb_bgsave_in_progress", "rdb_last_save_time"}) {
        text += field(name, 0);
    }
    text += field("rdb_last_bgsave_status", "ok") + field("rdb_last_bgsave_time_sec", -1)
            + field("rdb_current_bgsave_time_sec", -1);
    for (const std::string_view name :
         {"rdb_saves", "rdb_last_cow_size", "rdb_last_load_keys_expired",
          "rdb_last_load_keys_loaded", "aof_enabled", "aof_rewrite_in_progress",
          "aof_rewrite_scheduled"}) {
        text += field(name, 0);
    }
    text += field("aof_last_rewrite_time_sec", -1) + field("aof_current_rewrite_time_sec", -1)
            + field("aof_last_bgrewrite_status", "ok") + field("aof_rewrites", 0)
            + field("aof_rewrites_consecutive_failures", 0) + field("aof_last_write_status", "ok");
    for (const std::string_view name :
         {"aof_last_cow_size", "module_fork_in_progress", "module_fork_last_cow_size"}) {
        text += field(name, 0);
    }
    return text;
}

std::string replicationSection(const SimReplication& replication)
{
    std::string text = "# Replication\r\n" + field("role", "master")
                       + field("connected_slaves", replication.replicaCount());
    const auto offset = replication.offset();
    for (std::size_t i = 0; i < replication.replicaCount(); ++i) {
        text += field("slave" + std::to_string(i),
                      "ip=127.0.0.1,port=" + std::to_string(kFirstReplicaPort + static_cast<int>(i))
                          + ",state=online,offset=" + std::to_string(offset - replication.lagOf(i))
                          + ",lag=0");
    }
    return text + field("master_failover_state", "no-failover")
           + field("master_replid", kReplicationId) + field("master_replid2", kNoReplicationId)
           + field("master_repl_offset", offset) + field("second_repl_offset", -1)
           + field("repl_backlog_active", replication.replicaCount() > 0 ? 1 : 0)
           + field("repl_backlog_size", 1'048'576) + field("repl_backlog_first_byte_offset", 0)
           + field("repl_backlog_histlen", 0);
}

std::string keyspaceSection(const Keyspace& keys)
{
    const auto expiring = std::ranges::count_if(keys.entries(), [](const Entry& entry) {
        return entry.expiresAtMs != Entry::kNever;
    });
    std::string text = "# Keyspace\r\n";
    if (!keys.entries().empty()) {
        text += field("db0", "keys=" + std::to_string(keys.entries().size())
                                 + ",expires=" + std::to_string(expiring) + ",avg_ttl=0");
    }
    return text;
}

std::string secondsSince(ServerTime then, ServerTime now)
{
    const auto passed = std::max(now - then, ServerTime::duration::zero());
    return std::to_string(std::chrono::floor<std::chrono::seconds>(passed).count());
}

} // namespace

std::string SimServer::infoSection(std::string_view name, ServerTime now) const
{
    if (name == "server") {
        return serverSection(now);
    }
    if (name == "clients") {
        const std::size_t waiting = m_keyWaits.size() + m_replicaWaits.size();
        return "# Clients\r\n" + field("connected_clients", m_sessions.size())
               + field("cluster_connections", 0) + field("maxclients", 10'000)
               + field("client_recent_max_input_buffer", 0)
               + field("client_recent_max_output_buffer", 0) + field("blocked_clients", waiting)
               + field("tracking_clients", 0) + field("clients_in_timeout_table", 0);
    }
    if (name == "persistence") {
        return persistenceSection();
    }
    if (name == "replication") {
        return replicationSection(m_replication);
    }
    if (name == "cluster") {
        return "# Cluster\r\n" + field("cluster_enabled", 0);
    }
    return keyspaceSection(m_database.keys());
}

/// As genRedisInfoString() in server.c, of the sections that say something here.
Reply SimServer::info(SessionId, const Command& command, ServerTime now)
{
    const auto isAsked = [&command](std::string_view section) {
        return std::any_of(command.words.begin() + 1, command.words.end(), [&](const Bytes& word) {
            return equalsIgnoringCase(word, section) || equalsIgnoringCase(word, "all")
                   || equalsIgnoringCase(word, "default") || equalsIgnoringCase(word, "everything");
        });
    };
    std::string text;
    for (const std::string_view section : kSections) {
        if (command.words.size() == 1 || isAsked(section)) {
            text += (text.empty() ? "" : "\r\n") + infoSection(section, now);
        }
    }
    return Reply::ofBulk(std::move(text));
}

Reply SimServer::role(SessionId, const Command&, ServerTime)
{
    const ReplicationOffset offset = m_replication.offset();
    Reply::Array replicas;
    for (std::size_t i = 0; i < m_replication.replicaCount(); ++i) {
        Reply::Array replica;
        replica.push_back(replies::bulk("127.0.0.1"));
        replica.push_back(replies::bulk(std::to_string(kFirstReplicaPort + static_cast<int>(i))));
        replica.push_back(replies::bulk(std::to_string(offset - m_replication.lagOf(i))));
        replicas.push_back(Reply::ofArray(std::move(replica)));
    }
    Reply::Array parts;
    parts.push_back(replies::bulk("master"));
    parts.push_back(replies::number(static_cast<std::int64_t>(offset)));
    parts.push_back(Reply::ofArray(std::move(replicas)));
    return Reply::ofArray(std::move(parts));
}

/// As catClientInfoString() in networking.c.
std::string SimServer::clientFlags(const SimSession& session) const
{
    const ClientFacts* const facts = findFacts(session.id);
    std::string flags;
    flags += m_subscriptions.has(session.id) ? "P" : "";
    flags += session.isInTransaction ? "x" : "";
    flags += isWaiting(session.id) ? "b" : "";
    flags += session.hasWatchedChange ? "d" : "";
    flags += facts != nullptr && facts->isSparedFromEviction ? "e" : "";
    return flags.empty() ? "N" : flags;
}

std::string SimServer::clientLine(const SimSession& session, ServerTime now) const
{
    static const ClientFacts kNothing;
    const ClientFacts* const known = findFacts(session.id);
    const ClientFacts& facts = known != nullptr ? *known : kNothing;
    const Subscriptions::Counts counts = m_subscriptions.countsOf(session.id);
    const auto queued = session.isInTransaction ? static_cast<std::int64_t>(session.queue.size())
                                                : -1;
    std::string line = "id=" + std::to_string(session.id) + " addr=" + addressOf(session.id)
                       + " laddr=" + std::string(kServerAddress) + " fd=8 name=" + facts.name
                       + " age=" + secondsSince(facts.connectedAt.value_or(now), now)
                       + " idle=" + secondsSince(facts.lastSeenAt.value_or(now), now) + " flags="
                       + clientFlags(session) + " db=0 sub=" + std::to_string(counts.channels)
                       + " psub=" + std::to_string(counts.patterns) + " ssub="
                       + std::to_string(counts.shardChannels) + " multi=" + std::to_string(queued);
    line += " qbuf=0 qbuf-free=0 argv-mem=0 multi-mem=0 rbs=1024 rbp=0 obl=0 oll=0 omem=0"
            " tot-mem=0 events=r cmd=";
    line += facts.lastCommand.empty() ? "NULL" : facts.lastCommand;
    line += " user=" + std::string(kOnlyUser)
            + " redir=-1 resp=" + std::to_string(static_cast<int>(facts.protocol)) + "\n";
    return line;
}

} // namespace lockscope::sim
