#include "core/kernel/base/kernel_text.h"
#include "core/kernel/world/fault_scene.h"
#include "core/kernel/world/faults/fault_groups.h"
#include "core/kernel/world/faults/fault_words.h"

namespace lockscope::world {

namespace {

using protocol::Condition;
using When = Occasion::Kind;
using Text = const std::string&;

/// So much that a clock is beyond the end of a lease that has just begun.
Duration beyondLease(Duration lease)
{
    return lease + lease / 5;
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

/// Variants: 0 the client's, fast; 1 slow; 2 the server's, fast; 3 slow.
void drift(const Step& step, const FaultScene& scene)
{
    const auto lease = static_cast<double>(scene.plan.leaseMax().count());
    // By so much that the amount comes together within a lease; a plan may have none.
    const double share = lease > 0 ? static_cast<double>(scene.amountOf(step).count()) / lease : 0;
    const double rate = step.variant % 2 == 0 ? 1 + share : 1 - share;
    if (step.variant < 2) {
        scene.clients.setRate(step.client, rate);
    } else {
        scene.servers.clock(step.node).rate = rate;
    }
}

/// Variants: 0 the server's, forward; 1 the client's wall clock forward, 2 back.
void stepClock(const Step& step, const FaultScene& scene)
{
    const Duration amount = scene.amountOf(step);
    if (step.variant > 0) {
        scene.clients[step.client].stepWallClock(step.variant == 1 ? amount : -amount);
        return;
    }
    scene.servers.clock(step.node).offset += amount;
    // Redis keeps the deadlines of blocked clients by its wall clock (timeout.c): a clock that
    // jumps ahead ends the waits.
    scene.servers[step.node].endWaits(scene.servers.timeOf(step.node));
    scene.serverChanged(step.node);
}

constexpr FaultInfo kClockFaults[] = {
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
        .spared = [] { return KernelText::tr("all clocks agree"); },
        .kind = FaultKind::ClockSkew,
        .group = FaultGroup::Clocks,
        .breaks = Condition::SynchronisedClocks,
        .usualAmount = beyondLease,
        .offer = offerEach<When::ClientStarts, 2>,
        .carryOut =
            [](const Step& step, const FaultScene& scene) {
                const Duration amount = scene.amountOf(step);
                scene.clients[step.client].stepWallClock(step.variant == 0 ? amount : -amount);
            },
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
        .spared = [] { return KernelText::tr("all clocks agree"); },
        .kind = FaultKind::ClockDrift,
        .group = FaultGroup::Clocks,
        .breaks = Condition::EqualClockRates | Condition::HolderInTime,
        .usualAmount = [](Duration lease) -> Duration { return lease / 2; }, // per lease
        .offer =
            [](const FaultScene&, FaultOffers& offers) {
                offers.addAt(When::ClientStarts, 2);
                offers.addAt(When::ServerStarts, 2, 2);
            },
        .carryOut = drift,
    },
    {
        .id = "clock-step",
        .name = [] { return KernelText::tr("Clock jumps"); },
        .description = [] { return KernelText::tr("The clock of a server or a client jumps."); },
        .story = clockStepStory,
        .spared = [] { return KernelText::tr("all clocks agree"); },
        .kind = FaultKind::ClockStep,
        .group = FaultGroup::Clocks,
        .breaks = Condition::EqualClockRates | Condition::HolderInTime
                  | Condition::SteadyServerClock | Condition::SynchronisedClocks,
        .usualAmount = beyondLease,
        .replay =
            [](const Step& step) {
                return step.variant == 0 ? Replay::Impossible : Replay::ByMessages;
            },
        .offer =
            [](const FaultScene&, FaultOffers& offers) {
                offers.addAt(When::ClientActed, 2, 1);
                offers.addAt(When::ServerActed, 1);
            },
        .carryOut = stepClock,
    },
};

} // namespace

std::span<const FaultInfo> clockFaults()
{
    return kClockFaults;
}

} // namespace lockscope::world
