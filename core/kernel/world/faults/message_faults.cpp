#include "core/kernel/base/kernel_text.h"
#include "core/kernel/world/fault_scene.h"
#include "core/kernel/world/faults/fault_groups.h"
#include "core/kernel/world/faults/fault_words.h"

#include <utility>

namespace lockscope::world {

namespace {

using protocol::Condition;
using When = Occasion::Kind;
using Text = const std::string&;

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

Request takeRequest(const Step& step, const FaultScene& scene)
{
    return scene.network.takeOldest(step.client, {step.node, step.role});
}

/// Variants: 0 before the request is carried out, 1 after it, 2 of a subscription.
void loseConnection(const Step& step, const FaultScene& scene)
{
    if (step.variant == 2) {
        scene.network.breakSubscription(step.client, step.node);
        return;
    }
    Request request = takeRequest(step, scene);
    request.isAnswerCut = true; // its client learns at once that no answer will come
    if (step.variant == 1) {
        scene.network.execute(std::move(request), false, true);
    } else {
        scene.network.loseAnswer(std::move(request));
    }
}

/// Variants: 0 the request, 1 the answer.
void loseMessage(const Step& step, const FaultScene& scene)
{
    if (step.variant == 1) {
        scene.network.execute(takeRequest(step, scene), false, true);
    } else {
        scene.network.loseAnswer(takeRequest(step, scene));
    }
}

void delayMessage(const Step& step, const FaultScene& scene)
{
    Request request = takeRequest(step, scene);
    scene.network.keepForLater(request, scene.now + scene.amountOf(step));
    scene.network.loseAnswer(std::move(request));
}

void copyMessage(const Step& step, const FaultScene& scene)
{
    Request request = takeRequest(step, scene);
    scene.network.keepForLater(request, scene.now + scene.amountOf(step));
    scene.network.execute(std::move(request), false, false);
}

constexpr FaultInfo kMessageFaults[] = {
    {
        .id = "connection-loss",
        .name = [] { return KernelText::tr("Connection lost"); },
        .description =
            [] {
                return KernelText::tr(
                    "A connection breaks; pending requests may have been executed.");
            },
        .story = connectionLossStory,
        .spared = [] { return KernelText::tr("messages arrive once and in time"); },
        .kind = FaultKind::ConnectionLoss,
        .group = FaultGroup::Network,
        .hindersRenewals = true,
        .hitsRequests = true,
        .breaks = Condition::NothingLost,
        .replay =
            [](const Step& step) {
                return step.role == LinkRole::Channels ? Replay::HangUpOne : Replay::ByMessages;
            },
        .offer =
            [](const FaultScene&, FaultOffers& offers) {
                offers.addAt(When::RequestDue, 1, 0);
                offers.addAt(When::AnswerDue, 1, 1);
                offers.addAt(When::ListenerActed, 1, 2);
            },
        .carryOut = loseConnection,
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
        .spared = [] { return KernelText::tr("messages arrive once and in time"); },
        .kind = FaultKind::MessageLoss,
        .group = FaultGroup::Network,
        .hindersRenewals = true,
        .hitsRequests = true,
        .breaks = Condition::NothingLost,
        .offer =
            [](const FaultScene&, FaultOffers& offers) {
                offers.addAt(When::RequestDue, 1, 0);
                offers.addAt(When::AnswerDue, 1, 1);
            },
        .carryOut = loseMessage,
    },
    {
        .id = "message-delay",
        .name = [] { return KernelText::tr("Message delayed"); },
        .description = [] { return KernelText::tr("A request arrives long after it was sent."); },
        .story =
            [](const Step& step, const WorldPlan&, Text what) {
                return KernelText::tr("the %1 of %2 is delayed", what, clientName(step.client));
            },
        .spared = [] { return KernelText::tr("messages arrive once and in time"); },
        .kind = FaultKind::MessageDelay,
        .group = FaultGroup::Network,
        .hindersRenewals = true,
        .hitsRequests = true,
        .breaks = Condition::NothingLost,
        .usualAmount = [](Duration lease) -> Duration { return 3 * lease; },
        .offer = offerEach<When::RequestSent>,
        .carryOut = delayMessage,
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
        .spared = [] { return KernelText::tr("messages arrive once and in time"); },
        .kind = FaultKind::MessageCopy,
        .group = FaultGroup::Network,
        .hindersRenewals = true,
        .hitsRequests = true,
        .breaks = Condition::NothingLost,
        .offer = offerEach<When::RequestSent>,
        .carryOut = copyMessage,
    },
};

} // namespace

std::span<const FaultInfo> messageFaults()
{
    return kMessageFaults;
}

} // namespace lockscope::world
