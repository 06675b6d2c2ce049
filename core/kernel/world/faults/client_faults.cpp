#include "core/kernel/base/kernel_text.h"
#include "core/kernel/world/fault_scene.h"
#include "core/kernel/world/faults/fault_groups.h"
#include "core/kernel/world/faults/fault_words.h"

namespace lockscope::world {

namespace {

using protocol::Condition;
using protocol::ProtocolInfo;
using When = Occasion::Kind;
using Text = const std::string&;

/// Variants: 0 for good, 1 the program is started again.
void crash(const Step& step, const FaultScene& scene)
{
    scene.clients.crash(step.client);
    scene.network.forget(step.client);
    if (step.variant == 1) {
        scene.clients.replaceCrashed(step.client);
        scene.network.connect(step.client);
        scene.clients.start(step.client);
    }
}

/// Without a hold there is nothing that renewals could keep alive.
void offerHang(const FaultScene& scene, FaultOffers& offers)
{
    const int client = offers.at.client;
    bool isHolder = false;
    for (int lock = 0; lock < scene.ledger.lockCount(); ++lock) {
        isHolder = isHolder || scene.ledger.believes(client, lock);
    }
    if (isHolder && !scene.clients[client].isHung()) {
        offers.addAt(When::ClientActed, 1);
    }
}

constexpr FaultInfo kClientFaults[] = {
    {
        .id = "interleaving",
        .name = [] { return KernelText::tr("Step order"); },
        .description =
            [] { return KernelText::tr("No fault; only the order of the steps varies."); },
        .story = [](const Step&, const WorldPlan&, Text) { return std::string(); },
        .kind = FaultKind::Interleaving,
        .group = FaultGroup::Order,
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
        .spared = [] { return KernelText::tr("no client crashes"); },
        .kind = FaultKind::Crash,
        .group = FaultGroup::Clients,
        .breaks = Condition::NobodyDies,
        .replay = [](const Step&) { return Replay::HangUp; },
        .offer = offerEach<When::ClientActed, 2>,
        .carryOut = crash,
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
        .spared = [] { return KernelText::tr("the holder is faster than its lease"); },
        .kind = FaultKind::Pause,
        .group = FaultGroup::Clients,
        .breaks = Condition::HolderInTime,
        .usualAmount = leaseAndHalf,
        .offer = offerEach<When::ClientActed>,
        .carryOut =
            [](const Step& step, const FaultScene& scene) {
                scene.clients.pause(step.client, scene.amountOf(step));
            },
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
        .spared = [] { return KernelText::tr("no worker hangs"); },
        .kind = FaultKind::Hang,
        .group = FaultGroup::Clients,
        .breaks = Condition::NobodyHangs,
        .concerns =
            [](const ProtocolInfo& info) { return info.canRenew && info.defaults.renewal.isOn(); },
        .offer = offerHang,
        .carryOut = [](const Step& step,
                       const FaultScene& scene) { scene.clients[step.client].hang(); },
    },
};

} // namespace

std::span<const FaultInfo> clientFaults()
{
    return kClientFaults;
}

} // namespace lockscope::world
