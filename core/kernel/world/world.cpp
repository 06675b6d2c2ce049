#include "core/kernel/world/world.h"

#include "protocol_scripts.h"

#include <algorithm>
#include <utility>

// How a world is made, what its clients and connections see of it, and its state.
namespace lockscope::world {

using trace::EventKind;

namespace {

/// A client that sends so many requests without time going on waits a little before the next.
constexpr int kRequestsPerInstantMax = 8;
/// Of which most runs have no more; what is known is not allocated again and again.
constexpr std::size_t kStepsUsual = 16;
constexpr std::size_t kEventsUsual = 32;

bool needs(const protocol::ProtocolInfo& info, protocol::ServerFeature feature)
{
    return std::ranges::any_of(info.needs,
                               [feature](const auto& need) { return need.feature == feature; });
}

sim::SimDatabase withScripts(const WorldPlan* planted)
{
    sim::SimDatabase database;
    if (planted != nullptr) {
        for (const auto& [digest, text] : planted->plantedScripts) {
            database.remember(digest, text);
        }
    }
    for (const store::Script& script : protocol::scripts::kAll) {
        database.remember(script.digest, script.text); // what is known already stays
    }
    return database;
}

/// As it is on a server that has been in use: it knows the scripts.
sim::SimServer serverWithScripts(sim::LuaEngine& lua, const WorldPlan& plan)
{
    static const sim::SimDatabase kDatabase = withScripts(nullptr);
    return sim::SimServer(lua, plan.plantedScripts.empty() ? kDatabase : withScripts(&plan));
}

} // namespace

World::World(const protocol::LockProtocol& protocol, const WorldPlan& plan, sim::LuaEngine& lua)
    : m_protocol(protocol),
      m_plan(plan),
      m_ledger(protocol.info(), plan),
      m_needsBlocking(needs(protocol.info(), protocol::ServerFeature::BlockingPop)),
      m_needsChannels(needs(protocol.info(), protocol::ServerFeature::PubSub))
{
    m_mayMoreFail = mayAnythingFail();
    m_steps.reserve(kStepsUsual);
    m_events.reserve(kEventsUsual);
    m_nodes.reserve(static_cast<std::size_t>(plan.nodeCount));
    for (int node = 0; node < plan.nodeCount; ++node) {
        m_nodes.push_back({serverWithScripts(lua, plan), {}});
        if (plan.faults.allows(FaultKind::Failover)) {
            m_nodes.back().server.addReplica();
        }
    }
    m_slots.reserve(plan.clients.size() + static_cast<std::size_t>(m_ledger.lockCount()));
    for (std::size_t i = 0; i < plan.clients.size(); ++i) {
        m_slots.push_back(makeSlot(static_cast<int>(i), plan, plan.clients[i]));
    }
}

World::~World() = default;

SimClient::Setting World::settingOf(int index, const WorldPlan& plan, const ClientPlan& acts,
                                    int restartCount)
{
    return {m_protocol,  plan,  acts,
            m_ledger,    *this, *this,
            m_now,       index, acts.sharesIdentityWith.value_or(index),
            restartCount};
}

World::ClientSlot World::makeSlot(int index, const WorldPlan& plan, const ClientPlan& acts)
{
    ClientSlot slot;
    slot.client = std::make_unique<SimClient>(settingOf(index, plan, acts, 0));
    slot.reach.resize(static_cast<std::size_t>(m_plan.nodeCount));
    slot.links.resize(kLinkRoles.size() * static_cast<std::size_t>(m_plan.nodeCount));
    for (int node = 0; node < m_plan.nodeCount; ++node) {
        connect(slot, node);
    }
    m_ledger.setLocalClock(index, slot.client->now(), 1, m_now);
    return slot;
}

/// Connections are there from the beginning: their numbers must not depend on who speaks first.
void World::connect(ClientSlot& slot, int node)
{
    const auto connectFor = [&](LinkRole role) {
        slot.links[placeOf({node, role})].session = nodeOf(node).server.connect();
    };
    connectFor(LinkRole::Commands);
    if (m_needsBlocking) {
        connectFor(LinkRole::Blocking);
    }
    if (m_needsChannels) {
        connectFor(LinkRole::Channels);
    }
}

bool World::canReach(int client, int node) const
{
    const std::pair<int, int> pair(client, node);
    return slotOf(client).reach[static_cast<std::size_t>(node)].cut != Cut::Both
           && std::ranges::find(m_plan.unreachable, pair) == m_plan.unreachable.end();
}

void World::append(const trace::Event& event)
{
    const int client = static_cast<int>(event.contender);
    const int lock = event.lock;
    SimClient& who = *slotOf(client).client;
    trace::Event known = event;
    // The client reported the time of its own clock, which a fault may have set wrong. The record
    // and the ledger go by the world's.
    known.at = m_now;
    m_events.push_back(known);
    switch (event.kind) {
    case EventKind::Requested:
        who.beginAcquiring();
        m_ledger.requested(client, lock, event.isRead, m_now);
        break;
    case EventKind::Granted: who.endAcquiring(); break;
    case EventKind::Refused: m_ledger.refused(client, lock, m_now); break;
    case EventKind::GaveUp:
    case EventKind::Withdrew:
    case EventKind::Unavailable:
    case EventKind::Uncertain:
        who.endAcquiring();
        m_ledger.stoppedWaiting(client, lock);
        break;
    case EventKind::Renewed: m_ledger.renewed(client, lock, m_now); break;
    case EventKind::Lost: m_ledger.lost(client, lock, m_now); break;
    case EventKind::Releasing: m_ledger.releasing(client, lock, m_now); break;
    case EventKind::Released:
        m_ledger.released(client, lock, static_cast<int>(event.value), m_now);
        break;
    case EventKind::ReleaseRefused: m_ledger.releaseRefused(client, lock, m_now); break;
    default: break;
    }
    if (m_observer != nullptr) {
        m_observer->recorded(known);
    }
}

void World::send(Request request)
{
    ClientSlot& slot = slotOf(request.client);
    const int node = request.link.node;
    request.number = m_sentCount++;
    request.readyAt = m_now;
    request.sentAtStep = m_stepCount;
    if (++slot.sentNow > kRequestsPerInstantMax) {
        request.readyAt = m_now + std::chrono::milliseconds(1);
    }
    if (m_now < nodeOf(node).slowUntil) {
        request.readyAt = m_now + m_plan.faults.of(FaultKind::SlowNode).amount;
    }
    const bool isCut = !canReach(request.client, node);
    const bool isSlow = request.readyAt > m_now;
    // Nothing else takes longer than an instant. A deadline for every request would be part of the
    // state, and tell states apart that go on alike.
    if (isCut || isSlow) {
        request.giveUpAt = m_now + m_plan.requestTimeout;
    }
    if (m_observer != nullptr) {
        m_observer->sent(request);
    }
    linkOf(request.client, request.link).queue.push_back(std::move(request));
}

void World::subscribe(int client, int node, const Bytes& channel)
{
    Request request;
    request.command = store::Command("SUBSCRIBE", channel);
    request.link = {node, LinkRole::Channels};
    request.client = client;
    send(std::move(request));
}

/// Everything the future depends on, and nothing else (docs/decisions/0006). What is missing here
/// makes a search skip runs that differ; what is too much makes it repeat runs that are alike. So
/// cost, events and request numbers are left out: they tell how the state was reached.
///
/// The words of the requests in a queue are left out, too: their client's history decides them.
/// Late requests count by their words, because a crashed client has no history any more, and not by
/// their order, because any of them may be carried out next. How many faults there were counts only
/// as long as another one may happen.
std::uint64_t World::stateHash() const
{
    ContentHash hash(static_cast<std::uint64_t>(m_now.time_since_epoch().count()));
    for (const ClientSlot& slot : m_slots) {
        hash.add(slot.client->contentHash());
        hash.add(slot.pausedUntil ? slot.pausedUntil->time_since_epoch().count() : -1);
        for (const Link& link : slot.links) {
            hash.add(link.history);
            if (link.queue.empty()) {
                continue; // as most are: a single word
            }
            hash.add(link.queue.size());
            for (const Request& request : link.queue) {
                hash.add(request.readyAt.time_since_epoch().count());
                hash.add(request.giveUpAt.time_since_epoch().count());
            }
        }
        for (const Reach& reach : slot.reach) {
            hash.add(static_cast<int>(reach.cut));
            hash.add(reach.cut == Cut::None ? 0 : reach.until.time_since_epoch().count());
        }
    }
    for (const Node& node : m_nodes) {
        hash.add(node.server.contentHash());
        hash.add(node.clock.offset.count());
        if (node.clock.rate != 1) {
            hash.add(node.clock.rate);
        }
        hash.add(node.slowUntil > m_now ? node.slowUntil.time_since_epoch().count() : 0);
    }
    UnorderedContentHash late;
    for (const LateRequest& entry : m_late) {
        ContentHash one(static_cast<std::uint64_t>(entry.until.time_since_epoch().count()));
        one.add(entry.request.client);
        one.add(entry.request.link.node);
        for (const Bytes& word : entry.request.command.words) {
            one.add(word);
        }
        late.add(one.value());
    }
    hash.add(late.value());
    for (const Request& request : m_unanswered) {
        hash.add(request.client);
        hash.add(request.giveUpAt.time_since_epoch().count());
    }
    if (m_mayMoreFail) { // it decides what may fail next
        hash.add(m_faultCount);
        for (std::size_t kind = 0; m_faultCount > 0 && kind < m_faultsDone.size(); ++kind) {
            hash.add(m_faultsDone[kind]);
        }
        for (const ClientSlot& slot : m_slots) {
            hash.add(slot.isFresh);
        }
        for (const Node& node : m_nodes) {
            hash.add(node.isFresh);
        }
    }
    hash.add(m_ledger.contentHash());
    return hash.value();
}

} // namespace lockscope::world
