#include "lab_live_order.h"

#include <algorithm>

namespace lockscope::models {

using world::FaultKind;
using namespace std::chrono_literals;

namespace {

constexpr double kFaultShare = 0.05;
/// Short enough that somebody outlives it within the run.
constexpr Duration kLeaseWithFaults = 1s;
constexpr int kMasterCount = 3; // of a protocol over several servers

bool isWanted(const LabDraft& draft, FaultKind fault)
{
    return std::ranges::find(draft.faults, fault) != draft.faults.end();
}

} // namespace

service::LiveRunOrder liveOrderOf(const LabDraft& draft)
{
    const protocol::ProtocolInfo& info = draft.protocol->info();
    service::LiveRunOrder order;
    order.protocol = draft.protocol;
    order.privateServerCount = info.keys == protocol::KeyUse::OnePerServer ? kMasterCount : 1;
    workload::Scenario& scenario = order.scenario;
    scenario = workload::Scenario::withDefaults(info);
    if (draft.clientCount > 0) {
        scenario.contenderCount = draft.clientCount;
    }
    if (isWanted(draft, FaultKind::Crash)) {
        scenario.crashProbability = kFaultShare;
    }
    if (isWanted(draft, FaultKind::Pause)) {
        scenario.pauseProbability = kFaultShare;
    }
    if (scenario.crashProbability > 0 || scenario.pauseProbability > 0) {
        scenario.lease = std::min(scenario.lease, kLeaseWithFaults);
        scenario.renewal.period = std::min(scenario.renewal.period, scenario.lease / 3);
    }
    return order;
}

} // namespace lockscope::models
