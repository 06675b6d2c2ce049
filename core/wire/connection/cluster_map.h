#pragma once

#include "core/kernel/async/gate.h"
#include "core/kernel/async/task.h"
#include "core/kernel/base/clock.h"
#include "core/kernel/store/cluster.h"
#include "core/kernel/store/endpoint.h"
#include "core/wire/connection/connection.h"

#include <QObject>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lockscope::wire {

/// Knows which node of a cluster has which slots, and has a connection to each. All nodes are
/// asked at once, because one that was cut off from the others does not know yet that it is a
/// master no more; what their answers come to is decided in store/cluster. Runs on one thread.
class ClusterMap final : public QObject {
    Q_OBJECT
public:
    /// `endpoint` names some nodes. Executor and clock outlive this.
    ClusterMap(store::Endpoint endpoint, async::Executor& executor, Clock& clock, Rng rng,
               QObject* parent = nullptr);
    ~ClusterMap() override;

    /// See Connection::leaveNoTrace(); of connections that are made from now on.
    void leaveNoTrace() { m_leavesNoTrace = true; }

    void open();
    /// From now on the nodes are asked again and again, and at once when a connection is lost.
    void follow();
    void close();
    bool isOpen() const { return m_isOpen; }

    const store::Endpoint& endpoint() const { return m_endpoint; }
    void setReadOnly(bool isReadOnly);

    /// Asks the nodes, if the last answers are older than that. Any number of tasks may wait; this
    /// outlives them. Ends with problem().
    async::Task<store::Problem> refresh(Duration age);
    /// The same with questions that are asked from now on: what has changed before is seen.
    async::Task<store::Problem> askAgain();
    /// Why the nodes could not be asked last; kind None: they could.
    const store::Problem& problem() const { return m_problem; }
    /// Null until a node answered.
    const store::ClusterTopologyPtr& topology() const { return m_topology; }
    /// Counts the changes of the topology.
    std::uint64_t version() const { return m_version; }

    /// The connection to a node, opened if it was not. It lives as long as this. Where the node
    /// announces a name and an IP address, it leads to the one by which it can be reached:
    /// topologyChanged() says when that is another one than before.
    Connection& connectionTo(const store::ClusterNode& node);
    /// That of the node that announces the address, if one is known to.
    Connection& connectionTo(const store::HostPort& address);
    /// Null: nobody has the slot.
    Connection* connectionOf(std::uint16_t slot);
    /// It has left a question unanswered for so long that nobody should wait for another answer.
    bool isSilent(const Connection& connection) const;
    /// The commands sent on all connections since the last call, and the slowest of them.
    Connection::Traffic takeTraffic();

Q_SIGNALS:
    /// topology() is another one, or connectionTo() one of its nodes is.
    void topologyChanged();
    /// problem() is another one.
    void problemChanged();

private:
    struct Round {
        std::vector<store::ClusterView> views;
        std::vector<std::string> complaints; // "10.0.0.5:6379: connection refused"
        store::Problem problem;              // one that can be mended at once
        std::size_t openCount = 0;
        async::Gate news;
    };

    Connection& connectionBy(const store::HostPort& address);
    bool prefersNames() const;
    std::map<std::string, const Connection*> ways();
    std::vector<Connection*> thoseToAsk();
    async::Task<void> look();
    async::Task<void> askAll(std::vector<Connection*> connections, std::shared_ptr<Round> round);
    async::Task<void> ask(Connection& connection, std::shared_ptr<Round> round);
    std::vector<Connection*> unaskedNodes(const store::ClusterTopology& topology,
                                          const std::vector<Connection*>& asked);
    void take(const Round& round);
    void setProblem(const store::Problem& problem);
    void closeStrangers();
    async::Task<void> keepLooking();

    store::Endpoint m_endpoint;
    async::Executor& m_executor;
    Clock& m_clock;
    Rng m_rng;
    bool m_isOpen = false;
    bool m_leavesNoTrace = false;
    store::ClusterTopologyPtr m_topology;
    store::Problem m_problem;
    std::uint64_t m_version = 0;
    Instant m_lookedAt{};
    bool m_isLooking = false;
    std::map<std::string, std::unique_ptr<Connection>> m_connections; // by address
    std::map<std::string, Connection*> m_self;       // by the id of the node that answered there
    std::map<std::string, const Connection*> m_ways; // to each node, by its id, as was last told
    std::map<const Connection*, Instant> m_asked;    // since when they have not answered
    std::vector<async::Completer<bool>> m_waiters;   // for the end of the look
    async::Gate m_lookGate;
    async::BackgroundTask m_looking;
    async::BackgroundTask m_following;
    async::TaskScope m_tasks; // last: what runs in it uses everything above
};

} // namespace lockscope::wire
