#include "core/kernel/world/world.h"

#include <algorithm>

namespace lockscope::world {

/// The parts are bound to each other here and use each other only afterwards.
World::World(const protocol::LockProtocol& protocol, const WorldPlan& plan, sim::LuaEngine& lua)
    : m_plan(plan),
      m_ledger(protocol.info(), plan),
      m_servers(plan, lua, m_now),
      m_probe(protocol, plan, m_servers, m_now),
      m_network(protocol.info(), plan, m_now, {m_ledger, m_clients, m_servers, m_probe, m_record}),
      m_faults({plan, m_now, m_ledger, m_clients, m_servers, m_network}, m_record),
      m_scheduler(plan, m_now, m_clients, m_servers, m_network, m_faults),
      m_runner(parts()),
      m_oracle(protocol.info(), plan, parts(), m_runner),
      m_clients({protocol, plan, m_now, m_ledger, m_network, m_record})
{
    for (const ClientPlan& acts : plan.clients) {
        m_clients.add(plan, acts);
        m_network.connect(m_clients.count() - 1);
    }
}

std::span<const Step> World::steps()
{
    if (!m_scheduler.hasBegun()) {
        if (const auto beginnings = m_scheduler.beginnings(); !beginnings.empty()) {
            return beginnings;
        }
        m_runner.begin();
    }
    return m_scheduler.steps();
}

bool World::takeStep(const Step& step)
{
    const std::span<const Step> possible = steps();
    if (std::ranges::find(possible, step) == possible.end()) {
        return false;
    }
    m_runner.carryOut(step);
    return true;
}

/// Where a search has no image of a world it repeats the beginning of the run
/// (docs/decisions/0010), so the list of possible steps is not even made.
void World::takeKnownStep(const Step& step)
{
    if (!m_scheduler.hasBegun()) {
        steps(); // begins the run, unless something goes wrong from the beginning
    }
    m_runner.carryOut(step);
}

/// Everything the future depends on, and nothing else (docs/decisions/0006). What is missing here
/// makes a search skip runs that differ; what is too much makes it repeat runs that are alike. So
/// cost, events and request numbers are left out: they tell how the state was reached. How many
/// faults there were counts only as long as another one may happen.
///
/// Saved runs carry this hash: the order of what is added belongs to kEngineRevision.
std::uint64_t World::stateHash() const
{
    ContentHash hash(static_cast<std::uint64_t>(m_now.time_since_epoch().count()));
    for (int client = 0; client < m_clients.count(); ++client) {
        m_clients.addTo(hash, client);
        m_network.addTo(hash, client);
    }
    m_servers.addTo(hash);
    m_network.addStraysTo(hash);
    if (m_faults.mayMore()) { // who is fresh decides what may fail next
        m_faults.addTo(hash);
        m_clients.addFreshnessTo(hash);
        m_servers.addFreshnessTo(hash);
    }
    hash.add(m_ledger.contentHash());
    return hash.value();
}

} // namespace lockscope::world
