#include "subscriber.h"

#include <string_view>
#include <utility>

namespace lockscope::wire {

using store::Command;
using store::Outcome;
using store::Problem;
using store::Reply;

namespace {

constexpr std::string_view kInvalidations = "__redis__:invalidate";
/// A subscription is silent while nothing changes; only a PING tells silence from a dead line.
constexpr Duration kPingInterval = std::chrono::seconds(10);

} // namespace

Subscriber::Subscriber(const store::Endpoint& endpoint, async::Executor& executor, Clock& clock,
                       Rng rng, QObject* parent)
    : QObject(parent),
      m_executor(executor),
      m_clock(clock),
      m_connection(endpoint, executor, clock, rng, this)
{
    connect(&m_connection, &Connection::stateChanged, this, &Subscriber::follow,
            Qt::QueuedConnection);
    connect(&m_connection, &Connection::messageReceived, this, &Subscriber::take);
}

void Subscriber::open()
{
    m_connection.open();
}

void Subscriber::close()
{
    m_setUp = {};
    m_keepAlive = {};
    m_clientId = 0;
    m_connection.close();
}

void Subscriber::follow()
{
    if (m_connection.state() == Connection::State::Online) {
        m_setUp = async::BackgroundTask(m_executor, subscribe());
        return;
    }
    m_keepAlive = {};
    if (m_connection.state() != Connection::State::Waiting) {
        return;
    }
    m_problem = m_connection.problem();
    if (std::exchange(m_clientId, 0) != 0) {
        Q_EMIT lost();
    }
}

async::Task<void> Subscriber::subscribe()
{
    m_isRefused = false;
    Command askForId("CLIENT", "ID");
    const Outcome id = co_await m_connection.submit(std::move(askForId));
    Command listen("SUBSCRIBE", kInvalidations);
    m_connection.expectMessages();
    const Outcome listening = co_await m_connection.submit(std::move(listen));
    for (const Outcome* outcome : {&id, &listening}) {
        if (auto problem = problemOf(*outcome)) {
            m_problem = std::move(*problem);
            m_isRefused = std::holds_alternative<Reply>(*outcome);
            Q_EMIT lost();
            co_return;
        }
    }
    m_problem = {};
    m_clientId = replyOf(id)->integer().value_or(0);
    m_keepAlive = async::BackgroundTask(m_executor, keepAlive());
    Q_EMIT ready();
}

async::Task<void> Subscriber::keepAlive()
{
    while (true) {
        co_await m_clock.wakeAt(m_clock.now() + kPingInterval);
        Command ping("PING");
        co_await m_connection.submit(std::move(ping));
    }
}

async::Task<Problem> Subscriber::listenToKeyspace(int database)
{
    Command command("PSUBSCRIBE", "__keyspace@" + std::to_string(database) + "__:*");
    const Outcome outcome = co_await m_connection.submit(std::move(command));
    co_return problemOf(outcome).value_or(Problem());
}

void Subscriber::take(const Reply& message)
{
    const Reply::Array& parts = *message.array();
    if (*parts.front().text() == "pmessage") {
        const std::string* const channel = parts[2].text();
        const std::size_t colon = channel != nullptr ? channel->find(':') : std::string::npos;
        if (colon != std::string::npos) {
            Q_EMIT keysChanged({channel->substr(colon + 1)});
        }
        return;
    }
    const Reply::Array* const names = parts[2].array();
    if (names == nullptr) {
        Q_EMIT everythingChanged();
        return;
    }
    std::vector<Bytes> keys;
    keys.reserve(names->size());
    for (const Reply& name : *names) {
        if (const std::string* const key = name.text()) {
            keys.push_back(*key);
        }
    }
    Q_EMIT keysChanged(keys);
}

} // namespace lockscope::wire
