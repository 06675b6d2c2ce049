#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/sim/sim_database.h"
#include "core/kernel/sim/sim_replication.h"
#include "core/kernel/sim/sim_session.h"
#include "core/kernel/sim/subscriptions.h"
#include "core/kernel/store/command.h"
#include "core/kernel/store/reply.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockscope::sim {

/// One simulated Redis server: a SimDatabase, its replicas, and what its connections remember
/// (transactions, watched keys, subscriptions, clients that wait for a key or for replicas). A
/// value as well: a copy goes its own way.
class SimServer final : private KeyspaceListener {
public:
    /// `lua` outlives the server and its copies.
    explicit SimServer(LuaEngine& lua, SimDatabase database = {})
        : m_lua(&lua),
          m_database(std::move(database))
    {}

    SessionId connect();
    /// The same for a client that may be asked after, and may speak RESP3. `address` is what others
    /// are told, "127.0.0.1:40312".
    SessionId connect(Bytes address, ServerTime now);
    /// Forgets the connection and its waits.
    void disconnect(SessionId session);

    /// The answer; nullopt when it comes later (a blocking pop that waits) or in several parts
    /// (SUBSCRIBE): as deliveries. A session that waits must not send: a real one would not be
    /// read.
    std::optional<store::Reply> run(SessionId id, const store::Command& command, ServerTime now);

    /// In which protocol the connection is spoken to: as it asked for by HELLO.
    store::Protocol protocolOf(SessionId session) const;
    /// How the answer of its latest command is sent. Holds until the next one. Of a connection
    /// without an address and a name it is not known, except that it is RESP2.
    store::ReplyForm answerFormOf(SessionId session) const;
    /// How a delivery to a connection that is still there is sent.
    store::ReplyForm formOf(const Delivery& delivery) const
    {
        return {protocolOf(delivery.session), delivery.shape};
    }
    /// The connections that commands have ended since this was asked (QUIT, CLIENT KILL): the
    /// server has forgotten them already. The answer to the command comes before the end.
    std::vector<SessionId> takeClosed() { return std::exchange(m_closed, {}); }

    /// What the latest commands caused on this and other connections, in the order in which the
    /// server sends it. An answer returned by run() comes before.
    std::vector<Delivery> takeDeliveries();

    bool isWaiting(SessionId session) const;
    /// When the next wait runs out.
    std::optional<ServerTime> nextTimeout() const;
    /// Answers the waits that are over: nil, or how many replicas there are by now.
    void endWaits(ServerTime now);

    /// What Redis does in its idle moments: removes keys that have expired without being asked for
    /// them.
    void removeExpired(ServerTime now);

    /// One more replica, which has what the server has now.
    void addReplica()
    {
        m_hash.reset();
        m_replication.addReplica(m_database);
    }
    /// How far each replica is.
    const SimReplication& replication() const { return m_replication; }
    /// The replica receives and acknowledges the next write that it does not have; false when it
    /// has all. Clients that WAIT kept waiting for it are answered.
    bool advanceReplica(std::size_t index);
    bool isAnyWaitingForReplicas() const { return !m_replicaWaits.empty(); }

    /// The server starts again, with its data or without: all connections are gone, and so are the
    /// scripts. That the data is gone reaches the replicas like any other write.
    void restart(bool keepsData);
    /// The replica takes the server's place with what it has; writes that it did not receive are
    /// lost, acknowledged or not. All connections are gone. As many replicas as before follow, the
    /// former master being one of them, and have what the new one has.
    void failOver(std::size_t replicaIndex);

    const SimDatabase& database() const { return m_database; }
    /// Nothing is written through it after the next contentHash().
    SimDatabase& database()
    {
        m_hash.reset();
        return m_database;
    }

    /// Of everything on which the answers to come depend: the data, the replicas, transactions,
    /// watched keys, subscriptions, waits, and deliveries that were not taken yet. Connections are
    /// told apart by their ids, but one that remembers nothing does not count, and neither does the
    /// order of things that cannot be seen, such as of waits for different keys. What clients say
    /// of themselves decides nothing, and does not count either. Kept until something may have
    /// changed: of several servers a step of a run reaches one.
    std::uint64_t contentHash() const;

private:
    std::uint64_t computedHash() const;
    void keyTouched(const Bytes& key) override;
    void everythingFlushed() override;
    void keyAppeared(const Bytes& key) override;
    std::int64_t publish(ChannelKind kind, const Bytes& channel, const Bytes& payload) override
    {
        return m_subscriptions.publish(kind, channel, payload, m_deliveries);
    }
    const Subscriptions& subscriptions() const override { return m_subscriptions; }

    SimSession& sessionOf(SessionId id);
    CommandContext context(ServerTime now) { return {*m_lua, now, this}; }
    bool isExpired(const Bytes& key, ServerTime now);

    store::Reply refuse(SimSession& session, const CommandSpec* spec, store::Reply refusal);
    store::Reply runInTransaction(SessionId id, const CommandSpec& spec,
                                  const store::Command& command, ServerTime now);
    std::optional<store::Reply> runForConnection(SimSession& session, const CommandSpec& spec,
                                                 const store::Command& command, ServerTime now);
    void endCommand(SimSession& session, ServerTime now);
    store::Reply execute(SimSession& session, ServerTime now);
    store::Reply watch(SimSession& session, const store::Command& command, ServerTime now);
    std::optional<store::Reply> waitForReplicas(const SimSession& session,
                                                const store::Command& command, ServerTime now);
    std::size_t countFor(const ReplicaWait& wait) const
    {
        return m_replication.replicaCountAt(wait.offset);
    }
    bool isSatisfied(const ReplicaWait& wait) const
    {
        return static_cast<std::int64_t>(countFor(wait)) >= wait.replicaCount;
    }
    void commitWrites() { m_replication.commit(m_database.keys()); }
    void endConnections();
    void serveWaiting(ServerTime now);
    void serveKey(const Bytes& key, ServerTime now);
    bool canBeServed(const KeyWait& wait, const Bytes& key, ServerTime now);

    // connection_commands.cpp
    struct ClientCommand;
    static const ClientCommand* findClientCommand(std::string_view name);
    store::Reply runForClient(SessionId id, const ClientCommand& known,
                              const store::Command& command, ServerTime now);
    store::Reply hello(SessionId id, const store::Command& command, ServerTime now);
    store::Reply auth(SessionId id, const store::Command& command, ServerTime now);
    store::Reply quit(SessionId id, const store::Command& command, ServerTime now);
    store::Reply reset(SessionId id, const store::Command& command, ServerTime now);
    store::Reply clientGetname(SessionId id, const store::Command& command, ServerTime now);
    store::Reply clientId(SessionId id, const store::Command& command, ServerTime now);
    store::Reply clientInfo(SessionId id, const store::Command& command, ServerTime now);
    store::Reply clientKill(SessionId id, const store::Command& command, ServerTime now);
    store::Reply clientList(SessionId id, const store::Command& command, ServerTime now);
    store::Reply clientNoEvict(SessionId id, const store::Command& command, ServerTime now);
    store::Reply clientReply(SessionId id, const store::Command& command, ServerTime now);
    store::Reply clientSetname(SessionId id, const store::Command& command, ServerTime now);
    store::Reply clientTracking(SessionId id, const store::Command& command, ServerTime now);
    store::Reply info(SessionId id, const store::Command& command, ServerTime now);
    store::Reply role(SessionId id, const store::Command& command, ServerTime now);
    std::optional<store::Reply> giveName(SessionId id, const Bytes& name);
    const ClientFacts* findFacts(SessionId id) const;
    ClientFacts& factsOf(SessionId id);
    void noteCommand(SessionId id, const CommandSpec& spec, const store::Command& command,
                     ServerTime now);
    void closeByCommand(SessionId id);
    Bytes addressOf(SessionId id) const;
    // server_report.cpp
    std::string clientLine(const SimSession& session, ServerTime now) const;
    std::string clientFlags(const SimSession& session) const;
    std::string infoSection(std::string_view name, ServerTime now) const;

    LuaEngine* m_lua;
    SimDatabase m_database;
    SimReplication m_replication;
    std::vector<SimSession> m_sessions; // by id
    std::vector<Watch> m_watches;
    Subscriptions m_subscriptions;
    std::vector<KeyWait> m_keyWaits;         // in the order in which they came
    std::vector<ReplicaWait> m_replicaWaits; // likewise
    std::vector<Bytes> m_readyKeys;          // that appeared while a client waits
    std::vector<Delivery> m_deliveries;
    std::vector<ClientFacts> m_clients; // by id; of those of which there are any
    std::vector<SessionId> m_closed;
    SessionId m_lastId = 0;
    mutable std::optional<std::uint64_t> m_hash; // nullopt: something may have changed since
};

} // namespace lockscope::sim
