#include "core/kernel/report/run/live_record.h"

#include "core/kernel/base/duration_text.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/base/listed.h"
#include "core/kernel/report/run/run_verdicts.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace lockscope::report {

std::string contendersText(const workload::Scenario& scenario)
{
    std::string contenders = scenario.contenderCount == 1
                                 ? KernelText::tr("1 contender")
                                 : KernelText::tr("%1 contenders", scenario.contenderCount);
    if (!scenario.sharesConnections()) {
        return contenders;
    }
    return scenario.connectionCount == 1
               ? KernelText::tr("%1 on 1 connection", contenders)
               : KernelText::tr("%1 on %2 connections", contenders, scenario.connectionCount);
}

trace::RunLabels labelsOf(const protocol::ProtocolInfo& info, workload::Scenario scenario,
                          const workload::LiveRunProgress& progress)
{
    if (!progress.keyPrefix.empty()) {
        scenario.keyPrefix = progress.keyPrefix;
    }
    trace::RunLabels labels;
    labels.title = KernelText::tr("%1, %2", info.id, contendersText(scenario));
    for (int i = 0; i < scenario.contenderCount; ++i) {
        labels.contenders.push_back(trace::contenderName(static_cast<std::size_t>(i)));
    }
    for (int i = 0; i < scenario.keyCount; ++i) {
        labels.locks.push_back(escaped(scenario.keyAt(i)));
    }
    for (const store::Endpoint& server : progress.servers) {
        labels.servers.push_back(store::serverName(server));
    }
    return labels;
}

std::string subjectText(const workload::LiveRunOrder& order)
{
    const workload::Scenario& scenario = order.scenario;
    std::vector<std::string> names;
    std::ranges::transform(order.servers, std::back_inserter(names), store::serverName);
    std::string servers = listed(names);
    if (servers.empty()) {
        servers = order.privateServerCount == 1
                      ? KernelText::tr("a private server")
                      : KernelText::tr("%1 private servers", order.privateServerCount);
    }
    const std::string locks = scenario.keyCount == 1
                                  ? KernelText::tr("1 lock")
                                  : KernelText::tr("%1 locks", scenario.keyCount);
    return KernelText::tr("%1 · %2 · %3 · lease %4 · for %5 · on %6", order.protocol->info().id,
                          contendersText(scenario), locks, durationText(scenario.lease),
                          durationText(scenario.duration), servers);
}

std::vector<trace::Event> countedFrom(Duration first, std::span<const trace::Event> events)
{
    std::vector<trace::Event> counted(events.begin(), events.end());
    for (trace::Event& event : counted) {
        event.at -= first;
    }
    return counted;
}

std::vector<trace::ServerHold> countedFrom(Duration first,
                                           std::vector<trace::ServerHold> serverHolds)
{
    for (trace::ServerHold& serverHold : serverHolds) {
        serverHold.from -= first;
        serverHold.to -= first;
        if (serverHold.overBy) {
            *serverHold.overBy -= first;
        }
    }
    return serverHolds;
}

Instant endOf(Instant latestEvent, std::span<const trace::ServerHold> serverHolds)
{
    Instant end = latestEvent;
    for (const trace::ServerHold& serverHold : serverHolds) {
        end = std::max(end, serverHold.to);
    }
    return end;
}

RunFile runFileOf(SavedProtocol protocol, const workload::Scenario& scenario,
                  const workload::LiveRunProgress& progress, LiveObservations observations)
{
    const std::span<const trace::Event> events = observations.events;
    RunFile run;
    const protocol::ProtocolInfo& info = protocol.info();
    run.labels = labelsOf(info, scenario, progress);
    run.mode = "contend";
    run.seed = scenario.seed;
    run.statistics = progress.statistics;
    run.promises = verdictsOf({progress.statistics, events, progress.leftBehind}, scenario, info);
    run.story = storyOfFirstOverlap(events);
    const Duration first = events.empty() ? Duration(0) : events.front().at.time_since_epoch();
    run.events = countedFrom(first, events);
    run.serverHolds = countedFrom(first, std::move(observations.serverHolds));
    run.droppedEventCount = progress.droppedEventCount;
    run.end = endOf(events.empty() ? Instant() : run.events.back().at, run.serverHolds);
    run.permits = scenario.permits;
    run.protocol = std::move(protocol);
    return run;
}

} // namespace lockscope::report
