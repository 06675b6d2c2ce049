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

/// A lock has few keys, and each that may be evicted is one more step in every state.
constexpr int kEvictableMax = 4;

Replay deletesKeys(const Step&)
{
    return Replay::DeleteKeys;
}

/// By a connection, as an operator would: watchers, waiters and replicas notice it as any DEL.
void removeKey(const FaultScene& scene, int node, const Bytes& key)
{
    sim::SimServer& server = scene.servers[node];
    const sim::SessionId session = server.connect();
    server.run(session, store::Command("DEL", key), scene.servers.timeOf(node));
    server.disconnect(session);
    scene.network.deliver(node);
    scene.servers.keepReplicaClose(node);
    scene.serverChanged(node);
}

/// Variants: the number of the lock.
void offerForceRelease(const FaultScene& scene, FaultOffers& offers)
{
    for (int lock = 0; offers.at.entry != nullptr && lock < scene.ledger.lockCount(); ++lock) {
        if (offers.at.entry->key == scene.ledger.keyOf(lock)) {
            offers.add(lock);
        }
    }
}

/// Variants: the place of the key on the server, among those that have not expired.
void evict(const Step& step, const FaultScene& scene)
{
    const std::int64_t nowMs = sim::toEpochMs(scene.servers.timeOf(step.node));
    int index = 0;
    for (const sim::Entry& entry :
         std::as_const(scene.servers)[step.node].database().keys().entries()) {
        if (!entry.isExpiredAt(nowMs) && index++ == step.variant) {
            removeKey(scene, step.node, Bytes(entry.key)); // a copy: the entry goes
            return;
        }
    }
}

constexpr FaultInfo kKeyFaults[] = {
    {
        .id = "force-release",
        .name = [] { return KernelText::tr("Key deleted"); },
        .description =
            [] { return KernelText::tr("An operator deletes the keys of a lock that is in use."); },
        .story =
            [](const Step& step, const WorldPlan& plan, Text) {
                return KernelText::tr("an operator deletes %1", plan.keyName(step.variant));
            },
        .spared = [] { return KernelText::tr("nobody deletes its keys"); },
        .kind = FaultKind::ForceRelease,
        .group = FaultGroup::Data,
        .breaks = Condition::DurableWrites,
        .replay = deletesKeys,
        .offer = offerForceRelease,
        .carryOut =
            [](const Step& step, const FaultScene& scene) {
                removeKey(scene, step.node, scene.ledger.keyOf(step.variant));
            },
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
        .spared = [] { return KernelText::tr("the server forgets nothing"); },
        .kind = FaultKind::Eviction,
        .group = FaultGroup::Data,
        .breaks = Condition::DurableWrites,
        .replay = deletesKeys,
        .offer =
            [](const FaultScene&, FaultOffers& offers) {
                if (offers.at.kind == When::KeyOfFreshNode
                    && offers.at.entryIndex < kEvictableMax) {
                    offers.add(offers.at.entryIndex);
                }
            },
        .carryOut = evict,
    },
};

} // namespace

std::span<const FaultInfo> keyFaults()
{
    return kKeyFaults;
}

} // namespace lockscope::world
