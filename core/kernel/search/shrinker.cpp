#include "core/kernel/search/shrinker.h"

#include "core/kernel/world/fault_info.h"
#include "core/kernel/world/world.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace lockscope::search {

using world::Act;
using world::ClientPlan;
using world::Step;
using world::WorldPlan;

namespace {

/// A plan that is one thing smaller than another.
struct Smaller {
    WorldPlan plan;
    std::optional<int> withoutClient{}; // its number in the other plan
};

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

/// Nothing is done in it, so nothing can break.
bool isIdle(const WorldPlan& plan)
{
    return std::ranges::all_of(plan.clients,
                               [](const ClientPlan& client) { return client.acts.empty(); });
}

/// Everything that is one thing smaller, the greatest things first.
/// That order saves searches: what a whole client did not contribute need not be tried act by act.
std::vector<Smaller> smallerPlans(const WorldPlan& plan)
{
    std::vector<Smaller> smaller;
    for (int client = 0; client < static_cast<int>(plan.clients.size()); ++client) {
        if (auto without = withoutClient(plan, client)) {
            smaller.push_back({std::move(*without), client});
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
            smaller.push_back({std::move(without)});
        }
    }
    std::erase_if(smaller, [](const Smaller& each) { return isIdle(each.plan); });
    for (const world::FaultInfo& fault : world::allFaults()) {
        if (plan.faults.allows(fault.kind)) {
            WorldPlan without = plan;
            --without.faults.of(fault.kind).countMax;
            smaller.push_back({std::move(without)});
        }
    }
    return smaller;
}

/// The same promise broken in the same way: otherwise it could slip to another mistake.
Goal sameAs(const Finding& finding)
{
    return {finding.violation.promise, finding.violation.kind};
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
        const auto isTaken = [this](const Smaller& smaller) {
            return !m_isInterrupted && takeIfNoLonger(smaller.plan);
        };
        return std::ranges::any_of(smallerPlans(m_example.plan), isTaken);
    }

    /// Whether the same breaks in this plan, too, in no more steps.
    bool takeIfNoLonger(const WorldPlan& plan)
    {
        const Goal goal = sameAs(m_example.finding);
        const GoOn goOn = [this](const Coverage& coverage) {
            m_isInterrupted = m_isInterrupted || (m_goOn && !m_goOn(coverage));
            return !m_isInterrupted;
        };
        Bounds bounds = m_bounds;
        bounds.lengthMax = std::min(bounds.lengthMax, m_example.finding.length);
        Explorer explorer({m_protocol, plan, m_lua, bounds, goal, true, goOn});
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

/// The steps as the clients of the smaller plan would take them. Faults stay: one of a server names
/// a client as well, and what is not possible is left out later.
std::vector<Step> stepsWithout(std::span<const Step> steps, std::optional<int> client)
{
    std::vector<Step> left(steps.begin(), steps.end());
    if (client) {
        std::erase_if(left, [client](const Step& step) {
            const bool isOfClient = step.kind == Step::Kind::Serve
                                    || step.kind == Step::Kind::ServeLate;
            return isOfClient && step.client == *client;
        });
        for (Step& step : left) {
            step.client -= step.client > *client ? 1 : 0;
        }
    }
    return left;
}

/// The next of the steps that is possible, or else what comes first of all that is not a fault.
std::optional<Step> nextStep(std::span<const Step> possible, std::span<const Step>& wanted)
{
    while (!wanted.empty()) {
        const Step step = wanted.front();
        wanted = wanted.subspan(1);
        if (std::ranges::find(possible, step) != possible.end()) {
            return step;
        }
    }
    const auto isUsual = [](const Step& step) { return step.kind != Step::Kind::Fault; };
    const auto usual = std::ranges::find_if(possible, isUsual);
    return usual != possible.end() ? std::optional(*usual) : std::nullopt;
}

/// What breaks in the same way as the example when what is left of its run is followed in a smaller
/// plan; nullopt: nothing does, or later than there.
std::optional<Finding> followed(const protocol::LockProtocol& protocol, const Smaller& smaller,
                                const Finding& example, sim::LuaEngine& lua)
{
    const std::vector<Step> steps = stepsWithout(example.steps, smaller.withoutClient);
    std::span<const Step> wanted(steps);
    const auto isSame = [goal = sameAs(example)](const world::Violation& violation) {
        return goal.isMetBy(violation);
    };
    world::World world(protocol, smaller.plan, lua);
    Finding finding;
    // Steps that cost nothing may go on for ever, as those of a zombie.
    while (world.cost() <= example.length && finding.steps.size() <= example.steps.size()) {
        const std::span<const Step> possible = world.steps();
        const bool isOver = possible.empty();
        if (isOver) {
            world.conclude();
        }
        const auto broken = std::ranges::find_if(world.violations(), isSame);
        if (broken != world.violations().end()) {
            finding.violation = *broken;
            finding.length = world.cost();
            return finding;
        }
        const std::optional<Step> step = isOver ? std::nullopt : nextStep(possible, wanted);
        if (!step) {
            return std::nullopt;
        }
        finding.steps.push_back(*step);
        world.takeKnownStep(*step);
    }
    return std::nullopt;
}

} // namespace

Counterexample strip(const protocol::LockProtocol& protocol, Counterexample example,
                     sim::LuaEngine& lua)
{
    const auto isTaken = [&](const Smaller& smaller) {
        std::optional<Finding> finding = followed(protocol, smaller, example.finding, lua);
        if (finding) {
            example = {smaller.plan, std::move(*finding)};
        }
        return finding.has_value();
    };
    while (std::ranges::any_of(smallerPlans(example.plan), isTaken)) {}
    return example;
}

Counterexample shrink(const protocol::LockProtocol& protocol, Counterexample example,
                      sim::LuaEngine& lua, const Bounds& bounds, const GoOn& goOn)
{
    return Shrinker(protocol, std::move(example), lua, bounds, goOn).run();
}

} // namespace lockscope::search
