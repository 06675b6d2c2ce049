#include "core/wire/connection/subscriber.h"

#include "core/kernel/store/server_info.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace lockscope::wire {

using store::Command;
using store::Outcome;
using store::Problem;
using store::Reply;

namespace {

constexpr std::string_view kInvalidations = "__redis__:invalidate";
/// A server that is busy or loads refuses for now; a missing permission may be granted later.
constexpr Duration kRetryOfState = std::chrono::milliseconds(250);
constexpr Duration kRetryOfRefusal = std::chrono::seconds(5);

} // namespace

Subscriber::Subscriber(const store::Endpoint& endpoint, async::Executor& executor, Clock& clock,
                       Rng rng, QObject* parent)
    : QObject(parent),
      m_executor(executor),
      m_clock(clock),
      m_connection(endpoint, executor, clock, rng.split(), this),
      m_heartbeat(m_connection, executor, clock, rng.split(), this)
{
    m_connection.followMaster();
    connect(&m_connection, &Connection::stateChanged, this, &Subscriber::follow,
            Qt::QueuedConnection);
    connect(&m_connection, &Connection::messageReceived, this, &Subscriber::takeMessage);
}

void Subscriber::open()
{
    m_connection.open();
}

void Subscriber::close()
{
    m_setUp = {};
    m_heartbeat.stop();
    m_clientId = 0;
    m_connection.close();
}

void Subscriber::follow()
{
    if (m_connection.state() == Connection::State::Online) {
        m_setUp = async::BackgroundTask(m_executor, subscribe());
        return;
    }
    m_setUp = {};
    m_heartbeat.stop();
    if (m_connection.state() != Connection::State::Waiting) {
        return;
    }
    m_problem = m_connection.problem();
    m_isRefused = m_connection.nextAttempt() == Instant::max();
    if (std::exchange(m_clientId, 0) != 0 || m_isRefused) {
        Q_EMIT lost();
    }
}

async::Task<void> Subscriber::subscribe()
{
    m_isRefused = false;
    while (true) {
        Problem problem = co_await trySubscribing();
        if (problem.kind == Problem::Kind::None) {
            break;
        }
        if (m_connection.state() != Connection::State::Online) {
            co_return; // follow() hears of it
        }
        const bool isState = store::isStateOfServer(problem);
        const bool isNews = problem != m_problem;
        m_isRefused = !isState;
        m_problem = std::move(problem);
        if (isNews) {
            Q_EMIT lost();
        }
        co_await m_clock.wakeAt(m_clock.now() + (isState ? kRetryOfState : kRetryOfRefusal));
    }
    m_problem = {};
    m_isRefused = false;
    m_heartbeat.start();
    Q_EMIT ready();
}

async::Task<Problem> Subscriber::trySubscribing()
{
    Command askForId("CLIENT", "ID");
    const Outcome id = co_await m_connection.submit(std::move(askForId));
    if (auto problem = problemOf(id)) {
        co_return *problem;
    }
    m_patterns.clear();
    Command listen("SUBSCRIBE", kInvalidations);
    m_connection.expectMessages();
    const Outcome listening = co_await m_connection.submit(std::move(listen));
    if (auto problem = problemOf(listening)) {
        co_return *problem;
    }
    m_clientId = replyOf(id)->integer().value_or(0);
    co_return Problem();
}

/// The new patterns first, so that nothing is missed in between.
async::Task<Problem> Subscriber::listenToKeyspace(int database, std::vector<std::string> patterns)
{
    const std::string channel = "__keyspace@" + std::to_string(database) + "__:";
    std::vector<Command> commands;
    for (std::string& pattern : patterns) {
        pattern.insert(0, channel);
        commands.emplace_back("PSUBSCRIBE", pattern);
    }
    for (const std::string& former : m_patterns) {
        if (std::ranges::find(patterns, former) == patterns.end()) {
            commands.emplace_back("PUNSUBSCRIBE", former);
        }
    }
    m_patterns = std::move(patterns);
    const std::vector<Outcome> outcomes = co_await m_connection.submitAll(std::move(commands));
    for (const Outcome& outcome : outcomes) {
        if (auto problem = problemOf(outcome)) {
            co_return *problem;
        }
    }
    co_return Problem();
}

void Subscriber::takeMessage(const Reply& message)
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
