#include "search/shrinker.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace lockscope::search {

using world::Act;
using world::ClientPlan;
using world::FaultKind;
using world::WorldPlan;

namespace {

/// The plan without one client; nullopt when somebody shares its identity.
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
            if (acts[i].kind == Act::Kind::Release) {
                continue;
            }
            WorldPlan without = plan;
            auto& left = without.clients[client].acts;
            left.erase(left.begin() + static_cast<std::ptrdiff_t>(i),
                       left.begin() + static_cast<std::ptrdiff_t>(end));
            smaller.push_back(std::move(without));
        }
    }
    for (int i = 0; i < static_cast<int>(FaultKind::FaultKindCount); ++i) {
        const auto kind = static_cast<FaultKind>(i);
        if (plan.faults.allows(kind)) {
            WorldPlan without = plan;
            --without.faults.of(kind).countMax;
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

} // namespace

Counterexample shrink(const protocol::LockProtocol& protocol, Counterexample example,
                      sim::LuaEngine& lua, const Bounds& bounds)
{
    const Goal goal{example.finding.violation.promise, example.finding.violation.kind};
    const auto attempt = [&](const WorldPlan& plan) {
        Explorer explorer({protocol, plan, lua, bounds, goal, true, {}});
        const Exploration exploration = explorer.run();
        const Finding* const finding = exploration.find(goal);
        return finding != nullptr ? std::optional(*finding) : std::nullopt;
    };
    if (auto shortest = attempt(example.plan);
        shortest && shortest->length <= example.finding.length) {
        example.finding = std::move(*shortest);
    }
    bool isSmaller = true;
    while (isSmaller) {
        isSmaller = false;
        for (WorldPlan& plan : smallerPlans(example.plan)) {
            if (plan.clients.empty() || sizeOf(plan) >= sizeOf(example.plan)) {
                continue;
            }
            auto finding = attempt(plan);
            if (finding && finding->length <= example.finding.length) {
                example = {std::move(plan), std::move(*finding)};
                isSmaller = true;
                break;
            }
        }
    }
    return example;
}

} // namespace lockscope::search
