#include "core/kernel/world/world.h"

#include <algorithm>
#include <utility>

// What may go wrong now, and what it does. The variants of a step that is a fault:
//   connection-loss   0 before the request is carried out, 1 after it, 2 of a subscription
//   message-loss      0 the request, 1 the answer
//   crash             0 for good, 1 the program is started again
//   clock-skew        0 ahead, 1 behind
//   clock-drift       0 the client's, fast; 1 slow; 2 the server's, fast; 3 slow
//   clock-step        0 the server's, forward; 1 the client's wall clock forward, 2 back
//   server-restart    0 without its data, 1 with it
//   failover          0 loses the latest write, 1 the latest two
//   partition         0 nothing gets through, 1 only answers do not, 2 the server is cut off
//   force-release     the number of the lock
//   eviction          the place of the key on the server
namespace lockscope::world {

using store::Outcome;
using store::Problem;

namespace {

constexpr int kEvictableMax = 4;

Outcome connectionLost()
{
    Problem problem;
    problem.kind = Problem::Kind::ConnectionLost;
    return store::Unknown{std::move(problem)};
}

} // namespace

bool World::mayFail(FaultKind kind) const
{
    return m_mayMoreFail
           && m_faultsDone[static_cast<std::size_t>(kind)] < m_plan.faults.of(kind).countMax;
}

bool World::mayAnythingFail() const
{
    bool isAnyLeft = false;
    for (std::size_t kind = 0; kind < m_faultsDone.size(); ++kind) {
        isAnyLeft = isAnyLeft || m_faultsDone[kind] < m_plan.faults.faults[kind].countMax;
    }
    return isAnyLeft && !m_isHealed && m_faultCount < m_plan.faults.totalMax;
}

void World::offer(FaultKind kind, int client, int node, int variant, LinkRole role)
{
    if (mayFail(kind)) {
        m_steps.push_back(Step::ofFault(kind, client, node, variant, role));
    }
}

/// Clocks differ from the beginning or not at all.
void World::offerBeginnings()
{
    for (int client = 0; client < static_cast<int>(m_plan.clients.size()); ++client) {
        for (const FaultKind kind : {FaultKind::ClockSkew, FaultKind::ClockDrift}) {
            offer(kind, client, 0, 0);
            offer(kind, client, 0, 1);
        }
    }
    for (int node = 0; node < m_plan.nodeCount; ++node) {
        offer(FaultKind::ClockDrift, 0, node, 2);
        offer(FaultKind::ClockDrift, 0, node, 3);
    }
}

void World::listFaults()
{
    if (!m_mayMoreFail) {
        return;
    }
    for (int client = 0; client < static_cast<int>(m_plan.clients.size()); ++client) {
        if (isRunning(client) && !slotOf(client).client->isOver()) {
            offerClientFaults(client);
            offerMessageFaults(client);
        }
    }
    for (int node = 0; node < m_plan.nodeCount; ++node) {
        if (nodeOf(node).isFresh) {
            offerNodeFaults(node);
        }
    }
}

/// Only to one that has just done something: later it would make no difference, except for when a
/// pause ends.
void World::offerClientFaults(int client)
{
    const ClientSlot& slot = slotOf(client);
    if (!slot.isFresh) {
        return;
    }
    offer(FaultKind::Crash, client, 0, 0);
    offer(FaultKind::Crash, client, 0, 1);
    offer(FaultKind::Pause, client, 0);
    bool isHolder = false;
    for (int lock = 0; lock < m_ledger.lockCount(); ++lock) {
        isHolder = isHolder || m_ledger.believes(client, lock);
    }
    if (isHolder && !slot.client->isHung()) {
        offer(FaultKind::Hang, client, 0);
    }
    offer(FaultKind::ClockStep, client, 0, 1);
    offer(FaultKind::ClockStep, client, 0, 2);
    for (int node = 0; node < m_plan.nodeCount; ++node) {
        if (slot.reach[static_cast<std::size_t>(node)].cut == Cut::None) {
            offer(FaultKind::Partition, client, node, 0);
            offer(FaultKind::Partition, client, node, 1);
        }
    }
}

void World::offerMessageFaults(int client)
{
    for (int node = 0; node < m_plan.nodeCount; ++node) {
        for (const LinkRole role : {LinkRole::Commands, LinkRole::Blocking}) {
            // Before its server could carry it out, losing it comes to the same as losing it then.
            if (!isServable(client, {node, role})) {
                continue;
            }
            for (const int variant : {0, 1}) {
                offer(FaultKind::ConnectionLoss, client, node, variant, role);
                offer(FaultKind::MessageLoss, client, node, variant, role);
            }
            if (role == LinkRole::Commands) {
                offer(FaultKind::MessageDelay, client, node);
                offer(FaultKind::MessageCopy, client, node);
            }
        }
        const bool isListening = std::ranges::any_of(slotOf(client).client->listeners(),
                                                     [node](const auto& listener) {
                                                         return listener.node == node;
                                                     });
        if (isListening && slotOf(client).isFresh) {
            offer(FaultKind::ConnectionLoss, client, node, 2, LinkRole::Channels);
        }
    }
}

/// Likewise: right after the server has done something.
void World::offerNodeFaults(int node)
{
    Node& at = nodeOf(node);
    offer(FaultKind::ClockStep, 0, node, 0);
    offer(FaultKind::ServerRestart, 0, node, 0);
    offer(FaultKind::ServerRestart, 0, node, 1);
    const sim::SimReplication& replication = at.server.replication();
    // From one write on: a failover that loses nothing is a restart that keeps its data.
    for (std::size_t lost = 1; replication.replicaCount() > 0 && lost <= replication.lagOf(0);
         ++lost) {
        offer(FaultKind::Failover, 0, node, static_cast<int>(lost) - 1);
    }
    if (at.slowUntil <= m_now) {
        offer(FaultKind::SlowNode, 0, node);
    }
    if (m_plan.nodeCount > 1) {
        offer(FaultKind::Partition, 0, node, 2);
    }
    offer(FaultKind::ScriptFlush, 0, node);
    const sim::Keyspace& keys = std::as_const(at.server).database().keys();
    const std::int64_t nowMs = sim::toEpochMs(serverTime(node));
    int index = 0;
    for (const sim::Entry& entry : keys.entries()) {
        if (entry.isExpiredAt(nowMs)) {
            continue;
        }
        for (int lock = 0; lock < m_ledger.lockCount(); ++lock) {
            if (entry.key == m_ledger.keyOf(lock)) {
                offer(FaultKind::ForceRelease, 0, node, lock);
            }
        }
        if (index < kEvictableMax) {
            offer(FaultKind::Eviction, 0, node, index++);
        }
    }
}

void World::fail(const Step& step)
{
    ++m_faultCount;
    ++m_faultsDone[static_cast<std::size_t>(step.fault)];
    m_mayMoreFail = mayAnythingFail();
    switch (step.fault) {
    case FaultKind::ConnectionLoss:
        if (step.role == LinkRole::Channels) {
            tellFault(step, nullptr);
            breakSubscription(step.client, step.node);
            break;
        }
        [[fallthrough]];
    case FaultKind::MessageLoss:
    case FaultKind::MessageDelay:
    case FaultKind::MessageCopy: {
        Link& link = linkOf(step.client, {step.node, step.role});
        Request request = std::move(link.queue.front());
        link.queue.erase(link.queue.begin());
        tellFault(step, &request.command);
        failMessage(step, std::move(request));
        break;
    }
    case FaultKind::ServerRestart:
    case FaultKind::Failover:
    case FaultKind::SlowNode:
    case FaultKind::ScriptFlush:
    case FaultKind::ForceRelease:
    case FaultKind::Eviction:
        tellFault(step, nullptr);
        failNode(step);
        break;
    default:
        tellFault(step, nullptr);
        failClient(step);
        break;
    }
}

void World::tellFault(const Step& step, const store::Command* concerned)
{
    if (m_observer != nullptr) {
        m_observer->faultHappened(step, concerned);
    }
}

void World::failClient(const Step& step)
{
    ClientSlot& slot = slotOf(step.client);
    const Duration amount = m_plan.faults.of(step.fault).amount;
    const Duration signedAmount = step.variant % 2 == 0 ? amount : -amount;
    switch (step.fault) {
    case FaultKind::Crash:
        crash(step.client);
        if (step.variant == 1) {
            startAgain(step.client);
        }
        break;
    case FaultKind::Pause:
        slot.pausedUntil = m_now + amount;
        recordFault(trace::EventKind::Paused, step.client, amount);
        break;
    case FaultKind::Hang: slot.client->hang(); break;
    case FaultKind::ClockSkew: slot.client->stepWallClock(signedAmount); break;
    case FaultKind::ClockDrift: {
        const double share = static_cast<double>(amount.count())
                             / static_cast<double>(m_plan.leaseMax().count());
        const double rate = step.variant % 2 == 0 ? 1 + share : 1 - share;
        if (step.variant > 1) {
            nodeOf(step.node).clock.rate = rate;
            break;
        }
        slot.client->setRate(rate);
        m_ledger.setLocalClock(step.client, slot.client->now(), slot.client->rate(), m_now);
        break;
    }
    case FaultKind::ClockStep:
        if (step.variant == 0) {
            nodeOf(step.node).clock.offset += amount;
            // Redis keeps the deadlines of blocked clients by its wall clock (timeout.c): a clock
            // that jumps ahead ends the waits.
            nodeOf(step.node).server.endWaits(serverTime(step.node));
            serverChanged(step.node);
        } else {
            slot.client->stepWallClock(step.variant == 1 ? amount : -amount);
        }
        break;
    case FaultKind::Partition:
        if (step.variant < 2) {
            cutOff(step.client, step.node, step.variant == 0 ? Cut::Both : Cut::Answers);
            break;
        }
        for (int client = 0; client < slotCount(); ++client) {
            cutOff(client, step.node, Cut::Both);
        }
        break;
    default: break;
    }
}

void World::failMessage(const Step& step, Request request)
{
    const bool isCarriedOut = step.variant == 1;
    const LateRequest late{request, m_now + m_plan.faults.of(step.fault).amount};
    switch (step.fault) {
    case FaultKind::ConnectionLoss:
        if (isCarriedOut) {
            request.isAnswerCut = true;
            execute(std::move(request), false, true);
        } else {
            answer(request, connectionLost());
        }
        break;
    case FaultKind::MessageLoss:
        if (isCarriedOut) {
            execute(std::move(request), false, true);
        } else {
            loseAnswer(std::move(request));
        }
        break;
    case FaultKind::MessageDelay:
        m_late.push_back(late);
        loseAnswer(std::move(request));
        break;
    case FaultKind::MessageCopy:
        m_late.push_back(late);
        execute(std::move(request), false, false);
        break;
    default: break;
    }
}

void World::failNode(const Step& step)
{
    const int node = step.node;
    sim::SimServer& server = nodeOf(node).server;
    switch (step.fault) {
    case FaultKind::ServerRestart:
        server.restart(step.variant == 1);
        loseConnections(node);
        serverChanged(node);
        break;
    case FaultKind::Failover: failOver(node, std::size_t(step.variant) + 1); break;
    case FaultKind::SlowNode: slowDown(node); break;
    case FaultKind::ScriptFlush: server.database().forgetScripts(); break;
    case FaultKind::ForceRelease: removeEntry(node, m_ledger.keyOf(step.variant)); break;
    case FaultKind::Eviction: {
        const std::int64_t nowMs = sim::toEpochMs(serverTime(node));
        int index = 0;
        for (const sim::Entry& entry : std::as_const(server).database().keys().entries()) {
            if (!entry.isExpiredAt(nowMs) && index++ == step.variant) {
                removeEntry(node, Bytes(entry.key));
                break;
            }
        }
        break;
    }
    default: break;
    }
}

/// What it had not sent yet is never sent; what was delayed is on its way already.
void World::crash(int client)
{
    ClientSlot& slot = slotOf(client);
    slot.client->crash();
    for (Link& link : slot.links) {
        link.queue.clear();
        link.waiting.reset();
        link.history = 0;
    }
    for (int node = 0; node < m_plan.nodeCount; ++node) {
        for (const LinkRole role : kLinkRoles) {
            const Link& link = linkOf(client, {node, role});
            if (link.session != 0) {
                nodeOf(node).server.disconnect(link.session);
            }
        }
    }
    std::erase_if(m_unanswered, [client](const Request& r) { return r.client == client; });
    recordFault(trace::EventKind::Crashed, client);
    endOf(client);
}

/// By its supervisor: from its first act, at once, with a new identity and nothing in its
/// memory. Its machine's clock goes on.
void World::startAgain(int client)
{
    ClientSlot& slot = slotOf(client);
    const std::unique_ptr<SimClient> before = std::exchange(slot.client, nullptr);
    const ClientPlan& acts = m_plan.clients[static_cast<std::size_t>(client)];
    slot.client = std::make_unique<SimClient>(settingOf(client, m_plan, acts, ++slot.restartCount));
    slot.client->goOnWithClockOf(*before);
    slot.hasEnded = false;
    for (int node = 0; node < m_plan.nodeCount; ++node) {
        connect(slot, node);
    }
    slot.client->start();
}

void World::recordFault(trace::EventKind kind, int client, Duration amount)
{
    trace::Event event;
    event.at = m_now;
    event.kind = kind;
    event.contender = static_cast<trace::ContenderId>(client);
    event.value = amount.count();
    m_events.push_back(event);
}

/// Messages are not kept for clients that do not listen. The client notices, and subscribes anew.
void World::breakSubscription(int client, int node)
{
    Link& link = linkOf(client, {node, LinkRole::Channels});
    nodeOf(node).server.disconnect(link.session);
    link.session = nodeOf(node).server.connect();
    link.queue.clear();
    SimClient& who = *slotOf(client).client;
    who.hear(node, {}, store::Notice{store::Notice::Kind::Deaf, {}});
    ContentHash hash(link.history);
    hash.add(m_now.time_since_epoch().count());
    link.history = hash.value();
    std::vector<Bytes> channels;
    for (const SimClient::ChannelListener& listener : who.listeners()) {
        if (listener.node == node
            && std::ranges::find(channels, listener.channel) == channels.end()) {
            channels.push_back(listener.channel);
        }
    }
    for (const Bytes& channel : channels) {
        subscribe(client, node, channel);
    }
}

void World::cutOff(int client, int node, Cut cut)
{
    Reach& reach = slotOf(client).reach[static_cast<std::size_t>(node)];
    reach = {cut, m_now + m_plan.faults.of(FaultKind::Partition).amount};
    if (cut != Cut::Both) {
        return;
    }
    for (const LinkRole role : kLinkRoles) {
        for (Request& request : linkOf(client, {node, role}).queue) {
            request.giveUpAt = std::min(request.giveUpAt, m_now + m_plan.requestTimeout);
        }
    }
}

/// Requests from now on, and those sent but not yet carried out, are answered late.
void World::slowDown(int node)
{
    const Duration delay = m_plan.faults.of(FaultKind::SlowNode).amount;
    nodeOf(node).slowUntil = m_now + 10 * delay;
    for (int client = 0; client < slotCount(); ++client) {
        for (const LinkRole role : kLinkRoles) {
            for (Request& request : linkOf(client, {node, role}).queue) {
                request.readyAt = m_now + delay;
                request.giveUpAt = std::min(request.giveUpAt, m_now + m_plan.requestTimeout);
            }
        }
    }
}

void World::failOver(int node, std::size_t lostWriteCount)
{
    sim::SimServer& server = nodeOf(node).server;
    while (server.replication().lagOf(0) > lostWriteCount) {
        server.advanceReplica(0);
    }
    server.failOver(0);
    loseConnections(node);
    serverChanged(node);
}

/// All connections to the server are gone. Clients connect anew by themselves; what is under way
/// to a server that waits with its answer is lost, and so are messages.
void World::loseConnections(int node)
{
    for (int client = 0; client < slotCount(); ++client) {
        ClientSlot& slot = slotOf(client);
        if (slot.client->isCrashed()) {
            continue;
        }
        std::vector<Request> lost;
        for (const LinkRole role : kLinkRoles) {
            Link& link = linkOf(client, {node, role});
            if (link.waiting) {
                lost.push_back(std::move(*std::exchange(link.waiting, std::nullopt)));
            }
        }
        connect(slot, node);
        for (Request& request : lost) {
            answer(request, connectionLost());
        }
        if (!slot.client->listeners().empty()) {
            breakSubscription(client, node);
        }
    }
}

/// By a connection, as an operator would: watchers, waiters and replicas notice it as any DEL.
void World::removeEntry(int node, const Bytes& key)
{
    sim::SimServer& server = nodeOf(node).server;
    const sim::SessionId session = server.connect();
    server.run(session, store::Command("DEL", key), serverTime(node));
    server.disconnect(session);
    deliver(node);
    keepReplicaClose(node);
    serverChanged(node);
}

void World::serverChanged(int node)
{
    nodeOf(node).isFresh = true;
    m_ledger.nodeChanged(node, std::as_const(nodeOf(node).server).database().keys().entries(),
                         nodeOf(node).clock, m_now);
    deliver(node);
}

} // namespace lockscope::world
