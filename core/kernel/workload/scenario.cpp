#include "core/kernel/workload/scenario.h"

#include "core/kernel/base/kernel_text.h"

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

protocol::LockRequest Scenario::requestFor(int index) const
{
    protocol::LockRequest request;
    request.key = keyAt(index);
    request.lock = static_cast<trace::LockId>(index);
    request.lease = lease;
    request.waitLimit = waitLimit;
    request.retry = retry;
    request.permits = permits;
    request.areWritersPreferred = areWritersPreferred;
    return request;
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
    demand(scenario.contenderCount >= 1, KernelText::tr("There must be at least one contender."));
    demand(scenario.keyCount >= 1 && scenario.keyCount <= 10'000,
           KernelText::tr("The number of keys must be between 1 and 10000."));
    demand(scenario.lease >= std::chrono::milliseconds(1),
           KernelText::tr("The lease must be at least 1 ms."));
    demand(isShare(scenario.readShare) && isShare(scenario.crashProbability)
               && isShare(scenario.pauseProbability),
           KernelText::tr("Shares and probabilities must be between 0 and 1."));
    demand(scenario.readShare == 0 || info.hasModes,
           KernelText::tr("This protocol has no readers, only exclusive holders."));
    demand(scenario.reentryDepth >= 1, KernelText::tr("The reentry depth must be at least 1."));
    demand(scenario.reentryDepth == 1 || info.isReentrant,
           KernelText::tr(
               "This protocol is not reentrant: a second acquisition would wait for the first."));
    demand(scenario.permits >= 1, KernelText::tr("At least one permit is required."));
    demand(scenario.permits == 1 || info.hasPermits,
           KernelText::tr("This protocol has one holder at a time."));
    demand(!scenario.renewal.isOn() || info.canRenew,
           KernelText::tr("This protocol has no renewal."));
    return complaints;
}

} // namespace lockscope::workload
