#include "core/wire/connection/master_finder.h"

#include "core/wire/connection/heartbeat.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace lockscope::wire {

using store::Command;
using store::Outcome;
using store::Problem;
using store::SentinelAnswer;

namespace {

using namespace std::chrono_literals;

/// For the other answers, once there is one that names a master.
constexpr Duration kGrace = 250ms;
/// A Sentinel has little to do and answers at once.
constexpr Duration kAnswerPatience = 2s;

store::Endpoint endpointOf(const store::HostPort& sentinel, const store::Endpoint& endpoint)
{
    store::Endpoint place;
    place.transport = endpoint.transport;
    place.host = sentinel.host;
    place.port = sentinel.port;
    place.tls = endpoint.tls;
    place.keyPassphrase = endpoint.keyPassphrase;
    place.sshHost = endpoint.sshHost;
    place.user = endpoint.sentinels.user;
    place.password = endpoint.sentinelPassword;
    place.connectTimeout = endpoint.connectTimeout;
    place.requestTimeout = std::min(endpoint.requestTimeout, kAnswerPatience);
    return place;
}

} // namespace

MasterFinder::MasterFinder(const store::Endpoint& endpoint, async::Executor& executor, Clock& clock,
                           Rng rng)
    : m_executor(executor),
      m_clock(clock),
      m_set(endpoint.sentinels),
      m_patience(endpoint.connectTimeout),
      m_tasks(executor)
{
    for (const store::HostPort& sentinel : m_set.hosts) {
        addSentinel(endpointOf(sentinel, endpoint), rng);
    }
}

MasterFinder::~MasterFinder() = default;

void MasterFinder::addSentinel(const store::Endpoint& place, Rng& rng)
{
    const auto& sentinel = m_sentinels.emplace_back(std::make_unique<Connection>(place, m_executor,
                                                                                 m_clock,
                                                                                 rng.split()));
    const auto& heartbeat = m_heartbeats.emplace_back(
        std::make_unique<Heartbeat>(*sentinel, m_executor, m_clock, rng.split()));
    // Queued, so that no coroutine is destroyed from inside a call that it made itself.
    QObject::connect(
        sentinel.get(), &Connection::stateChanged, heartbeat.get(),
        [from = sentinel.get(), beat = heartbeat.get()] {
            if (from->state() == Connection::State::Online) {
                beat->start();
            } else {
                beat->stop();
            }
        },
        Qt::QueuedConnection);
}

void MasterFinder::rest()
{
    m_tasks.cancelAll();
    for (const auto& sentinel : m_sentinels) {
        sentinel->close();
    }
}

/// Who waits for the next attempt has to wait no longer; a refused password is not tried again.
void MasterFinder::wake(Connection& sentinel)
{
    const bool isWaiting = sentinel.state() == Connection::State::Waiting
                           && sentinel.nextAttempt() != Instant::max();
    if (isWaiting || sentinel.state() == Connection::State::Closed) {
        sentinel.open();
    }
}

async::Task<MasterFinder::Found> MasterFinder::find()
{
    const auto round = std::make_shared<Round>();
    const Problem silence{Problem::Kind::ReplyTimedOut, "no reply", {}, {}};
    for (const store::HostPort& host : m_set.hosts) {
        SentinelAnswer& answer = round->answers.emplace_back();
        answer.sentinel = host;
        answer.problem = silence;
    }
    round->openCount = m_sentinels.size();
    for (std::size_t i = 0; i < m_sentinels.size(); ++i) {
        wake(*m_sentinels[i]);
        m_tasks.start(ask(i, round));
    }
    Instant deadline = m_clock.now() + m_patience;
    bool isInGrace = false;
    while (round->openCount > 0 && m_clock.now() < deadline) {
        co_await round->news.passBefore(m_clock, deadline);
        if (round->hasMaster && !std::exchange(isInGrace, true)) {
            deadline = std::min(deadline, m_clock.now() + kGrace);
        }
    }
    Found found = store::masterOf(m_set, round->answers, m_known);
    if (const auto* const master = std::get_if<store::MasterLocation>(&found)) {
        m_known = *master;
    }
    co_return found;
}

async::Task<void> MasterFinder::ask(std::size_t index, std::shared_ptr<Round> round)
{
    SentinelAnswer answer = co_await answerOf(index);
    round->hasMaster = round->hasMaster || answer.master.has_value();
    round->answers[index] = std::move(answer);
    --round->openCount;
    round->news.open();
}

async::Task<SentinelAnswer> MasterFinder::answerOf(std::size_t index)
{
    Connection& sentinel = *m_sentinels[index];
    SentinelAnswer answer;
    answer.sentinel = m_set.hosts[index];
    answer.problem = co_await sentinel.whenSettled();
    if (answer.problem.kind != Problem::Kind::None) {
        co_return answer;
    }
    std::vector<Command> questions = store::questionsAboutMaster(m_set.masterName);
    const std::vector<Outcome> outcomes = co_await sentinel.submitAll(std::move(questions));
    answer = store::sentinelAnswerOf(m_set.hosts[index], outcomes);
    if (answer.problem.kind == Problem::Kind::None && !answer.master) {
        Command question("SENTINEL", "masters");
        const Outcome masters = co_await sentinel.submit(std::move(question));
        answer.knownNames = store::masterNamesOf(masters);
    }
    co_return answer;
}

} // namespace lockscope::wire
