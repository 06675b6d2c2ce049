#include "core/kernel/world/world.h"

#include <algorithm>
#include <utility>

// What may happen next, and how it does: requests, answers and time.
namespace lockscope::world {

using store::Outcome;
using store::Problem;
using store::Reply;

namespace {

Outcome unknown(Problem::Kind kind)
{
    Problem problem;
    problem.kind = kind;
    return store::Unknown{std::move(problem)};
}

std::uint64_t hashOf(const Outcome& outcome)
{
    const Reply* const reply = replyOf(outcome);
    return reply != nullptr ? contentHashOf(*reply) : 0x51ed2700 + outcome.index();
}

void findEarliest(std::optional<Instant>& earliest, std::optional<Instant> other)
{
    if (other && (!earliest || *other < *earliest)) {
        earliest = other;
    }
}

} // namespace

/// The order is relied on. Once the run has begun, faults come last: RandomPicker splits the list
/// there, and the explorer, which goes on with the first step at once, sees what happens without a
/// fault before all the rest.
std::span<const Step> World::steps()
{
    m_steps.clear();
    if (!m_hasBegun) {
        offerBeginnings();
        if (!m_steps.empty()) {
            m_steps.push_back(Step{}); // and nothing else goes wrong from the beginning
            return m_steps;
        }
        begin();
    }
    listServes();
    const bool isAnybodyServed = !m_steps.empty();
    // Late requests do not keep time from going on: how late they come is the search's choice.
    listLate();
    if (isAllOver() && !isAnybodyServed) {
        return m_steps; // what is still under way arrives before the run ends
    }
    if (!isAnybodyServed) {
        const auto due = nextDue();
        if (due && due->time_since_epoch() <= m_plan.horizon) {
            m_steps.push_back(Step{});
        } else if (due) {
            m_isCutShort = true;
        }
    }
    listFaults();
    return m_steps;
}

/// Time that goes on several times in a row counts once: how many timers and deadlines lie in a
/// span in which nothing is asked says nothing about how long a run is to read.
int World::costOf(const Step& step) const
{
    if (!m_hasBegun && !m_steps.empty()) {
        return 0; // how the clocks are set before anything happens
    }
    const bool goesOn = m_latest && m_latest->kind == Step::Kind::Advance;
    return step.kind == Step::Kind::Advance && goesOn ? 0 : 1;
}

void World::begin()
{
    m_hasBegun = true;
    for (ClientSlot& slot : m_slots) {
        slot.isFresh = true;
        slot.client->start();
    }
    for (Node& node : m_nodes) {
        node.isFresh = true;
    }
    settle();
}

bool World::takeStep(const Step& step)
{
    const std::span<const Step> possible = steps();
    if (std::ranges::find(possible, step) == possible.end()) {
        return false;
    }
    carryOut(step);
    return true;
}

/// The replay of prefixes is most of a search's work (docs/decisions/0006), so the list of possible
/// steps is not even made.
void World::takeKnownStep(const Step& step)
{
    if (!m_hasBegun) {
        steps(); // begins the run, unless something goes wrong from the beginning
    }
    carryOut(step);
}

void World::carryOut(const Step& step)
{
    m_cost += costOf(step);
    m_ledger.setStepCount(m_cost);
    if (!m_hasBegun && step.kind == Step::Kind::Advance) {
        begin();
        return;
    }
    m_latest = step;
    ++m_stepCount;
    for (ClientSlot& slot : m_slots) {
        slot.isFresh = false;
    }
    for (Node& node : m_nodes) {
        node.isFresh = false;
    }
    switch (step.kind) {
    case Step::Kind::Serve: {
        Link& link = linkOf(step.client, {step.node, step.role});
        Request request = std::move(link.queue.front());
        link.queue.erase(link.queue.begin());
        const bool isAnswerLost = slotOf(step.client).reach[step.node].cut == Cut::Answers;
        execute(std::move(request), false, isAnswerLost);
        break;
    }
    case Step::Kind::ServeLate: {
        Request request = std::move(m_late[step.variant].request);
        m_late.erase(m_late.begin() + step.variant);
        execute(std::move(request), true, false);
        break;
    }
    case Step::Kind::Advance: advanceTo(*nextDue()); break;
    case Step::Kind::Fault: fail(step); break;
    }
    settle();
}

bool World::isServable(int client, LinkAddress address) const
{
    const Link& link = linkOf(client, address);
    return !link.queue.empty() && !link.waiting && link.queue.front().readyAt <= m_now
           && isRunning(client) && canReach(client, address.node);
}

/// Requests to different servers commute: each is carried out on the data of its own server alone,
/// and time stands still meanwhile. Of the two orders the one that follows the order of steps is
/// kept. The other one exists only if this request was under way before the latest step already.
bool World::isBetterBeforeLatest(const Step& step) const
{
    const bool areServes = m_latest && m_latest->kind == Step::Kind::Serve
                           && step.kind == Step::Kind::Serve;
    if (!areServes || step.node == m_latest->node || *m_latest < step) {
        return false;
    }
    const Link& link = linkOf(step.client, {step.node, step.role});
    // A request that was sent because of the latest step carries the number of that step.
    return link.queue.front().sentAtStep < m_stepCount;
}

void World::listServes()
{
    for (int client = 0; client < slotCount(); ++client) {
        const ClientSlot& slot = slotOf(client);
        if (!isRunning(slot)) {
            continue;
        }
        for (const LinkRole role : kLinkRoles) {
            for (int node = 0; node < m_plan.nodeCount; ++node) {
                const LinkAddress address{node, role};
                const bool hasRequest = !slot.links[placeOf(address)].queue.empty();
                if (hasRequest && isServable(client, address)) {
                    m_steps.push_back(Step::serve(client, node, role));
                }
            }
        }
    }
}

void World::listLate()
{
    for (std::size_t i = 0; i < m_late.size(); ++i) {
        Step step;
        step.kind = Step::Kind::ServeLate;
        step.variant = static_cast<std::uint8_t>(i);
        m_steps.push_back(step);
    }
}

bool World::isAllOver() const
{
    return std::ranges::all_of(m_slots,
                               [](const ClientSlot& slot) { return slot.client->isDead(); });
}

std::optional<Instant> World::nextDue()
{
    std::optional<Instant> due;
    for (ClientSlot& slot : m_slots) {
        if (slot.pausedUntil) {
            // Whatever is due for it before, it does nothing; wakeUp() makes up for that.
            findEarliest(due, slot.pausedUntil);
            continue;
        }
        findEarliest(due, slot.client->nextTimer());
        for (const Link& link : slot.links) {
            if (!link.queue.empty()) {
                const Request& first = link.queue.front();
                findEarliest(due,
                             first.readyAt > m_now ? std::optional(first.readyAt) : std::nullopt);
                findEarliest(due, first.giveUpAt < Instant::max() ? std::optional(first.giveUpAt)
                                                                  : std::nullopt);
            }
        }
        for (const Reach& reach : slot.reach) {
            findEarliest(due, reach.cut != Cut::None ? std::optional(reach.until) : std::nullopt);
        }
    }
    for (int node = 0; node < m_plan.nodeCount; ++node) {
        if (const auto timeout = nodeOf(node).server.nextTimeout()) {
            findEarliest(due, nodeOf(node).clock.whenItShows(*timeout));
        }
    }
    for (const Request& request : m_unanswered) {
        if (isRunning(request.client)) {
            findEarliest(due, request.giveUpAt);
        }
    }
    // What came due during a pause is due now: time never goes back.
    return due ? std::optional(std::max(*due, m_now)) : std::nullopt;
}

void World::advanceTo(Instant then)
{
    m_isAsleep.clear();
    for (int client = 0; client < slotCount(); ++client) {
        const ClientSlot& slot = slotOf(client);
        // A client with a request under way waits for a server. An answer that is slow or lost
        // must not count as a wake-up that was lost.
        const bool hasRequests = std::ranges::any_of(slot.links, [](const Link& link) {
            return !link.queue.empty();
        });
        const bool isWaitingInVain = std::ranges::find(m_unanswered, client, &Request::client)
                                     != m_unanswered.end();
        m_isAsleep.push_back(isRunning(client) && !hasRequests && !isWaitingInVain);
    }
    // The ledger has places for the clients that ask in the end; none of them is asleep yet.
    m_isAsleep.resize(static_cast<std::size_t>(slotCount()) + m_plan.clients.size()
                      + static_cast<std::size_t>(m_ledger.lockCount()));
    m_ledger.timePasses(m_now, then, m_isAsleep);
    const Instant from = std::exchange(m_now, then);
    if (m_observer != nullptr) {
        m_observer->timeWentOn(from, then);
    }
    wakeUp();
}

/// The order is fixed, so that a tie has one outcome. Pauses and partitions end first, or what the
/// servers send in this instant would be lost. Answers come before time-outs, those before timers.
void World::wakeUp()
{
    for (ClientSlot& slot : m_slots) {
        slot.sentNow = 0;
        if (slot.pausedUntil && *slot.pausedUntil <= m_now) {
            slot.pausedUntil.reset();
            recordFault(trace::EventKind::Resumed, static_cast<int>(&slot - m_slots.data()));
        }
        for (Reach& reach : slot.reach) {
            if (reach.cut != Cut::None && reach.until <= m_now) {
                reach.cut = Cut::None;
            }
        }
    }
    for (int node = 0; node < m_plan.nodeCount; ++node) {
        nodeOf(node).server.endWaits(serverTime(node));
        deliver(node);
    }
    giveUpLateAnswers();
    for (ClientSlot& slot : m_slots) {
        if (!slot.pausedUntil && !slot.client->isCrashed()) {
            slot.client->fireTimers();
        }
    }
}

/// The requests whose clients have waited long enough. One that was not carried out yet may be
/// later: to the client both look alike.
void World::giveUpLateAnswers()
{
    for (std::size_t i = 0; i < m_unanswered.size();) {
        Request& request = m_unanswered[i];
        if (request.giveUpAt <= m_now && isRunning(request.client)) {
            Request over = std::move(request);
            m_unanswered.erase(m_unanswered.begin() + static_cast<std::ptrdiff_t>(i));
            answer(over, unknown(Problem::Kind::ReplyTimedOut));
        } else {
            ++i;
        }
    }
    for (int client = 0; client < slotCount(); ++client) {
        if (!isRunning(client)) {
            continue;
        }
        for (Link& link : slotOf(client).links) {
            while (!link.queue.empty() && link.queue.front().giveUpAt <= m_now
                   && link.queue.front().readyAt <= m_now) {
                Request over = std::move(link.queue.front());
                link.queue.erase(link.queue.begin());
                answer(over, unknown(Problem::Kind::ReplyTimedOut));
            }
        }
    }
}

/// Lets all clients run that can, until none can.
/// One pass is enough: a client reaches another one only through a server, and none carries out a
/// request here.
void World::settle()
{
    for (int client = 0; client < slotCount(); ++client) {
        ClientSlot& slot = slotOf(client);
        if (!isRunning(client)) {
            continue;
        }
        if (slot.client->run()) {
            slot.isFresh = true;
            closeListeners(client);
        }
        if (slot.client->isOver()) {
            endOf(client);
        }
    }
    if (m_observer != nullptr) {
        for (; m_violationsTold < violations().size(); ++m_violationsTold) {
            m_observer->broke(violations()[m_violationsTold]);
        }
    }
}

/// A finished client believes nothing any more; one that the plan lets die leaves its locks behind.
void World::endOf(int client)
{
    ClientSlot& slot = slotOf(client);
    if (!std::exchange(slot.hasEnded, true)) {
        m_ledger.ended(client, m_now);
    }
}

void World::closeListeners(int client)
{
    auto& listeners = slotOf(client).client->listeners();
    for (std::size_t i = 0; i < listeners.size();) {
        if (!listeners[i].mailbox->isClosed()) {
            ++i;
            continue;
        }
        const int node = listeners[i].node;
        const Bytes channel = listeners[i].channel;
        listeners.erase(listeners.begin() + static_cast<std::ptrdiff_t>(i));
        const bool isLast = std::ranges::none_of(listeners,
                                                 [&](const SimClient::ChannelListener& listener) {
                                                     return listener.node == node
                                                            && listener.channel == channel;
                                                 });
        Link& link = linkOf(client, {node, LinkRole::Channels});
        std::erase_if(link.queue, [&](const Request& request) {
            return isLast && request.command.words[1] == channel;
        });
        if (isLast) {
            // Not a step: no task waits for the confirmation, and its place among the requests of
            // others would only multiply the schedules.
            nodeOf(node).server.run(link.session, store::Command("UNSUBSCRIBE", channel),
                                    serverTime(node));
            nodeOf(node).server.takeDeliveries();
        }
    }
}

void World::execute(Request request, bool isLate, bool isAnswerLost)
{
    const int node = request.link.node;
    Node& at = nodeOf(node);
    Link& link = linkOf(request.client, request.link);
    const auto dataBefore = at.server.database().keys().contentHash();
    // What a dead client had sent arrives by a connection that is closed right afterwards.
    const bool isSenderDead = slotOf(request.client).client->isCrashed();
    const sim::SessionId session = isSenderDead ? at.server.connect() : link.session;
    std::optional<Reply> reply = at.server.run(session, request.command, serverTime(node));
    if (isSenderDead) {
        at.server.disconnect(session);
    }
    ++m_commandCount;
    at.isFresh = true;
    // Many requests, such as those of waiters, change nothing, and the ledger judges changes only.
    if (at.server.database().keys().contentHash() != dataBefore) {
        m_ledger.commandRan(request.client, node, request.purpose,
                            at.server.database().keys().entries(), at.clock, m_now);
        keepReplicaClose(node);
    }
    if (m_observer != nullptr) {
        m_observer->served(request, reply, isLate, isAnswerLost);
    }
    if (!reply) {
        // A subscription is confirmed by a delivery, as messages are: there is nothing to wait for.
        if (request.link.role != LinkRole::Channels && !isLate) {
            link.waiting = std::move(request);
        }
    } else if (isAnswerLost) {
        loseAnswer(std::move(request));
    } else if (!isLate) {
        answer(request, std::move(*reply));
    }
    deliver(node);
}

/// What a failover loses are the latest writes, not all that ever were.
void World::keepReplicaClose(int node)
{
    constexpr std::size_t kLagMax = 2;
    sim::SimServer& server = nodeOf(node).server;
    if (server.replication().replicaCount() == 0) {
        return;
    }
    while (server.replication().lagOf(0) > kLagMax) {
        server.advanceReplica(0);
    }
}

void World::answer(Request& request, Outcome outcome)
{
    if (!request.answer || slotOf(request.client).client->isCrashed()) {
        return;
    }
    Link& link = linkOf(request.client, request.link);
    ContentHash hash(link.history);
    // A suspended coroutine cannot be hashed. What it does next is a function of what it was told,
    // and when by its own clock (docs/decisions/0006): this history stands in its place.
    hash.add(hashOf(outcome));
    hash.add(slotOf(request.client).client->now().time_since_epoch().count());
    link.history = hash.value();
    if (std::holds_alternative<store::Unknown>(outcome)) {
        m_ledger.heardNothing(request.client);
    }
    request.answer->complete(std::move(outcome));
}

/// No task will receive it: the client notices at once that its connection is gone, or gives up
/// waiting in the end.
void World::loseAnswer(Request request)
{
    if (request.isAnswerCut) {
        answer(request, unknown(Problem::Kind::ConnectionLost));
        return;
    }
    request.giveUpAt = m_now + m_plan.requestTimeout;
    m_unanswered.push_back(std::move(request));
}

std::optional<std::pair<int, LinkAddress>> World::linkOfSession(int node,
                                                                sim::SessionId session) const
{
    for (int client = 0; client < slotCount(); ++client) {
        for (const LinkRole role : kLinkRoles) {
            const LinkAddress address{node, role};
            if (linkOf(client, address).session == session) {
                return std::pair(client, address);
            }
        }
    }
    return std::nullopt;
}

void World::deliver(int node)
{
    for (sim::Delivery& delivery : nodeOf(node).server.takeDeliveries()) {
        const auto place = linkOfSession(node, delivery.session);
        if (!place || slotOf(place->first).client->isCrashed()) {
            continue;
        }
        const auto& [client, address] = *place;
        // Redis delivers a published message at most once (redis.io, "Redis Pub/Sub", Delivery
        // semantics): one that meets a partition is not sent again.
        const bool isLost = slotOf(client).reach[static_cast<std::size_t>(node)].cut != Cut::None;
        Link& link = linkOf(client, address);
        if (m_observer != nullptr && !isLost) {
            m_observer->delivered(client, address, delivery.reply);
        }
        if (address.role == LinkRole::Channels) {
            if (!isLost) {
                deliverToListener(client, node, delivery.reply);
            }
        } else if (link.waiting) {
            Request request = std::move(*std::exchange(link.waiting, std::nullopt));
            if (isLost) {
                loseAnswer(std::move(request));
            } else {
                answer(request, std::move(delivery.reply));
            }
        }
    }
}

void World::deliverToListener(int client, int node, const Reply& reply)
{
    const Reply::Array* const parts = reply.array();
    if (parts == nullptr || parts->size() < 3 || parts->at(0).text() == nullptr
        || parts->at(1).text() == nullptr) {
        return;
    }
    store::Notice notice;
    if (*parts->at(0).text() == "subscribe") {
        notice.kind = store::Notice::Kind::Listening;
    } else if (*parts->at(0).text() == "message" && parts->at(2).text() != nullptr) {
        notice.kind = store::Notice::Kind::Message;
        notice.payload = *parts->at(2).text();
    } else {
        return;
    }
    Link& link = linkOf(client, {node, LinkRole::Channels});
    ContentHash hash(link.history);
    hash.add(contentHashOf(reply));
    hash.add(slotOf(client).client->now().time_since_epoch().count());
    link.history = hash.value();
    slotOf(client).client->hear(node, *parts->at(1).text(), notice);
}

} // namespace lockscope::world
