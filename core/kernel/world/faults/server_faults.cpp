#include "core/kernel/base/kernel_text.h"
#include "core/kernel/world/fault_scene.h"
#include "core/kernel/world/faults/fault_groups.h"
#include "core/kernel/world/faults/fault_words.h"

#include <algorithm>

namespace lockscope::world {

namespace {

using namespace std::chrono_literals;
using protocol::Condition;
using protocol::ProtocolInfo;
using protocol::ServerFeature;
using When = Occasion::Kind;
using Text = const std::string&;

std::string partitionStory(const Step& step, const WorldPlan& plan, Text)
{
    const std::string client = clientName(step.client);
    const std::string server = serverText(step, plan);
    const std::string amount = amountText(step, plan);
    switch (step.variant) {
    case 0:
        return KernelText::tr("%1 and %2 cannot reach each other for %3", client, server, amount);
    case 1: return KernelText::tr("for %1, no reply of %2 reaches %3", amount, server, client);
    default: return KernelText::tr("%1 is cut off from all clients for %2", server, amount);
    }
}

Replay isImpossible(const Step&)
{
    return Replay::Impossible;
}

/// Variants: 0 without its data, 1 with it.
void restart(const Step& step, const FaultScene& scene)
{
    scene.servers[step.node].restart(step.variant == 1);
    scene.network.breakConnections(step.node);
    scene.serverChanged(step.node);
}

/// Variants: 0 loses the latest write, 1 the latest two. From one write on: a failover that loses
/// nothing is a restart that keeps its data.
void offerFailover(const FaultScene& scene, FaultOffers& offers)
{
    const sim::SimReplication& replication = scene.servers[offers.at.node].replication();
    if (replication.replicaCount() > 0) {
        offers.addAt(When::ServerActed, static_cast<int>(replication.lagOf(0)));
    }
}

void failOver(const Step& step, const FaultScene& scene)
{
    const std::size_t lostWriteCount = std::size_t{step.variant} + 1;
    sim::SimServer& server = scene.servers[step.node];
    while (server.replication().lagOf(0) > lostWriteCount) {
        server.advanceReplica(0);
    }
    server.failOver(0);
    scene.network.breakConnections(step.node);
    scene.serverChanged(step.node);
}

/// Requests from now on, and those sent but not yet carried out, are answered late.
void slowDown(const Step& step, const FaultScene& scene)
{
    const Duration delay = scene.amountOf(step);
    scene.servers.slowDown(step.node, delay);
    scene.network.delayRequestsTo(step.node, delay);
}

/// Variants: 0 nothing gets through, 1 only answers do not, 2 the server is cut off.
void offerPartition(const FaultScene& scene, FaultOffers& offers)
{
    const int nodeCount = scene.plan.nodeCount;
    for (int node = 0; offers.at.kind == When::ClientActed && node < nodeCount; ++node) {
        if (scene.network.cutBetween(offers.at.client, node) == SimNetwork::Cut::None) {
            offers.addOn(node, 0);
            offers.addOn(node, 1);
        }
    }
    if (nodeCount > 1) {
        offers.addAt(When::ServerActed, 1, 2);
    }
}

void partition(const Step& step, const FaultScene& scene)
{
    using Cut = SimNetwork::Cut;
    const Instant until = scene.now + scene.amountOf(step);
    if (step.variant < 2) {
        scene.network.cutOff(step.client, step.node, step.variant == 0 ? Cut::Both : Cut::Answers,
                             until);
        return;
    }
    for (int client = 0; client < scene.clients.count(); ++client) {
        scene.network.cutOff(client, step.node, Cut::Both, until);
    }
}

constexpr FaultInfo kServerFaults[] = {
    {
        .id = "server-restart",
        .name = [] { return KernelText::tr("Server restarts"); },
        .description =
            [] { return KernelText::tr("A server restarts, with or without its data."); },
        .story =
            [](const Step& step, const WorldPlan& plan, Text) {
                const std::string server = serverText(step, plan);
                return step.variant == 0 ? KernelText::tr("%1 restarts without its data", server)
                                         : KernelText::tr("%1 restarts with its data", server);
            },
        .spared = [] { return KernelText::tr("the server forgets nothing"); },
        .kind = FaultKind::ServerRestart,
        .group = FaultGroup::Servers,
        .hindersRenewals = true,
        .breaks = Condition::NothingLost | Condition::DurableWrites,
        .replay = isImpossible,
        .offer = offerEach<When::ServerActed, 2>,
        .carryOut = restart,
    },
    {
        .id = "failover",
        .name = [] { return KernelText::tr("Failover"); },
        .description =
            [] { return KernelText::tr("A replica takes over without the latest writes."); },
        .story =
            [](const Step& step, const WorldPlan& plan, Text) {
                const std::string server = serverText(step, plan);
                return step.variant == 0
                           ? KernelText::tr("a replica of %1 takes over without the latest write",
                                            server)
                           : KernelText::tr(
                               "a replica of %1 takes over without the latest two writes", server);
            },
        .spared = [] { return KernelText::tr("the server forgets nothing"); },
        .kind = FaultKind::Failover,
        .group = FaultGroup::Servers,
        .hindersRenewals = true,
        .needsReplica = true,
        .breaks = Condition::NothingLost | Condition::DurableWrites,
        .replay = isImpossible,
        .offer = offerFailover,
        .carryOut = failOver,
    },
    {
        .id = "slow-node",
        .name = [] { return KernelText::tr("Slow server"); },
        .description = [] { return KernelText::tr("A server replies late for a while."); },
        .story =
            [](const Step& step, const WorldPlan& plan, Text) {
                return KernelText::tr("%1 answers %2 late from now on", serverText(step, plan),
                                      amountText(step, plan));
            },
        .spared = [] { return KernelText::tr("messages arrive once and in time"); },
        .kind = FaultKind::SlowNode,
        .group = FaultGroup::Servers,
        .hindersRenewals = true,
        .breaks = Condition::NothingLost,
        .usualAmount =
            [](Duration lease) { return std::max(Duration(lease / 10), Duration(100ms)); },
        .offer =
            [](const FaultScene& scene, FaultOffers& offers) {
                offers.addAt(When::ServerActed, scene.servers.isSlow(offers.at.node) ? 0 : 1);
            },
        .carryOut = slowDown,
    },
    {
        .id = "partition",
        .name = [] { return KernelText::tr("Partition"); },
        .description =
            [] {
                return KernelText::tr("A client and a server cannot reach each other for a while.");
            },
        .story = partitionStory,
        .spared = [] { return KernelText::tr("messages arrive once and in time"); },
        .kind = FaultKind::Partition,
        .group = FaultGroup::Network,
        .hindersRenewals = true,
        .breaks = Condition::NothingLost | Condition::MajorityReachable,
        .usualAmount = leaseAndHalf,
        .offer = offerPartition,
        .carryOut = partition,
    },
    {
        .id = "script-flush",
        .name = [] { return KernelText::tr("Scripts flushed"); },
        .description = [] { return KernelText::tr("A server loses its script cache."); },
        .story =
            [](const Step& step, const WorldPlan& plan, Text) {
                return KernelText::tr("%1 loses its script cache", serverText(step, plan));
            },
        .spared = [] { return KernelText::tr("scripts stay loaded"); },
        .kind = FaultKind::ScriptFlush,
        .group = FaultGroup::Servers,
        .concerns =
            [](const ProtocolInfo& info) {
                return std::ranges::any_of(info.needs, [](const protocol::Need& need) {
                    return need.feature == ServerFeature::Scripts;
                });
            },
        .replay = [](const Step&) { return Replay::FlushScripts; },
        .offer = offerEach<When::ServerActed>,
        .carryOut =
            [](const Step& step, const FaultScene& scene) {
                scene.servers[step.node].database().forgetScripts();
            },
    },
};

} // namespace

std::span<const FaultInfo> serverFaults()
{
    return kServerFaults;
}

} // namespace lockscope::world
