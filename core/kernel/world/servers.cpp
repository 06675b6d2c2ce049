#include "core/kernel/world/servers.h"

#include "core/kernel/base/arena.h"
#include "core/kernel/world/fault_info.h"
#include "protocol_scripts.h"

#include <algorithm>
#include <utility>

namespace lockscope::world {

namespace {

void learnScriptsOfProgram(sim::SimDatabase& database)
{
    for (const store::Script& script : protocol::scripts::kAll) {
        database.remember(script.digest, script.text); // what is known already stays
    }
}

/// Knows the scripts. They are learnt once in the program: that takes longer than a run.
const sim::SimDatabase& databaseInUse()
{
    static const sim::SimDatabase kDatabase = [] {
        const Arena::Scope outside(nullptr); // it is there for all worlds to come
        sim::SimDatabase database;
        learnScriptsOfProgram(database);
        return database;
    }();
    return kDatabase;
}

/// As it is on a server that has been in use: it knows the scripts.
sim::SimServer serverWithScripts(sim::LuaEngine& lua, const WorldPlan& plan)
{
    sim::SimDatabase database;
    if (plan.plantedScripts.empty()) {
        database.borrowScriptsOf(databaseInUse());
    } else {
        for (const auto& [digest, text] : plan.plantedScripts) {
            database.remember(digest, text);
        }
        learnScriptsOfProgram(database);
    }
    return sim::SimServer(lua, std::move(database));
}

bool needsReplica(const WorldPlan& plan)
{
    return std::ranges::any_of(allFaults(), [&plan](const FaultInfo& fault) {
        return fault.needsReplica && plan.faults.allows(fault.kind);
    });
}

} // namespace

Servers::Servers(const WorldPlan& plan, sim::LuaEngine& lua, const Instant& now) : m_now(now)
{
    // A replica takes part in every write and in the hash. Only a plan in which it can matter pays.
    const bool hasReplica = plan.hasReplicas || needsReplica(plan);
    m_nodes.reserve(static_cast<std::size_t>(plan.nodeCount));
    for (int node = 0; node < plan.nodeCount; ++node) {
        m_nodes.push_back({serverWithScripts(lua, plan), {}});
        if (hasReplica) {
            m_nodes.back().server.addReplica();
        }
    }
}

std::vector<Servers::Copy> Servers::copies() const
{
    std::vector<Copy> copies;
    copies.reserve(m_nodes.size());
    for (const Node& node : m_nodes) {
        copies.push_back({node.server, node.clock});
    }
    return copies;
}

void Servers::markAll(bool areFresh)
{
    for (Node& node : m_nodes) {
        node.isFresh = areFresh;
    }
}

void Servers::slowDown(int node, Duration delay)
{
    at(node).slowUntil = m_now + 10 * delay;
    at(node).delay = delay;
}

void Servers::endSlowness()
{
    for (Node& node : m_nodes) {
        node.slowUntil = Instant::min();
    }
}

void Servers::keepReplicaClose(int node)
{
    constexpr std::size_t kLagMax = 2;
    sim::SimServer& server = at(node).server;
    if (server.replication().replicaCount() == 0) {
        return;
    }
    while (server.replication().lagOf(0) > kLagMax) {
        server.advanceReplica(0);
    }
}

void Servers::answerWaitsForReplicas(int node)
{
    sim::SimServer& server = at(node).server;
    while (server.isAnyWaitingForReplicas() && server.advanceReplica(0)) {}
}

std::optional<Instant> Servers::nextTimeout() const
{
    std::optional<Instant> next;
    for (const Node& node : m_nodes) {
        if (const auto timeout = node.server.nextTimeout()) {
            const Instant then = node.clock.whenItShows(*timeout);
            next = std::min(next.value_or(then), then);
        }
    }
    return next;
}

void Servers::addTo(ContentHash& hash) const
{
    for (const Node& node : m_nodes) {
        hash.add(node.server.contentHash());
        hash.add(node.clock.offset.count());
        if (node.clock.rate != 1) {
            hash.add(node.clock.rate);
        }
        // A slow time that is over makes no difference any more, whenever it was.
        hash.add(node.slowUntil > m_now ? node.slowUntil.time_since_epoch().count() : 0);
    }
}

void Servers::addFreshnessTo(ContentHash& hash) const
{
    for (const Node& node : m_nodes) {
        hash.add(node.isFresh);
    }
}

} // namespace lockscope::world
