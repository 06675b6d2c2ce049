#include "core/wire/connection/heartbeat.h"

#include "core/kernel/store/server_info.h"

#include <algorithm>
#include <utility>

namespace lockscope::wire {

using store::Command;
using store::Outcome;
using store::Problem;

namespace {

using namespace std::chrono_literals;

/// Together with the longest patience less than two seconds: so long at most a server can be gone
/// without our saying so. A PING costs the server about a microsecond.
constexpr Duration kInterval = 500ms;
/// An answer that takes several times as long as usual is missed; on a fast line even a server that
/// is busy for a moment is no news.
constexpr Duration kLeastPatience = 600ms;
constexpr Duration kMostPatience = 1400ms;
constexpr int kRoundTripsOfPatience = 4;
/// When our own event loop was held up, the answer may lie in the socket.
constexpr Duration kLateness = 50ms;
/// What was sent into a line that was cut does not come back when it is mended: then it takes a new
/// attempt to see that. The former ones go on, because a login may take longer than this, and the
/// first one to its end: it may take longer than all of them together.
constexpr Duration kProbeInterval = 1s;
constexpr std::size_t kProbesMax = 4;
/// A server that was silent and answers again does so on all connections, one soon after the other.
constexpr auto kGrace = 150ms;

std::chrono::milliseconds untilTimer(Duration time)
{
    return std::chrono::ceil<std::chrono::milliseconds>(time);
}

} // namespace

Heartbeat::Heartbeat(Connection& connection, async::Executor& executor, Clock& clock, Rng rng,
                     QObject* parent)
    : QObject(parent),
      m_connection(connection),
      m_executor(executor),
      m_clock(clock),
      m_rng(rng),
      m_missTimer(this),
      m_judgement(this)
{
    m_missTimer.setSingleShot(true);
    m_judgement.setSingleShot(true);
    connect(&m_missTimer, &QTimer::timeout, this, &Heartbeat::miss);
    connect(&m_judgement, &QTimer::timeout, this, &Heartbeat::judge);
}

Heartbeat::~Heartbeat()
{
    stop();
}

void Heartbeat::start()
{
    m_problem = {};
    m_roundTrip = m_connection.roundTrip();
    m_beat = async::BackgroundTask(m_executor, beat());
}

void Heartbeat::stop()
{
    m_beat = {};
    m_missTimer.stop();
    dropProbes();
}

async::Task<void> Heartbeat::beat()
{
    while (true) {
        m_askedAt = m_clock.now();
        m_missedAt = m_askedAt + patience();
        m_missTimer.start(untilTimer(patience()));
        Command ping("PING");
        const Outcome outcome = co_await m_connection.submit(std::move(ping));
        if (store::replyOf(outcome) != nullptr) { // any answer is a sign of life
            m_missTimer.stop();
            dropProbes();
            m_roundTrip = m_clock.now() - m_askedAt;
            const Problem problem = problemOf(outcome).value_or(Problem());
            setProblem(store::isStateOfServer(problem) ? problem : Problem());
        }
        co_await m_clock.wakeAt(std::max(m_clock.now(), m_askedAt + kInterval));
    }
}

Duration Heartbeat::patience() const
{
    return std::clamp(kRoundTripsOfPatience * m_roundTrip, kLeastPatience, kMostPatience);
}

void Heartbeat::miss()
{
    if (m_clock.now() - m_missedAt > kLateness) {
        m_missedAt = m_clock.now() + kLateness;
        m_missTimer.start(untilTimer(kLateness));
        return;
    }
    const bool isRefused = !m_probes.empty() && m_probes.back()->nextAttempt() == Instant::max();
    if (!m_judgement.isActive() && !isRefused) {
        probe();
    }
    m_missedAt = m_clock.now() + kProbeInterval;
    m_missTimer.start(untilTimer(kProbeInterval));
    setProblem({Problem::Kind::ReplyTimedOut, {}, {}, {}});
}

void Heartbeat::probe()
{
    if (m_probes.size() == kProbesMax) {
        m_probes[1]->disconnect(this);
        m_probes.erase(m_probes.begin() + 1);
    }
    const auto& attempt = m_probes.emplace_back(std::make_unique<Connection>(m_connection.place(),
                                                                             m_executor, m_clock,
                                                                             m_rng.split()));
    connect(attempt.get(), &Connection::stateChanged, this, [this, from = attempt.get()] {
        if (from->state() == Connection::State::Online) {
            m_judgement.start(kGrace);
        }
    });
    attempt->open();
}

/// The server has answered elsewhere meanwhile. A slow line is not a dead one: then bytes still
/// come.
void Heartbeat::judge()
{
    dropProbes();
    if (m_connection.lastReceived() < m_askedAt) {
        m_connection.giveUp({Problem::Kind::ConnectionLost,
                             "the server replies, but no longer on this connection",
                             {},
                             {}});
    }
}

void Heartbeat::dropProbes()
{
    m_judgement.stop();
    for (const std::unique_ptr<Connection>& attempt : std::exchange(m_probes, {})) {
        attempt->disconnect(this);
    }
}

void Heartbeat::setProblem(const Problem& problem)
{
    if (problem != m_problem) {
        m_problem = problem;
        Q_EMIT changed();
    }
}

} // namespace lockscope::wire
