#include "core/kernel/world/fault_info.h"

#include "core/kernel/base/duration_text.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/world/step.h"
#include "core/kernel/world/world_plan.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace lockscope::world {

namespace {

using namespace std::chrono_literals;
using protocol::Condition;
using protocol::ProtocolInfo;
using protocol::ServerFeature;
using Text = const std::string&;

std::string amountText(const Step& step, const WorldPlan& plan)
{
    return durationText(plan.faults.of(step.fault).amount);
}

std::string serverText(const Step& step, const WorldPlan& plan)
{
    return plan.nodeCount > 1 ? KernelText::tr("server %1", step.node + 1)
                              : KernelText::tr("the server");
}

std::string connectionLossStory(const Step& step, const WorldPlan&, Text what)
{
    const std::string name = clientName(step.client);
    if (step.variant == 2) {
        return KernelText::tr("the subscription of %1 breaks", name);
    }
    return step.variant == 0
               ? KernelText::tr("the connection of %1 breaks before its %2 is executed", name, what)
               : KernelText::tr("the connection of %1 breaks before the reply to its %2", name,
                                what);
}

std::string clockStepStory(const Step& step, const WorldPlan& plan, Text)
{
    if (step.variant == 0) {
        return KernelText::tr("the clock of %1 jumps ahead by %2", serverText(step, plan),
                              amountText(step, plan));
    }
    const std::string client = clientName(step.client);
    const std::string amount = amountText(step, plan);
    return step.variant == 1
               ? KernelText::tr("the wall clock of %1 jumps ahead by %2", client, amount)
               : KernelText::tr("the wall clock of %1 jumps back by %2", client, amount);
}

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

Duration leaseAndHalf(Duration lease)
{
    return lease + lease / 2;
}

Duration beyondLease(Duration lease)
{
    return lease + lease / 5;
}

Replay isImpossible(const Step&)
{
    return Replay::Impossible;
}

Replay deletesKeys(const Step&)
{
    return Replay::DeleteKeys;
}

constexpr FaultInfo kFaults[] = {
    {
        .id = "interleaving",
        .name = [] { return KernelText::tr("Step order"); },
        .description =
            [] { return KernelText::tr("No fault; only the order of the steps varies."); },
        .story = [](const Step&, const WorldPlan&, Text) { return std::string(); },
        .kind = FaultKind::Interleaving,
    },
    {
        .id = "crash",
        .name = [] { return KernelText::tr("Crash"); },
        .description =
            [] { return KernelText::tr("A client process crashes; it may be restarted."); },
        .story =
            [](const Step& step, const WorldPlan&, Text) {
                const std::string client = clientName(step.client);
                return step.variant == 0 ? KernelText::tr("%1 crashes", client)
                                         : KernelText::tr("%1 crashes and is restarted", client);
            },
        .kind = FaultKind::Crash,
        .breaks = Condition::NobodyDies,
        .replay = [](const Step&) { return Replay::HangUp; },
    },
    {
        .id = "pause",
        .name = [] { return KernelText::tr("Pause"); },
        .description =
            [] {
                return KernelText::tr(
                    "A client process pauses for longer than a lease, including its renewals.");
            },
        .story =
            [](const Step& step, const WorldPlan& plan, Text) {
                return KernelText::tr("%1 pauses for %2", clientName(step.client),
                                      amountText(step, plan));
            },
        .kind = FaultKind::Pause,
        .breaks = Condition::HolderInTime,
        .usualAmount = leaseAndHalf,
    },
    {
        .id = "hang",
        .name = [] { return KernelText::tr("Worker hangs"); },
        .description =
            [] {
                return KernelText::tr(
                    "The worker of a client hangs forever while its renewals continue.");
            },
        .story =
            [](const Step& step, const WorldPlan&, Text) {
                return KernelText::tr("%1 hangs, but its renewals continue",
                                      clientName(step.client));
            },
        .kind = FaultKind::Hang,
        .breaks = Condition::NobodyHangs,
        .concerns =
            [](const ProtocolInfo& info) { return info.canRenew && info.defaults.renewal.isOn(); },
    },
    {
        .id = "connection-loss",
        .name = [] { return KernelText::tr("Connection lost"); },
        .description =
            [] {
                return KernelText::tr(
                    "A connection breaks; pending requests may have been executed.");
            },
        .story = connectionLossStory,
        .kind = FaultKind::ConnectionLoss,
        .hindersRenewals = true,
        .breaks = Condition::NothingLost,
        .replay =
            [](const Step& step) {
                return step.role == LinkRole::Channels ? Replay::HangUpOne : Replay::ByMessages;
            },
    },
    {
        .id = "message-delay",
        .name = [] { return KernelText::tr("Message delayed"); },
        .description = [] { return KernelText::tr("A request arrives long after it was sent."); },
        .story =
            [](const Step& step, const WorldPlan&, Text what) {
                return KernelText::tr("the %1 of %2 is delayed", what, clientName(step.client));
            },
        .kind = FaultKind::MessageDelay,
        .hindersRenewals = true,
        .breaks = Condition::NothingLost,
        .usualAmount = [](Duration lease) -> Duration { return 3 * lease; },
    },
    {
        .id = "message-loss",
        .name = [] { return KernelText::tr("Message lost"); },
        .description =
            [] { return KernelText::tr("A request or its reply is lost without an error."); },
        .story =
            [](const Step& step, const WorldPlan&, Text what) {
                const std::string client = clientName(step.client);
                return step.variant == 0
                           ? KernelText::tr("the %1 of %2 is lost", what, client)
                           : KernelText::tr("the reply to the %1 of %2 is lost", what, client);
            },
        .kind = FaultKind::MessageLoss,
        .hindersRenewals = true,
        .breaks = Condition::NothingLost,
    },
    {
        .id = "message-copy",
        .name = [] { return KernelText::tr("Message copied"); },
        .description = [] { return KernelText::tr("A request is executed twice."); },
        .story =
            [](const Step& step, const WorldPlan&, Text what) {
                return KernelText::tr("the %1 of %2 will be executed a second time", what,
                                      clientName(step.client));
            },
        .kind = FaultKind::MessageCopy,
        .hindersRenewals = true,
        .breaks = Condition::NothingLost,
    },
    {
        .id = "clock-skew",
        .name = [] { return KernelText::tr("Clocks differ"); },
        .description =
            [] {
                return KernelText::tr(
                    "The wall clock of a client is ahead or behind from the start.");
            },
        .story =
            [](const Step& step, const WorldPlan& plan, Text) {
                const std::string client = clientName(step.client);
                const std::string amount = amountText(step, plan);
                return step.variant == 0
                           ? KernelText::tr("the wall clock of %1 is %2 ahead", client, amount)
                           : KernelText::tr("the wall clock of %1 is %2 behind", client, amount);
            },
        .kind = FaultKind::ClockSkew,
        .breaks = Condition::SynchronisedClocks,
        .usualAmount = beyondLease,
    },
    {
        .id = "clock-drift",
        .name = [] { return KernelText::tr("Clocks drift"); },
        .description =
            [] { return KernelText::tr("The clock of a client or a server runs fast or slow."); },
        .story =
            [](const Step& step, const WorldPlan& plan, Text) {
                const std::string owner = step.variant < 2 ? clientName(step.client)
                                                           : serverText(step, plan);
                return step.variant % 2 == 0
                           ? KernelText::tr("the clock of %1 runs too fast", owner)
                           : KernelText::tr("the clock of %1 runs too slow", owner);
            },
        .kind = FaultKind::ClockDrift,
        .breaks = Condition::EqualClockRates | Condition::HolderInTime,
        .usualAmount = [](Duration lease) -> Duration { return lease / 2; }, // per lease
    },
    {
        .id = "clock-step",
        .name = [] { return KernelText::tr("Clock jumps"); },
        .description = [] { return KernelText::tr("The clock of a server or a client jumps."); },
        .story = clockStepStory,
        .kind = FaultKind::ClockStep,
        .breaks = Condition::EqualClockRates | Condition::HolderInTime
                  | Condition::SteadyServerClock | Condition::SynchronisedClocks,
        .usualAmount = beyondLease,
        .replay =
            [](const Step& step) {
                return step.variant == 0 ? Replay::Impossible : Replay::ByMessages;
            },
    },
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
        .kind = FaultKind::ServerRestart,
        .hindersRenewals = true,
        .breaks = Condition::NothingLost | Condition::DurableWrites,
        .replay = isImpossible,
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
        .kind = FaultKind::Failover,
        .hindersRenewals = true,
        .breaks = Condition::NothingLost | Condition::DurableWrites,
        .replay = isImpossible,
    },
    {
        .id = "partition",
        .name = [] { return KernelText::tr("Partition"); },
        .description =
            [] {
                return KernelText::tr("A client and a server cannot reach each other for a while.");
            },
        .story = partitionStory,
        .kind = FaultKind::Partition,
        .hindersRenewals = true,
        .breaks = Condition::NothingLost | Condition::MajorityReachable,
        .usualAmount = leaseAndHalf,
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
        .kind = FaultKind::SlowNode,
        .hindersRenewals = true,
        .breaks = Condition::NothingLost,
        .usualAmount =
            [](Duration lease) { return std::max(Duration(lease / 10), Duration(100ms)); },
    },
    {
        .id = "script-flush",
        .name = [] { return KernelText::tr("Scripts flushed"); },
        .description = [] { return KernelText::tr("A server loses its script cache."); },
        .story =
            [](const Step& step, const WorldPlan& plan, Text) {
                return KernelText::tr("%1 loses its script cache", serverText(step, plan));
            },
        .kind = FaultKind::ScriptFlush,
        .concerns =
            [](const ProtocolInfo& info) {
                return std::ranges::any_of(info.needs, [](const protocol::Need& need) {
                    return need.feature == ServerFeature::Scripts;
                });
            },
        .replay = [](const Step&) { return Replay::FlushScripts; },
    },
    {
        .id = "force-release",
        .name = [] { return KernelText::tr("Key deleted"); },
        .description =
            [] { return KernelText::tr("An operator deletes the keys of a lock that is in use."); },
        .story =
            [](const Step& step, const WorldPlan& plan, Text) {
                return KernelText::tr("an operator deletes %1", plan.keyName(step.variant));
            },
        .kind = FaultKind::ForceRelease,
        .breaks = Condition::DurableWrites,
        .replay = deletesKeys,
    },
    {
        .id = "eviction",
        .name = [] { return KernelText::tr("Key evicted"); },
        .description =
            [] { return KernelText::tr("A server evicts a key of a lock to free memory."); },
        .story =
            [](const Step& step, const WorldPlan& plan, Text) {
                return KernelText::tr("%1 evicts a key to free memory", serverText(step, plan));
            },
        .kind = FaultKind::Eviction,
        .breaks = Condition::DurableWrites,
        .replay = deletesKeys,
    },
};
static_assert(std::size(kFaults) == static_cast<std::size_t>(FaultKind::FaultKindCount));

} // namespace

std::span<const FaultInfo> allFaults()
{
    return kFaults;
}

const FaultInfo& infoOf(FaultKind kind)
{
    return kFaults[static_cast<std::size_t>(kind)];
}

std::string_view idOf(FaultKind kind)
{
    return infoOf(kind).id;
}

std::optional<FaultKind> faultKindOf(std::string_view id)
{
    const auto* const found = std::ranges::find(kFaults, id, &FaultInfo::id);
    return found == std::end(kFaults) ? std::nullopt : std::optional(found->kind);
}

} // namespace lockscope::world
