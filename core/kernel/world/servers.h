#pragma once

#include "core/kernel/base/content_hash.h"
#include "core/kernel/sim/lua_engine.h"
#include "core/kernel/sim/sim_server.h"
#include "core/kernel/world/server_clock.h"
#include "core/kernel/world/world_plan.h"

#include <optional>
#include <vector>

namespace lockscope::world {

/// The simulated servers of a world, each with the clock by which it judges expiry, and with what
/// faults did to it. They know neither clients nor network: who sends what is said in SimNetwork.
///
/// A server is fresh when it did something in the latest step. Faults are offered to fresh servers
/// alone, so whatever changes a server has to say so.
class Servers {
public:
    /// What is referred to outlives the servers; `now` is the world's.
    Servers(const WorldPlan& plan, sim::LuaEngine& lua, const Instant& now);

    /// One of them, with its clock, that goes its own way.
    struct Copy {
        sim::SimServer server;
        ServerClock clock;
    };
    std::vector<Copy> copies() const;

    int count() const { return static_cast<int>(m_nodes.size()); }
    sim::SimServer& operator[](int node) { return at(node).server; }
    const sim::SimServer& operator[](int node) const { return at(node).server; }
    ServerClock& clock(int node) { return at(node).clock; }
    const ServerClock& clock(int node) const { return at(node).clock; }
    /// What the server's clock shows now.
    sim::ServerTime timeOf(int node) const { return at(node).clock.at(m_now); }

    bool isFresh(int node) const { return at(node).isFresh; }
    void markFresh(int node) { at(node).isFresh = true; }
    void markAll(bool areFresh);

    /// From now on it answers this late, for ten times as long.
    void slowDown(int node, Duration delay);
    bool isSlow(int node) const { return m_now < at(node).slowUntil; }
    /// By how much it answers late.
    Duration delayOf(int node) const { return isSlow(node) ? at(node).delay : Duration(0); }
    void endSlowness();

    /// What a failover loses are the latest writes, not all that ever were.
    void keepReplicaClose(int node);
    /// Replicas that are asked what they have (WAIT) get the rest and say so at once: how long that
    /// takes is a matter of the network, which is instant here.
    void answerWaitsForReplicas(int node);
    /// When the next client that blocks is to be answered in any case, in the world's time.
    std::optional<Instant> nextTimeout() const;

    /// Everything on which the answers to come depend.
    void addTo(ContentHash& hash) const;
    void addFreshnessTo(ContentHash& hash) const;

private:
    struct Node {
        sim::SimServer server;
        ServerClock clock;
        Instant slowUntil = Instant::min();
        Duration delay{0};
        bool isFresh = false;
    };

    Node& at(int node) { return m_nodes[static_cast<std::size_t>(node)]; }
    const Node& at(int node) const { return m_nodes[static_cast<std::size_t>(node)]; }

    const Instant& m_now;
    std::vector<Node> m_nodes;
};

} // namespace lockscope::world
