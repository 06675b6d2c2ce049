#include "tests/mutation/score.h"

#include "core/kernel/search/default_plans.h"
#include "core/kernel/world/fault_info.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace lockscope::mutation {

using search::Exploration;
using world::FaultKind;
using world::WorldPlan;

namespace {

std::vector<FaultKind> faultsFor(const protocol::ProtocolInfo& info)
{
    std::vector<FaultKind> faults;
    for (int i = 0; i < static_cast<int>(FaultKind::FaultKindCount); ++i) {
        const auto fault = static_cast<FaultKind>(i);
        if (search::isApplicable(fault, info)) {
            faults.push_back(fault);
        }
    }
    std::stable_partition(faults.begin(), faults.end(), [](FaultKind fault) {
        return fault == FaultKind::Interleaving || world::isMisuse(fault);
    });
    return faults;
}

/// The shortest run that breaks the promise; no run is longer than the bound of the searches.
int lengthIn(const Exploration& exploration, protocol::Promise promise)
{
    const search::Finding* const finding = exploration.find(promise);
    return finding != nullptr ? finding->length : std::numeric_limits<int>::max();
}

} // namespace

Judgement::Judgement(const Subject& subject, search::Bounds bounds)
    : m_protocol(subject.protocol),
      m_bounds(bounds)
{
    for (const FaultKind fault : faultsFor(m_protocol->info())) {
        std::vector<WorldPlan> plans = search::defaultPlans(m_protocol->info(), fault);
        std::vector<std::optional<Exploration>> sound(plans.size());
        m_trials.push_back({fault, std::move(plans), std::move(sound)});
    }
}

Exploration Judgement::explore(const protocol::LockProtocol& protocol, const WorldPlan& plan,
                               sim::LuaEngine& lua) const
{
    return search::Explorer({protocol, plan, lua, m_bounds}).run();
}

std::optional<Kill> Judgement::tryOn(const Mutant& mutant)
{
    // An engine keeps scripts by their digests, and a planted one has that of another text.
    sim::LuaEngine lua;
    for (Trial& trial : m_trials) {
        for (std::size_t i = 0; i < trial.plans.size(); ++i) {
            if (std::optional<Kill> kill = tryPlan(mutant, trial, i, lua)) {
                return kill;
            }
        }
    }
    return std::nullopt;
}

std::optional<Kill> Judgement::tryPlan(const Mutant& mutant, Trial& trial, std::size_t index,
                                       sim::LuaEngine& lua)
{
    WorldPlan plan = trial.plans[index];
    mutant.plantIn(plan);
    const Exploration mutated = explore(*mutant.protocol, plan, lua);
    if (mutated.findings.empty()) {
        return std::nullopt;
    }
    std::optional<Exploration>& sound = trial.sound[index];
    if (!sound) {
        sound = explore(*m_protocol, trial.plans[index], m_lua);
    }
    for (const search::Finding& finding : mutated.findings) {
        const protocol::Promise promise = finding.violation.promise;
        if (finding.length < lengthIn(*sound, promise)) {
            return Kill{promise, trial.fault, plan.name, finding.length};
        }
    }
    return std::nullopt;
}

} // namespace lockscope::mutation
