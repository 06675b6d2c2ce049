#include "core/wire/watch/lock_client.h"

#include "core/kernel/async/before.h"

#include <algorithm>
#include <utility>

namespace lockscope::wire {

using store::Command;
using store::Outcome;
using store::Problem;

namespace {

/// Longer than any protocol lets the server keep a command waiting.
constexpr Duration kBlockingTimeout = std::chrono::minutes(2);
/// How long a first command waits for its connection before it counts as never sent.
constexpr Duration kConnectPatience = std::chrono::seconds(2);

} // namespace

store::Endpoint blockingEndpointOf(store::Endpoint endpoint)
{
    endpoint.requestTimeout = kBlockingTimeout;
    return endpoint;
}

BlockingStore::BlockingStore(store::Endpoint endpoint, async::Executor& executor, Clock& clock,
                             Rng rng)
    : m_connection(blockingEndpointOf(std::move(endpoint)), executor, clock, rng),
      m_executor(executor),
      m_clock(clock),
      m_tasks(executor)
{}

async::Task<void> BlockingStore::waitForConnection()
{
    if (m_connection.state() == Connection::State::Closed) {
        m_connection.open();
    }
    const Instant deadline = m_clock.now() + kConnectPatience;
    co_await async::before(m_executor, m_clock, deadline, m_connection.whenSettled());
}

async::Task<void> BlockingStore::sendWhenOnline(Command command,
                                                async::Completer<Outcome> completer)
{
    co_await waitForConnection();
    completer.complete(co_await m_connection.submit(std::move(command)));
}

async::Task<void> BlockingStore::sendAllWhenOnline(std::vector<Command> commands,
                                                   async::Completer<std::vector<Outcome>> completer)
{
    co_await waitForConnection();
    completer.complete(co_await m_connection.submitAll(std::move(commands)));
}

async::Pending<Outcome> BlockingStore::submit(Command command)
{
    ++m_commandCount;
    if (m_connection.state() == Connection::State::Online) {
        return m_connection.submit(std::move(command));
    }
    async::Completer<Outcome> completer;
    auto pending = completer.pending();
    m_tasks.start(sendWhenOnline(std::move(command), std::move(completer)));
    return pending;
}

async::Pending<std::vector<Outcome>> BlockingStore::submitAll(std::vector<Command> commands)
{
    m_commandCount += commands.size();
    if (m_connection.state() == Connection::State::Online) {
        return m_connection.submitAll(std::move(commands));
    }
    async::Completer<std::vector<Outcome>> completer;
    auto pending = completer.pending();
    m_tasks.start(sendAllWhenOnline(std::move(commands), std::move(completer)));
    return pending;
}

Connections connectionsTo(const std::vector<store::Endpoint>& endpoints, async::Executor& executor,
                          Clock& clock, Rng& rng)
{
    Connections connections;
    for (const store::Endpoint& endpoint : endpoints) {
        connections.push_back(std::make_shared<Connection>(endpoint, executor, clock, rng.split()));
    }
    return connections;
}

LockClient::LockClient(const std::vector<store::Endpoint>& endpoints,
                       const std::vector<store::Channels*>& channels, async::Executor& executor,
                       Clock& clock, Rng rng)
    : LockClient(connectionsTo(endpoints, executor, clock, rng), channels, executor, clock,
                 rng.split())
{
    m_sharesConnections = false;
}

LockClient::LockClient(Connections shared, const std::vector<store::Channels*>& channels,
                       async::Executor& executor, Clock& clock, Rng rng)
    : m_connections(std::move(shared)),
      m_sharesConnections(true),
      m_channels(channels)
{
    for (const auto& connection : m_connections) {
        m_blocking.push_back(std::make_unique<BlockingStore>(connection->endpoint(), executor,
                                                             clock, rng.split()));
    }
}

std::vector<store::Node> LockClient::nodes() const
{
    std::vector<store::Node> nodes;
    for (std::size_t i = 0; i < m_connections.size(); ++i) {
        nodes.push_back({*m_connections[i], *m_blocking[i], *m_channels[i]});
    }
    return nodes;
}

void LockClient::followMaster()
{
    for (const auto& connection : m_connections) {
        connection->followMaster();
    }
}

void LockClient::open()
{
    for (const auto& connection : m_connections) {
        connection->open();
    }
}

async::Task<Problem> LockClient::whenSettled()
{
    for (const auto& connection : m_connections) {
        co_await connection->whenSettled();
    }
    co_return problem();
}

bool LockClient::isOnline() const
{
    return std::all_of(m_connections.begin(), m_connections.end(), [](const auto& connection) {
        return connection->state() == Connection::State::Online;
    });
}

Problem LockClient::problem() const
{
    for (const auto& connection : m_connections) {
        if (connection->state() != Connection::State::Online) {
            return connection->problem();
        }
    }
    return {};
}

void LockClient::crash()
{
    if (m_sharesConnections) {
        return;
    }
    for (const auto& connection : m_connections) {
        connection->close();
        connection->open();
    }
}

std::uint64_t LockClient::takeCommandCount()
{
    std::uint64_t count = 0;
    for (const auto& connection : m_connections) {
        count += connection->takeTraffic().commandCount;
    }
    for (const auto& blocking : m_blocking) {
        count += blocking->takeCommandCount();
    }
    return count;
}

} // namespace lockscope::wire
