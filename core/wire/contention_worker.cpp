#include "contention_worker.h"

#include "async/before.h"
#include "async/yield.h"

#include <algorithm>
#include <utility>

namespace lockscope::wire {

using namespace std::chrono_literals;
using store::Command;
using store::Outcome;
using workload::Leftover;
using workload::LifeEnd;

namespace {

constexpr auto kReportInterval = 50ms;
/// Releasing takes as long as a busy server needs for the answers that are under way, which is well
/// below 200 ms. Whoever has not released by then has a server that is silent: it is dropped, and
/// its lock is left to its lease.
constexpr auto kFinishPatience = 2s;
constexpr Duration kConnectPatience = 10s;
constexpr std::int64_t kNoSuchKey = -2; // says PTTL
/// A program that died is started again after this long.
constexpr Duration kRestartAfter = 50ms;

} // namespace

ContentionWorker::ContentionWorker()
    : m_executor(this),
      m_clock(this),
      m_reportTimer(this),
      m_patienceTimer(this),
      m_tasks(m_executor)
{
    m_reportTimer.setInterval(kReportInterval);
    m_patienceTimer.setSingleShot(true);
    m_patienceTimer.setInterval(kFinishPatience);
    connect(&m_reportTimer, &QTimer::timeout, this, &ContentionWorker::report);
    connect(&m_patienceTimer, &QTimer::timeout, this, &ContentionWorker::drop);
}

ContentionWorker::~ContentionWorker() = default;

void ContentionWorker::prepare(const Assignment& assignment)
{
    m_assignment = assignment;
    m_rng = Rng(assignment.seed);
    for (const store::Endpoint& endpoint : assignment.servers) {
        m_channels.push_back(std::make_unique<RedisChannels>(endpoint, m_executor, m_clock,
                                                             m_rng.split()));
    }
    for (int i = 0; i < assignment.contenderCount; ++i) {
        makeSeat(i);
    }
    m_tasks.start(waitForConnections());
}

void ContentionWorker::makeSeat(int index)
{
    std::vector<store::Channels*> channels;
    for (const auto& one : m_channels) {
        channels.push_back(one.get());
    }
    auto seat = std::make_unique<Seat>();
    seat->id = m_assignment.firstContender + static_cast<trace::ContenderId>(index);
    seat->rng = m_rng.split();
    seat->process = std::make_unique<workload::Process>(m_executor, m_clock);
    seat->client = std::make_unique<LockClient>(m_assignment.servers, channels, m_executor, m_clock,
                                                m_rng.split());
    seat->client->open();
    incarnate(*seat);
    m_seats.push_back(std::move(seat));
}

void ContentionWorker::incarnate(Seat& seat)
{
    seat.life.reset();
    seat.contender.reset();
    seat.memory = m_assignment.protocol->makeMemory();
    protocol::Surroundings surroundings{seat.client->nodes(), seat.process->executor(), m_clock,
                                        m_log};
    const protocol::Identity identity{protocol::randomUuid(seat.rng), ++seat.incarnation};
    m_introductions.push_back({identity, seat.id});
    seat.contender = std::make_unique<protocol::Contender>(std::move(surroundings), identity,
                                                           seat.id, seat.rng.split(), *seat.memory);
    const workload::ContenderLife::Setting setting{*m_assignment.protocol, m_assignment.scenario,
                                                   *m_assignment.page, *seat.process};
    seat.life = std::make_unique<workload::ContenderLife>(setting, *seat.contender);
}

async::Task<void> ContentionWorker::waitForConnections()
{
    const Instant deadline = m_clock.now() + kConnectPatience;
    for (const auto& seat : m_seats) {
        co_await async::before(m_executor, m_clock, deadline, seat->client->whenSettled());
    }
    // A Redlock set works with a server down, so only a client that reaches nobody is in the way.
    const auto reachesNobody = [](const auto& seat) {
        return std::none_of(seat->client->connections().begin(), seat->client->connections().end(),
                            [](const auto& connection) {
                                return connection->state() == Connection::State::Online;
                            });
    };
    const auto cutOff = std::find_if(m_seats.begin(), m_seats.end(), reachesNobody);
    if (cutOff != m_seats.end()) {
        Q_EMIT unprepared((*cutOff)->client->problem());
    } else {
        Q_EMIT prepared();
    }
}

void ContentionWorker::go()
{
    m_busySeatCount = m_seats.size();
    for (const auto& seat : m_seats) {
        seat->client->takeCommandCount();
        seat->supervisor = async::BackgroundTask(seat->process->executor(), supervise(*seat));
    }
    m_reportTimer.start();
}

async::Task<void> ContentionWorker::supervise(Seat& seat)
{
    while (true) {
        const LifeEnd end = co_await seat.life->run();
        if (end == LifeEnd::Finished || m_isFinishing) {
            break;
        }
        seat.client->crash();
        co_await m_clock.wakeAt(m_clock.now() + kRestartAfter);
        co_await seat.client->whenSettled();
        if (m_isFinishing) {
            break;
        }
        incarnate(seat);
    }
    seatEnded();
}

void ContentionWorker::seatEnded()
{
    if (--m_busySeatCount == 0) {
        m_patienceTimer.stop();
        // Not from inside the seat's own task, which whoever hears it may destroy.
        QMetaObject::invokeMethod(
            this,
            [this] {
                report();
                m_reportTimer.stop();
                Q_EMIT ended();
            },
            Qt::QueuedConnection);
    }
}

void ContentionWorker::park()
{
    for (const auto& seat : m_seats) {
        seat->life->park();
    }
}

void ContentionWorker::unpark()
{
    for (const auto& seat : m_seats) {
        seat->life->unpark();
    }
}

void ContentionWorker::finish()
{
    m_isFinishing = true;
    if (m_busySeatCount == 0) {
        Q_EMIT ended();
        return;
    }
    m_patienceTimer.start();
    for (const auto& seat : m_seats) {
        seat->life->finish();
    }
}

void ContentionWorker::drop()
{
    for (const auto& seat : m_seats) {
        seat->supervisor = {};
    }
    m_busySeatCount = 0;
    report();
    m_reportTimer.stop();
    Q_EMIT ended();
}

void ContentionWorker::lookFor(const std::vector<Bytes>& keys)
{
    m_tasks.start(look(keys));
}

async::Task<void> ContentionWorker::look(std::vector<Bytes> keys)
{
    std::vector<Leftover> there;
    for (const auto& connection : m_seats.front()->client->connections()) {
        std::vector<Command> questions;
        questions.reserve(keys.size());
        for (const Bytes& key : keys) {
            questions.emplace_back("PTTL", key);
        }
        const std::vector<Outcome> outcomes = co_await connection->submitAll(std::move(questions));
        for (std::size_t i = 0; i < outcomes.size(); ++i) {
            const store::Reply* const reply = replyOf(outcomes[i]);
            const auto left = reply != nullptr ? reply->integer() : std::nullopt;
            const bool isThere = left && *left != kNoSuchKey;
            if (isThere && std::ranges::find(there, keys[i], &Leftover::key) == there.end()) {
                there.push_back({keys[i], *left >= 0});
            }
        }
    }
    Q_EMIT looked(there);
}

service::ContenderGlance ContentionWorker::glanceAt(const Seat& seat) const
{
    service::ContenderGlance glance;
    glance.id = seat.id;
    glance.activity = seat.life->activity();
    glance.lock = seat.life->lock();
    glance.since = seat.life->since();
    glance.acquisitions = seat.acquisitionCount;
    return glance;
}

void ContentionWorker::countAcquisitions(const std::vector<trace::Event>& events)
{
    for (const trace::Event& event : events) {
        if (event.kind == trace::EventKind::Granted) {
            ++m_seats[event.contender - m_assignment.firstContender]->acquisitionCount;
        }
    }
}

void ContentionWorker::report()
{
    WorkerReport report;
    report.until = m_clock.now();
    report.events = m_log.take();
    report.introductions = std::exchange(m_introductions, {});
    countAcquisitions(report.events);
    report.contenders.reserve(m_seats.size());
    for (const auto& seat : m_seats) {
        report.contenders.push_back(glanceAt(*seat));
        report.commandCount += seat->client->takeCommandCount();
    }
    Q_EMIT reported(report);
}

} // namespace lockscope::wire
