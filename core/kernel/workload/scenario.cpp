#include "core/kernel/workload/scenario.h"

namespace lockscope::workload {

Scenario Scenario::withDefaults(const protocol::ProtocolInfo& info)
{
    Scenario scenario;
    scenario.lease = info.defaults.lease;
    scenario.retry = info.defaults.retry;
    scenario.renewal = info.defaults.renewal;
    return scenario;
}

Bytes Scenario::keyAt(int index) const
{
    return keyPrefix + ':' + std::to_string(index);
}

std::string_view idOf(Scenario::Kind kind)
{
    switch (kind) {
    case Scenario::Kind::Contention: return "contention";
    case Scenario::Kind::HotStandby: return "hot-standby";
    case Scenario::Kind::Draw: return "draw";
    }
    return "unknown";
}

std::optional<Scenario::Kind> scenarioKindOf(std::string_view id)
{
    for (const auto kind :
         {Scenario::Kind::Contention, Scenario::Kind::HotStandby, Scenario::Kind::Draw}) {
        if (idOf(kind) == id) {
            return kind;
        }
    }
    return std::nullopt;
}

std::vector<std::string> complaintsAbout(const Scenario& scenario,
                                         const protocol::ProtocolInfo& info)
{
    std::vector<std::string> complaints;
    const auto demand = [&complaints](bool isMet, std::string sentence) {
        if (!isMet) {
            complaints.push_back(std::move(sentence));
        }
    };
    const auto isShare = [](double share) { return share >= 0 && share <= 1; };
    demand(scenario.contenderCount >= 1, "There must be at least one contender.");
    demand(scenario.keyCount >= 1 && scenario.keyCount <= 10'000,
           "The number of keys must be between 1 and 10000.");
    demand(scenario.lease >= std::chrono::milliseconds(1), "The lease must be at least 1 ms.");
    demand(isShare(scenario.readShare) && isShare(scenario.crashProbability)
               && isShare(scenario.pauseProbability),
           "Shares and probabilities must be between 0 and 1.");
    demand(scenario.readShare == 0 || info.hasModes,
           "This protocol has no readers, only exclusive holders.");
    demand(scenario.reentryDepth >= 1, "The reentry depth must be at least 1.");
    demand(scenario.reentryDepth == 1 || info.isReentrant,
           "This protocol is not reentrant: a second acquisition would wait for the first.");
    demand(scenario.permits >= 1, "At least one permit is required.");
    demand(scenario.permits == 1 || info.hasPermits, "This protocol has one holder at a time.");
    demand(!scenario.renewal.isOn() || info.canRenew, "This protocol has no renewal.");
    return complaints;
}

} // namespace lockscope::workload
