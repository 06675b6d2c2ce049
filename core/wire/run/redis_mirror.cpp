#include "core/wire/run/redis_mirror.h"

#include "core/kernel/async/before.h"
#include "core/wire/connection/redis_channels.h"
#include "protocol_scripts.h"

#include <QTimer>

#include <algorithm>
#include <array>
#include <utility>

namespace lockscope::wire {

using search::Exchange;
using search::ServerTranscript;
using store::Command;
using store::Outcome;
using store::Reply;
using world::LinkRole;
using Status = MirrorResult::Status;
using namespace std::chrono_literals;

namespace {

/// The first that shows the same in time is taken.
constexpr std::array kSpeedFactors{10, 5, 2, 1};
/// A request nearer than that to the end of a lease may as well come on the other side of it.
constexpr Duration kMarginMin = 60ms;
/// For how long an answer may take that has nothing to wait for.
constexpr Duration kPatience = 10s;
/// Requests that belong to no client of the run, and late ones.
constexpr int kOperator = -1;
constexpr int kMessenger = -2;
/// Two spans of time in milliseconds are the same when they are that near; smaller numbers count
/// something.
constexpr std::int64_t kSpanMin = 16;
constexpr std::int64_t kSpanTolerance = 250;

bool agree(const Reply& simulated, const Reply& real)
{
    if (simulated == real) {
        return true;
    }
    const auto left = simulated.integer();
    const auto right = real.integer();
    if (left && right) {
        return *left >= kSpanMin && *right >= kSpanMin
               && std::abs(*left - *right) <= kSpanTolerance;
    }
    const Reply::Array* const items = simulated.array();
    const Reply::Array* const others = real.array();
    return items != nullptr && others != nullptr && std::ranges::equal(*items, *others, agree);
}

/// What a subscriber hears, as RedisChannels reports it.
std::optional<store::Notice> noticeIn(const Reply& reply)
{
    const Reply::Array* const parts = reply.array();
    if (parts == nullptr || parts->size() < 3 || parts->at(0).text() == nullptr) {
        return std::nullopt;
    }
    if (*parts->at(0).text() == "subscribe") {
        return store::Notice{store::Notice::Kind::Listening, {}};
    }
    if (*parts->at(0).text() == "message" && parts->at(2).text() != nullptr) {
        return store::Notice{store::Notice::Kind::Message, *parts->at(2).text()};
    }
    return std::nullopt;
}

Bytes channelIn(const Reply& reply)
{
    const Reply::Array* const parts = reply.array();
    const bool hasChannel = parts != nullptr && parts->size() > 1 && parts->at(1).text() != nullptr;
    return hasChannel ? *parts->at(1).text() : Bytes();
}

Reply replyOfNotice(const store::Notice& notice, const Bytes& channel)
{
    Reply::Array parts{Reply::ofBulk(notice.kind == store::Notice::Kind::Message ? "message"
                                                                                 : "subscribe"),
                       Reply::ofBulk(channel), Reply::ofBulk(notice.payload)};
    return Reply::ofArray(std::move(parts));
}

bool areAlike(const world::Violation& one, const world::Violation& other)
{
    return one.promise == other.promise && one.kind == other.kind && one.lock == other.lock
           && one.client == other.client && one.other == other.other;
}

store::Endpoint patientEndpointOf(const PrivateServer& server)
{
    store::Endpoint endpoint = server.endpoint();
    endpoint.requestTimeout = kPatience;
    return endpoint;
}

} // namespace

/// One subscription, on a connection of its own.
struct RedisMirror::ChannelListener {
    RedisChannels channels;
    Bytes channel;
    async::Gate bell;
    store::Subscription subscription;

    ChannelListener(const store::Endpoint& endpoint, async::Executor& executor, Clock& clock,
                    Bytes name)
        : channels(endpoint, executor, clock, Rng(1)),
          channel(std::move(name)),
          subscription(channels.subscribe(channel, bell))
    {}
};

RedisMirror::RedisMirror(QObject* parent) : QObject(parent)
{}

RedisMirror::~RedisMirror()
{
    m_task = {}; // it refers to everything else
}

void RedisMirror::start(const protocol::LockProtocol& protocol, const world::WorldPlan& plan,
                        const std::vector<world::Step>& steps)
{
    choosePace(protocol, plan, steps);
    if (m_takes.empty()) {
        endSoon();
        return;
    }
    startServers(plan.nodeCount);
}

/// Keeps those speeds at which the simulated run shows what it shows at its own.
void RedisMirror::choosePace(const protocol::LockProtocol& protocol, const world::WorldPlan& plan,
                             const std::vector<world::Step>& steps)
{
    sim::LuaEngine lua;
    const ServerTranscript original = search::transcriptOf(protocol, plan, steps, lua);
    if (original.impossibleStep) {
        m_result.reason = "Step " + std::to_string(*original.impossibleStep + 1)
                          + " of the run is not possible.";
        return;
    }
    if (original.unrepeatable) {
        m_result.reason = "Only a simulated server can reproduce a "
                          + std::string(idOf(*original.unrepeatable)) + " at the right moment.";
        return;
    }
    m_result.violations = original.violations;
    for (const int speedFactor : kSpeedFactors) {
        Take take{speedFactor,
                  search::transcriptOf(protocol, search::spedUp(plan, speedFactor), steps, lua)};
        const bool isSame = !take.transcript.impossibleStep
                            && std::ranges::equal(take.transcript.violations, original.violations,
                                                  areAlike);
        if (isSame && take.transcript.margin >= kMarginMin) {
            m_takes.push_back(std::move(take));
        }
    }
    if (m_takes.empty()) {
        m_result.reason = "A request arrives at the exact moment at which a lease ends.";
    }
}

void RedisMirror::startServers(int count)
{
    for (int node = 0; node < count; ++node) {
        PrivateServer& server = *m_servers.emplace_back(std::make_unique<PrivateServer>());
        connect(&server, &PrivateServer::failed, this,
                [this](const QString& reason) { giveUp(Status::NoServer, reason.toStdString()); });
        connect(&server, &PrivateServer::ready, this, [this, count] {
            if (++m_readyCount == count) {
                m_task = async::BackgroundTask(m_executor, perform());
            }
        });
        // Blocked clients are answered by a timer of the server.
        server.start({QStringLiteral("--hz"), QStringLiteral("500"), QStringLiteral("--dynamic-hz"),
                      QStringLiteral("no")});
    }
}

/// A take that the machine held up for too long proves nothing: then a slower one is tried.
async::Task<void> RedisMirror::perform()
{
    const Instant startedAt = m_clock.now();
    for (const Take& take : m_takes) {
        co_await performOnce(take);
        const bool isDisturbed = m_lateness * 2 > take.transcript.margin;
        if (m_result.differences.empty() || !isDisturbed) {
            break;
        }
    }
    m_result.status = m_result.differences.empty() ? Status::Agrees : Status::Differs;
    m_result.realTime = m_clock.now() - startedAt;
    endSoon(); // not from inside the task
}

async::Task<void> RedisMirror::performOnce(const Take& take)
{
    m_result.differences.clear();
    m_result.exchangeCount = 0;
    m_result.speedFactor = take.speedFactor;
    m_begun.clear();
    m_listeners.clear();
    m_connections.clear();
    co_await connectAll(take.transcript);
    for (int node = 0; node < static_cast<int>(m_servers.size()); ++node) {
        co_await prepare(node);
    }
    m_lateness = Duration(0);
    const Instant beginning = m_clock.now();
    for (const Exchange& exchange : take.transcript.exchanges) {
        const Instant due = beginning + exchange.at.time_since_epoch();
        if (m_clock.now() < due) {
            co_await m_clock.wakeAt(due);
        }
        co_await carryOut(exchange);
        m_lateness = std::max(m_lateness, m_clock.now() - due);
    }
    const Instant end = beginning + take.transcript.virtualTime;
    if (m_clock.now() < end) {
        co_await m_clock.wakeAt(end);
    }
    co_await lookAtTheEnd(take.transcript);
}

/// All clients are connected before the run begins, so that none is late.
async::Task<void> RedisMirror::connectAll(const ServerTranscript& transcript)
{
    for (int node = 0; node < static_cast<int>(m_servers.size()); ++node) {
        connectionTo(operatorAt(node));
    }
    for (const Exchange& exchange : transcript.exchanges) {
        const bool isAsked = exchange.kind == Exchange::Kind::Ask
                             || exchange.kind == Exchange::Kind::Begin;
        if (isAsked && exchange.link.role != LinkRole::Channels) {
            const int client = exchange.isLate ? kMessenger : exchange.client;
            connectionTo({client, exchange.link.role, exchange.link.node});
        }
    }
    const Instant deadline = m_clock.now() + kPatience;
    for (const auto& [place, connection] : m_connections) {
        co_await async::before(m_executor, m_clock, deadline, connection->whenSettled());
    }
}

/// An empty server that has been in use: it knows the scripts.
async::Task<void> RedisMirror::prepare(int node)
{
    Connection& connection = connectionTo(operatorAt(node));
    Command flush("FLUSHALL");
    co_await connection.submit(std::move(flush));
    for (const store::Script& script : protocol::scripts::kAll) {
        Command load("SCRIPT", "LOAD", script.text);
        co_await connection.submit(std::move(load));
    }
}

RedisMirror::Place RedisMirror::operatorAt(int node)
{
    return {kOperator, LinkRole::Commands, node};
}

Connection& RedisMirror::connectionTo(const Place& place)
{
    auto& connection = m_connections[place];
    if (!connection) {
        const auto node = static_cast<std::size_t>(std::get<2>(place));
        connection = std::make_unique<Connection>(patientEndpointOf(*m_servers[node]), m_executor,
                                                  m_clock, Rng(1));
        connection->open();
    }
    return *connection;
}

async::Task<void> RedisMirror::carryOut(const Exchange& exchange)
{
    const int client = exchange.isLate ? kMessenger : exchange.client;
    switch (exchange.kind) {
    case Exchange::Kind::Ask: {
        const Place place(client, exchange.link.role, exchange.link.node);
        co_await ask(exchange, connectionTo(place));
        break;
    }
    case Exchange::Kind::Begin: begin(exchange); break;
    case Exchange::Kind::Hear: co_await hear(exchange); break;
    case Exchange::Kind::HangUp: hangUp(exchange); break;
    case Exchange::Kind::Direct: {
        Command command = exchange.command;
        Connection& connection = connectionTo(operatorAt(exchange.link.node));
        co_await connection.submit(std::move(command));
        break;
    }
    }
}

async::Task<void> RedisMirror::ask(const Exchange& exchange, store::Store& store)
{
    Command command = exchange.command;
    const Outcome outcome = co_await store.submit(std::move(command));
    compare(exchange, outcome);
}

void RedisMirror::begin(const Exchange& exchange)
{
    const Place place(exchange.client, exchange.link.role, exchange.link.node);
    if (exchange.link.role != LinkRole::Channels) {
        m_begun.insert_or_assign(place, connectionTo(place).submit(Command(exchange.command)));
        return;
    }
    auto& listeners = m_listeners[place];
    for (std::size_t i = 1; i < exchange.command.words.size(); ++i) {
        const Bytes& channel = exchange.command.words[i];
        // A client that comes back has ended its former subscription.
        std::erase_if(listeners,
                      [&channel](const auto& listener) { return listener->channel == channel; });
        const auto& server = *m_servers[static_cast<std::size_t>(exchange.link.node)];
        listeners.push_back(std::make_unique<ChannelListener>(patientEndpointOf(server), m_executor,
                                                              m_clock, channel));
    }
}

async::Task<void> RedisMirror::hear(const Exchange& exchange)
{
    if (exchange.link.role == LinkRole::Channels) {
        co_await hearMessage(exchange);
        co_return;
    }
    const auto begun = m_begun.find({exchange.client, exchange.link.role, exchange.link.node});
    if (begun == m_begun.end()) {
        Outcome nothing = store::Unreachable{};
        compare(exchange, nothing);
        co_return;
    }
    async::Pending<Outcome> pending = std::move(begun->second);
    m_begun.erase(begun);
    const Outcome outcome = co_await std::move(pending);
    compare(exchange, outcome);
}

async::Task<void> RedisMirror::hearMessage(const Exchange& exchange)
{
    const Bytes channel = channelIn(exchange.reply);
    const Place place(exchange.client, exchange.link.role, exchange.link.node);
    const auto& listeners = m_listeners[place];
    const auto listener = std::ranges::find_if(listeners, [&channel](const auto& candidate) {
        return candidate->channel == channel;
    });
    const Instant deadline = m_clock.now() + kPatience;
    std::optional<store::Notice> notice;
    while (listener != listeners.end() && m_clock.now() < deadline) {
        notice = (*listener)->subscription.takeNotice();
        if (notice) {
            break;
        }
        co_await (*listener)->bell.passBefore(m_clock, deadline);
    }
    const auto expected = noticeIn(exchange.reply);
    if (notice && notice == expected) {
        ++m_result.exchangeCount;
        co_return;
    }
    Outcome outcome = store::Unreachable{};
    if (notice) {
        outcome = replyOfNotice(*notice, channel);
    }
    compare(exchange, outcome);
}

void RedisMirror::hangUp(const Exchange& exchange)
{
    const Place place(exchange.client, exchange.link.role, exchange.link.node);
    m_begun.erase(place);
    m_connections.erase(place);
    m_listeners.erase(place);
}

async::Task<void> RedisMirror::lookAtTheEnd(const ServerTranscript& transcript)
{
    for (const search::Question& question : transcript.questions) {
        Command command = question.command;
        Connection& connection = connectionTo(operatorAt(question.node));
        const Outcome outcome = co_await connection.submit(std::move(command));
        const Reply* const real = replyOf(outcome);
        ++m_result.exchangeCount;
        if (real == nullptr || !agree(question.reply, *real)) {
            m_result.differences.push_back({std::nullopt, kOperator, question.node,
                                            question.command, question.reply,
                                            real != nullptr ? std::optional(*real) : std::nullopt});
        }
    }
}

void RedisMirror::compare(const Exchange& exchange, const Outcome& outcome)
{
    ++m_result.exchangeCount;
    const Reply* const real = replyOf(outcome);
    if (real != nullptr && agree(exchange.reply, *real)) {
        return;
    }
    m_result.differences.push_back({exchange.step, exchange.client, exchange.link.node,
                                    exchange.command, exchange.reply,
                                    real != nullptr ? std::optional(*real) : std::nullopt});
}

void RedisMirror::giveUp(Status status, std::string reason)
{
    m_result.status = status;
    m_result.reason = std::move(reason);
    endSoon();
}

void RedisMirror::endSoon()
{
    if (!std::exchange(m_isEnding, true)) {
        QTimer::singleShot(0, this, &RedisMirror::finish);
    }
}

void RedisMirror::finish()
{
    m_task = {};
    m_listeners.clear();
    m_begun.clear();
    m_connections.clear();
    for (const auto& server : m_servers) {
        server->disconnect(this);
    }
    m_servers.clear();
    Q_EMIT finished(m_result);
}

} // namespace lockscope::wire
