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
    return plan.nodeCount > 1 ? "server " + std::to_string(step.node + 1) : "the server";
}

std::string connectionLossStory(const Step& step, const WorldPlan&, Text what)
{
    const std::string name = clientName(step.client);
    if (step.variant == 2) {
        return "the subscription of " + name + " breaks";
    }
    return "the connection of " + name
           + (step.variant == 0 ? " breaks before its " + what + " is executed"
                                : " breaks before the reply to its " + what);
}

std::string clockStepStory(const Step& step, const WorldPlan& plan, Text)
{
    if (step.variant == 0) {
        return "the clock of " + serverText(step, plan) + " jumps ahead by "
               + amountText(step, plan);
    }
    return "the wall clock of " + clientName(step.client) + " jumps "
           + (step.variant == 1 ? "ahead" : "back") + " by " + amountText(step, plan);
}

std::string partitionStory(const Step& step, const WorldPlan& plan, Text)
{
    const std::string client = clientName(step.client);
    const std::string server = serverText(step, plan);
    const std::string amount = amountText(step, plan);
    switch (step.variant) {
    case 0: return client + " and " + server + " cannot reach each other for " + amount;
    case 1: return "for " + amount + ", no reply of " + server + " reaches " + client;
    default: return server + " is cut off from all clients for " + amount;
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
                return clientName(step.client)
                       + (step.variant == 0 ? " crashes" : " crashes and is restarted");
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
                return clientName(step.client) + " pauses for " + amountText(step, plan);
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
        .story = [](const Step& step, const WorldPlan&,
                    Text) { return clientName(step.client) + " hangs, but its renewals continue"; },
        .kind = FaultKind::Hang,
        .breaks = Condition::NobodyHangs,
        .concerns =
            [](const ProtocolInfo& info) { return info.canRenew && info.defaults.renewal.isOn(); },
    },
    {
        .id = "connection-loss",
        .name = [] { return KernelText::tr("Link lost"); },
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
                return "the " + what + " of " + clientName(step.client) + " is delayed";
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
                return (step.variant == 0 ? "the " : "the reply to the ") + what + " of "
                       + clientName(step.client) + " is lost";
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
                return "the " + what + " of " + clientName(step.client)
                       + " will be executed a second time";
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
                return "the wall clock of " + clientName(step.client) + " is "
                       + amountText(step, plan) + (step.variant == 0 ? " ahead" : " behind");
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
                return "the clock of "
                       + (step.variant < 2 ? clientName(step.client) : serverText(step, plan))
                       + " runs too " + (step.variant % 2 == 0 ? "fast" : "slow");
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
                return serverText(step, plan) + " restarts "
                       + (step.variant == 0 ? "without" : "with") + " its data";
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
                return "a replica of " + serverText(step, plan) + " takes over without the latest "
                       + (step.variant == 0 ? "write" : "two writes");
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
                return serverText(step, plan) + " answers " + amountText(step, plan)
                       + " late from now on";
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
        .story = [](const Step& step, const WorldPlan& plan,
                    Text) { return serverText(step, plan) + " loses its script cache"; },
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
        .story = [](const Step& step, const WorldPlan& plan,
                    Text) { return "an operator deletes " + plan.keyName(step.variant); },
        .kind = FaultKind::ForceRelease,
        .breaks = Condition::DurableWrites,
        .replay = deletesKeys,
    },
    {
        .id = "eviction",
        .name = [] { return KernelText::tr("Key evicted"); },
        .description =
            [] { return KernelText::tr("A server evicts a key of a lock to free memory."); },
        .story = [](const Step& step, const WorldPlan& plan,
                    Text) { return serverText(step, plan) + " evicts a key to free memory"; },
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
