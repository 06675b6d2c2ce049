#include "core/kernel/search/shrinker.h"

#include "core/kernel/world/fault_info.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace lockscope::search {

using world::Act;
using world::ClientPlan;
using world::WorldPlan;

namespace {

/// The plan without one client; nullopt when another client shares its identity.
/// The numbers of clients are part of a plan (identities, who is out of reach), so all behind the
/// one that goes move up by one.
std::optional<WorldPlan> withoutClient(const WorldPlan& plan, int client)
{
    WorldPlan smaller = plan;
    smaller.clients.erase(smaller.clients.begin() + client);
    for (ClientPlan& other : smaller.clients) {
        if (other.sharesIdentityWith == client) {
            return std::nullopt;
        }
        if (other.sharesIdentityWith > client) {
            --*other.sharesIdentityWith;
        }
    }
    std::erase_if(smaller.unreachable, [client](const auto& pair) { return pair.first == client; });
    for (auto& pair : smaller.unreachable) {
        pair.first -= pair.first > client ? 1 : 0;
    }
    return smaller;
}

/// The act behind which the lock that is taken at `acquire` is given back.
/// Brackets: with nested holds the release of the same depth, not the first one.
std::size_t endOfRound(const std::vector<Act>& acts, std::size_t acquire)
{
    int depth = 0;
    for (std::size_t i = acquire; i < acts.size(); ++i) {
        if (acts[i].key == acts[acquire].key) {
            depth += acts[i].kind == Act::Kind::Acquire ? 1 : 0;
            depth -= acts[i].kind == Act::Kind::Release ? 1 : 0;
        }
        if (depth == 0) {
            return i + 1;
        }
    }
    return acts.size();
}

/// Everything that is one thing smaller, the greatest things first.
/// That order saves searches: what a whole client did not contribute need not be tried act by act.
std::vector<WorldPlan> smallerPlans(const WorldPlan& plan)
{
    std::vector<WorldPlan> smaller;
    for (int client = 0; client < static_cast<int>(plan.clients.size()); ++client) {
        if (auto without = withoutClient(plan, client)) {
            smaller.push_back(std::move(*without));
        }
    }
    for (std::size_t client = 0; client < plan.clients.size(); ++client) {
        const std::vector<Act>& acts = plan.clients[client].acts;
        for (std::size_t i = 0; i < acts.size(); ++i) {
            const std::size_t end = acts[i].kind == Act::Kind::Acquire ? endOfRound(acts, i)
                                                                       : i + 1;
            if (acts[i].kind == Act::Kind::Release || acts[i].kind == Act::Kind::Work) {
                continue; // they go with their round: a client that holds a lock works under it
            }
            WorldPlan without = plan;
            auto& left = without.clients[client].acts;
            left.erase(left.begin() + static_cast<std::ptrdiff_t>(i),
                       left.begin() + static_cast<std::ptrdiff_t>(end));
            smaller.push_back(std::move(without));
        }
    }
    for (const world::FaultInfo& fault : world::allFaults()) {
        if (plan.faults.allows(fault.kind)) {
            WorldPlan without = plan;
            --without.faults.of(fault.kind).countMax;
            smaller.push_back(std::move(without));
        }
    }
    return smaller;
}

/// How much there is in a plan.
std::size_t sizeOf(const WorldPlan& plan)
{
    std::size_t size = plan.clients.size();
    for (const ClientPlan& client : plan.clients) {
        size += client.acts.size();
    }
    for (const world::FaultPlan::Fault& fault : plan.faults.faults) {
        size += static_cast<std::size_t>(fault.countMax);
    }
    return size;
}

/// Makes one counterexample smaller, search by search.
class Shrinker {
public:
    Shrinker(const protocol::LockProtocol& protocol, Counterexample example, sim::LuaEngine& lua,
             const Bounds& bounds, const GoOn& goOn)
        : m_protocol(protocol),
          m_example(std::move(example)),
          m_lua(lua),
          m_bounds(bounds),
          m_goOn(goOn)
    {}

    Counterexample run()
    {
        // The example may come from a random run: a search of its own plan shortens it first. Then
        // greedily, one thing at a time, and from the beginning after each success: what could not
        // be left out beside something else may go without it (delta debugging down to single
        // items, Zeller, Hildebrandt 2002: the result is minimal in that no one thing more can go).
        takeIfNoLonger(m_example.plan);
        while (!m_isInterrupted && makeOneThingSmaller()) {}
        return std::move(m_example);
    }

private:
    bool makeOneThingSmaller()
    {
        for (const WorldPlan& plan : smallerPlans(m_example.plan)) {
            if (m_isInterrupted) {
                return false;
            }
            const bool isSmaller = !plan.clients.empty() && sizeOf(plan) < sizeOf(m_example.plan);
            if (isSmaller && takeIfNoLonger(plan)) {
                return true;
            }
        }
        return false;
    }

    /// Whether the same breaks in this plan, too, in no more steps.
    bool takeIfNoLonger(const WorldPlan& plan)
    {
        // The same promise in the same way: otherwise shrinking could slip to another mistake.
        const Goal goal{m_example.finding.violation.promise, m_example.finding.violation.kind};
        const GoOn goOn = [this](const Coverage& coverage) {
            m_isInterrupted = m_isInterrupted || (m_goOn && !m_goOn(coverage));
            return !m_isInterrupted;
        };
        Explorer explorer({m_protocol, plan, m_lua, m_bounds, goal, true, goOn});
        const Exploration exploration = explorer.run();
        const Finding* const finding = exploration.find(goal);
        // A smaller plan with a longer run would not be easier to understand. As the size of the
        // plan falls with every one that is taken, shrinking ends.
        if (finding == nullptr || finding->length > m_example.finding.length) {
            return false;
        }
        m_example = {WorldPlan(plan), *finding};
        return true;
    }

    const protocol::LockProtocol& m_protocol;
    Counterexample m_example;
    sim::LuaEngine& m_lua;
    const Bounds& m_bounds;
    const GoOn& m_goOn;
    bool m_isInterrupted = false;
};

} // namespace

Counterexample shrink(const protocol::LockProtocol& protocol, Counterexample example,
                      sim::LuaEngine& lua, const Bounds& bounds, const GoOn& goOn)
{
    return Shrinker(protocol, std::move(example), lua, bounds, goOn).run();
}

} // namespace lockscope::search
