#include "core/kernel/world/sim_network.h"

#include "core/kernel/protocol/protocol_info.h"
#include "core/kernel/store/script.h"

#include <algorithm>

namespace lockscope::world {

using store::Outcome;
using store::Problem;
using store::Reply;

namespace {

/// A client that sends so many requests without time going on waits a little before the next.
/// Otherwise one that asks in a loop would keep time from ever going on.
constexpr int kRequestsPerInstantMax = 8;

bool needs(const protocol::ProtocolInfo& info, protocol::ServerFeature feature)
{
    return std::ranges::any_of(info.needs,
                               [feature](const auto& need) { return need.feature == feature; });
}

Outcome unknownBecause(Problem::Kind kind)
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

} // namespace

SimNetwork::SimNetwork(const protocol::ProtocolInfo& info, const WorldPlan& plan,
                       const Instant& now, const Parts& parts)
    : m_plan(plan),
      m_now(now),
      m_ledger(parts.ledger),
      m_clients(parts.clients),
      m_servers(parts.servers),
      m_probe(parts.probe),
      m_record(parts.record),
      m_needsBlocking(needs(info, protocol::ServerFeature::BlockingPop)),
      m_needsChannels(needs(info, protocol::ServerFeature::PubSub))
{
    makePlaces(plan.clients.size());
}

void SimNetwork::makePlaces(std::size_t clientCount)
{
    m_links.resize(clientCount * kLinkRoles.size() * nodeCount());
    m_reach.resize(clientCount * nodeCount());
    m_sentNow.resize(clientCount);
    m_queuedCount.resize(clientCount);
}

void SimNetwork::connect(int client)
{
    if (client >= static_cast<int>(m_sentNow.size())) {
        makePlaces(static_cast<std::size_t>(client) + 1);
    }
    for (int node = 0; node < m_plan.nodeCount; ++node) {
        connectTo(client, node);
    }
}

void SimNetwork::connectTo(int client, int node)
{
    const auto connectFor = [&](LinkRole role) {
        linkOf(client, {node, role}).session = m_servers[node].connect();
    };
    connectFor(LinkRole::Commands);
    if (m_needsBlocking) {
        connectFor(LinkRole::Blocking);
    }
    if (m_needsChannels) {
        connectFor(LinkRole::Channels);
    }
}

bool SimNetwork::canReach(int client, int node) const
{
    const std::pair<int, int> pair(client, node);
    return cutBetween(client, node) != Cut::Both
           && std::ranges::find(m_plan.unreachable, pair) == m_plan.unreachable.end();
}

void SimNetwork::send(Request request)
{
    const int node = request.link.node;
    request.number = m_sentCount++;
    request.readyAt = m_now;
    request.sentAtStep = m_stepCount;
    if (++m_sentNow[static_cast<std::size_t>(request.client)] > kRequestsPerInstantMax) {
        request.readyAt = m_now + std::chrono::milliseconds(1);
    }
    if (m_servers.isSlow(node)) {
        request.readyAt = m_now + m_servers.delayOf(node);
    }
    const bool isCut = !canReach(request.client, node);
    const bool isSlow = request.readyAt > m_now;
    // Nothing else takes longer than an instant. A deadline for every request would be part of the
    // state, and tell states apart that go on alike.
    if (isCut || isSlow) {
        request.giveUpAt = m_now + m_plan.requestTimeout;
    }
    m_record.tell([&request](Observer& observer) { observer.sent(request); });
    ++m_queuedCount[static_cast<std::size_t>(request.client)];
    linkOf(request.client, request.link).queue.push_back(std::move(request));
}

void SimNetwork::subscribe(int client, int node, const Bytes& channel)
{
    Request request;
    request.command = store::Command("SUBSCRIBE", channel);
    request.link = {node, LinkRole::Channels};
    request.client = client;
    send(std::move(request));
}

void SimNetwork::beginInstant()
{
    std::ranges::fill(m_sentNow, 0);
    for (Reach& reach : m_reach) {
        if (reach.cut != Cut::None && reach.until <= m_now) {
            reach.cut = Cut::None;
        }
    }
}

void SimNetwork::listServableOf(int client, std::vector<Step>& steps) const
{
    // In the order in which they lie in memory: this is done at every step of a search.
    const Link* link = &linkOf(client, {});
    for (const LinkRole role : kLinkRoles) {
        if (!isUsed(role)) {
            link += m_plan.nodeCount;
            continue;
        }
        for (int node = 0; node < m_plan.nodeCount; ++node, ++link) {
            if (canServe(*link, client, node)) {
                steps.push_back(Step::serve(client, node, role));
            }
        }
    }
}

bool SimNetwork::isOlderThanLatestStep(int client, LinkAddress address) const
{
    // A request that was sent because of the latest step carries the number of that step.
    return oldest(client, address).sentAtStep < m_stepCount;
}

Request SimNetwork::takeOldest(int client, LinkAddress address)
{
    return takeFirst(client, linkOf(client, address));
}

Request SimNetwork::takeFirst(int client, Link& link)
{
    Request request = std::move(link.queue.front());
    link.queue.erase(link.queue.begin());
    --m_queuedCount[static_cast<std::size_t>(client)];
    return request;
}

void SimNetwork::clearQueue(int client, Link& link)
{
    m_queuedCount[static_cast<std::size_t>(client)] -= static_cast<int>(link.queue.size());
    link.queue.clear();
}

bool SimNetwork::isListening(int client, int node) const
{
    return std::ranges::any_of(m_clients[client].listeners(),
                               [node](const auto& listener) { return listener.node == node; });
}

bool SimNetwork::isWaitingForAnswer(int client) const
{
    return hasQueued(client)
           || std::ranges::find(m_unanswered, client, &Request::client) != m_unanswered.end();
}

void SimNetwork::serve(int client, LinkAddress address)
{
    execute(takeOldest(client, address), false, cutBetween(client, address.node) == Cut::Answers);
}

void SimNetwork::serveLate(int index)
{
    Request request = std::move(m_late[static_cast<std::size_t>(index)].request);
    m_late.erase(m_late.begin() + index);
    execute(std::move(request), true, false);
}

void SimNetwork::execute(Request request, bool isLate, bool isAnswerLost)
{
    const int node = request.link.node;
    sim::SimServer& server = m_servers[node];
    Link& link = linkOf(request.client, request.link);
    const auto& data = std::as_const(server).database().keys();
    const auto hashBefore = data.contentHash();
    // What a dead client had sent arrives by a connection that is closed right afterwards.
    const bool isSenderDead = m_clients[request.client].isCrashed();
    const sim::SessionId session = isSenderDead ? server.connect() : link.session;
    const bool isOtherHolding = m_ledger.commandCame(request.client, request.purpose,
                                                     request.command, m_now);
    std::optional<sim::Keyspace> before; // where a change could harm a hold
    if (isOtherHolding && request.purpose != Purpose::Release) {
        before = data;
    }
    std::optional<Reply> reply = server.run(session, request.command, m_servers.timeOf(node));
    if (isSenderDead) {
        server.disconnect(session);
    }
    ++m_commandCount;
    m_servers.markFresh(node);
    // Many requests, such as those of waiters, change nothing, and the ledger judges changes only.
    if (data.contentHash() != hashBefore) {
        judgeChange(request, before);
        m_servers.keepReplicaClose(node);
        if (isLate || isAnswerLost || isSenderDead || !request.answer
            || request.answer->isAbandoned()) {
            m_ledger.answeredInVain(request.command, m_now);
        }
    }
    m_record.tell([&](Observer& observer) {
        observer.served(request, reply, isLate, isAnswerLost);
    });
    if (reply && reply->isError() && !store::isUnknownScript(*reply)) {
        m_ledger.errorAnswered(request.client, request.command, m_now);
    }
    if (!reply) {
        // A subscription is confirmed by a delivery, as messages are: there is nothing to wait for.
        if (request.link.role != LinkRole::Channels && !isLate) {
            link.waiting = std::make_unique<Request>(std::move(request));
        }
    } else if (isAnswerLost) {
        loseAnswer(std::move(request));
    } else if (!isLate) {
        answer(request, std::move(*reply));
    }
    m_servers.answerWaitsForReplicas(node);
    // Behind the answer: a server writes it before what the command caused on other connections.
    deliver(node);
}

void SimNetwork::judgeChange(const Request& request, const std::optional<sim::Keyspace>& before)
{
    const int node = request.link.node;
    const auto overwriting = m_ledger.commandRan(
        request.client, node, request.purpose,
        std::as_const(m_servers[node]).database().keys().entries(), m_servers.clock(node), m_now);
    if (!overwriting || !before) {
        return;
    }
    const SimClient& victim = m_clients[overwriting->victim];
    const HarmJudge judge(m_probe, victim, overwriting->lock);
    if (const auto harm = judge.harmBy(request.purpose, {node, *before})) {
        m_ledger.holdHarmed(request.client, request.purpose, *overwriting, *harm, m_now);
    }
}

/// A suspended coroutine cannot be hashed. What it does next is a function of what it was told, and
/// when by its own clock (docs/decisions/0006): this history stands in its place.
void SimNetwork::remember(Link& link, int client, std::uint64_t heard)
{
    ContentHash hash(link.history);
    hash.add(heard);
    hash.add(m_clients[client].now().time_since_epoch().count());
    link.history = hash.value();
}

void SimNetwork::answer(Request& request, Outcome outcome)
{
    if (!request.answer || m_clients[request.client].isCrashed()) {
        return;
    }
    remember(linkOf(request.client, request.link), request.client, hashOf(outcome));
    if (std::holds_alternative<store::Unknown>(outcome)) {
        m_ledger.heardNothing(request.client);
    }
    request.answer->complete(std::move(outcome));
}

void SimNetwork::loseAnswer(Request request)
{
    if (request.isAnswerCut) {
        answer(request, connectionLost());
        return;
    }
    request.giveUpAt = m_now + m_plan.requestTimeout;
    m_unanswered.push_back(std::move(request));
}

Outcome SimNetwork::connectionLost()
{
    return unknownBecause(Problem::Kind::ConnectionLost);
}

std::optional<std::pair<int, LinkAddress>> SimNetwork::linkOfSession(int node,
                                                                     sim::SessionId session) const
{
    for (int client = 0; client < m_clients.count(); ++client) {
        for (const LinkRole role : kLinkRoles) {
            const LinkAddress address{node, role};
            if (linkOf(client, address).session == session) {
                return std::pair(client, address);
            }
        }
    }
    return std::nullopt;
}

void SimNetwork::deliver(int node)
{
    for (sim::Delivery& delivery : m_servers[node].takeDeliveries()) {
        const auto place = linkOfSession(node, delivery.session);
        if (!place || m_clients[place->first].isCrashed()) {
            continue;
        }
        const auto& [client, address] = *place;
        // Redis delivers a published message at most once (redis.io, "Redis Pub/Sub", Delivery
        // semantics): one that meets a partition is not sent again.
        const bool isLost = cutBetween(client, node) != Cut::None;
        if (!isLost) {
            m_record.tell([&, who = client, where = address](Observer& observer) {
                observer.delivered(who, where, delivery.reply);
            });
        }
        Link& link = linkOf(client, address);
        if (address.role == LinkRole::Channels) {
            if (!isLost) {
                deliverToListener(client, node, delivery.reply);
            }
        } else if (link.waiting) {
            Request request = std::move(*std::exchange(link.waiting, nullptr));
            if (isLost) {
                loseAnswer(std::move(request));
            } else {
                answer(request, std::move(delivery.reply));
            }
        }
    }
}

void SimNetwork::deliverToListener(int client, int node, const Reply& reply)
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
    remember(linkOf(client, {node, LinkRole::Channels}), client, contentHashOf(reply));
    m_clients[client].hear(node, *parts->at(1).text(), notice);
}

Instant SimNetwork::nextDue() const
{
    Instant next = Instant::max();
    for (int client = 0; client < m_clients.count(); ++client) {
        if (m_clients.isPaused(client)) {
            continue;
        }
        for (const Link& link : hasQueued(client) ? linksOf(client) : std::span<const Link>()) {
            if (!link.queue.empty()) {
                // The others wait for the first: nothing is due for them before.
                const Request& first = link.queue.front();
                next = std::min(next, first.giveUpAt);
                // One that is ready and not served is held up by a cut or a blocked connection.
                next = first.readyAt > m_now ? std::min(next, first.readyAt) : next;
            }
        }
        for (const Reach& reach : reachesOf(client)) {
            next = reach.cut != Cut::None ? std::min(next, reach.until) : next;
        }
    }
    for (const Request& request : m_unanswered) {
        next = m_clients.isRunning(request.client) ? std::min(next, request.giveUpAt) : next;
    }
    return next;
}

void SimNetwork::giveUpLateAnswers()
{
    for (std::size_t i = 0; i < m_unanswered.size();) {
        Request& request = m_unanswered[i];
        if (request.giveUpAt <= m_now && m_clients.isRunning(request.client)) {
            Request over = std::move(request);
            m_unanswered.erase(m_unanswered.begin() + static_cast<std::ptrdiff_t>(i));
            answer(over, unknownBecause(Problem::Kind::ReplyTimedOut));
        } else {
            ++i;
        }
    }
    for (int client = 0; client < m_clients.count(); ++client) {
        if (!hasQueued(client) || !m_clients.isRunning(client)) {
            continue;
        }
        for (Link& link : linksOf(client)) {
            while (!link.queue.empty() && link.queue.front().giveUpAt <= m_now
                   && link.queue.front().readyAt <= m_now) {
                Request over = takeFirst(client, link);
                answer(over, unknownBecause(Problem::Kind::ReplyTimedOut));
            }
        }
    }
}

void SimNetwork::cutOff(int client, int node, Cut cut, Instant until)
{
    reachesOf(client)[static_cast<std::size_t>(node)] = {cut, until};
    if (cut != Cut::Both) {
        return;
    }
    for (const LinkRole role : kLinkRoles) {
        for (Request& request : linkOf(client, {node, role}).queue) {
            request.giveUpAt = std::min(request.giveUpAt, m_now + m_plan.requestTimeout);
        }
    }
}

void SimNetwork::delayRequestsTo(int node, Duration delay)
{
    for (int client = 0; client < m_clients.count(); ++client) {
        for (const LinkRole role : kLinkRoles) {
            for (Request& request : linkOf(client, {node, role}).queue) {
                request.readyAt = m_now + delay;
                request.giveUpAt = std::min(request.giveUpAt, m_now + m_plan.requestTimeout);
            }
        }
    }
}

/// Messages are not kept for clients that do not listen. The client notices, and subscribes anew.
void SimNetwork::breakSubscription(int client, int node)
{
    Link& link = linkOf(client, {node, LinkRole::Channels});
    m_servers[node].disconnect(link.session);
    link.session = m_servers[node].connect();
    clearQueue(client, link);
    SimClient& who = m_clients[client];
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

/// Clients connect anew by themselves, so requests that the server has not read yet are sent by the
/// new connection. What it had read and keeps waiting is lost, and so are messages.
void SimNetwork::breakConnections(int node)
{
    for (int client = 0; client < m_clients.count(); ++client) {
        if (m_clients[client].isCrashed()) {
            continue;
        }
        std::vector<Request> lost;
        for (const LinkRole role : kLinkRoles) {
            Link& link = linkOf(client, {node, role});
            if (link.waiting) {
                lost.push_back(std::move(*std::exchange(link.waiting, nullptr)));
            }
        }
        connectTo(client, node);
        for (Request& request : lost) {
            answer(request, connectionLost());
        }
        if (!m_clients[client].listeners().empty()) {
            breakSubscription(client, node);
        }
    }
}

void SimNetwork::forget(int client)
{
    for (Link& link : linksOf(client)) {
        clearQueue(client, link);
        link.waiting.reset();
        link.history = 0; // a dead program must not tell states apart by what it knew
    }
    for (int node = 0; node < m_plan.nodeCount; ++node) {
        for (const LinkRole role : kLinkRoles) {
            const Link& link = linkOf(client, {node, role});
            if (link.session != 0) {
                m_servers[node].disconnect(link.session);
            }
        }
    }
    std::erase_if(m_unanswered, [client](const Request& r) { return r.client == client; });
}

void SimNetwork::closeListeners(int client)
{
    auto& listeners = m_clients[client].listeners();
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
        if (isLast) {
            Link& link = linkOf(client, {node, LinkRole::Channels});
            const auto erasedCount = std::erase_if(link.queue, [&](const Request& request) {
                return request.command.words[1] == channel;
            });
            m_queuedCount[static_cast<std::size_t>(client)] -= static_cast<int>(erasedCount);
            // Not a step: no task waits for the confirmation, and its place among the requests of
            // others would only multiply the schedules.
            m_servers[node].run(link.session, store::Command("UNSUBSCRIBE", channel),
                                m_servers.timeOf(node));
            m_servers[node].takeDeliveries();
        }
    }
}

void SimNetwork::heal()
{
    m_late.clear();
    for (Reach& reach : m_reach) {
        reach.cut = Cut::None;
    }
}

/// The words of the requests in a queue are left out: their client's history decides them.
void SimNetwork::addTo(ContentHash& hash, int client) const
{
    for (const Link& link : linksOf(client)) {
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
    for (const Reach& reach : reachesOf(client)) {
        hash.add(static_cast<int>(reach.cut));
        hash.add(reach.cut == Cut::None ? 0 : reach.until.time_since_epoch().count());
    }
}

/// Late requests count by their words, because a crashed client has no history any more, and not by
/// their order, because any of them may be carried out next.
void SimNetwork::addStraysTo(ContentHash& hash) const
{
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
    // Without its words, as of those in a queue: the client's history decides them.
    for (const Request& request : m_unanswered) {
        hash.add(request.client);
        hash.add(request.giveUpAt.time_since_epoch().count());
    }
}

} // namespace lockscope::world
