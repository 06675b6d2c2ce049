#include "core/wire/run/contention_worker.h"

#include "core/kernel/async/before.h"
#include "core/kernel/async/yield.h"

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
/// below 200 ms. If a contender has not released by then, its server is silent: it is dropped, and
/// its lock is left to its lease.
constexpr auto kFinishPatience = 2s;
constexpr Duration kConnectPatience = 10s;
constexpr std::int64_t kNoSuchKey = -2; // says PTTL
/// A program that died is started again after this long.
constexpr Duration kRestartAfter = 50ms;

} // namespace

/// A client that no server has seen, with connections of a contender that has ended.
struct ContentionWorker::FreshClient {
    explicit FreshClient(ContentionWorker& worker)
        : memory(worker.m_assignment.protocol->makeMemory()),
          contender({worker.m_slots.front()->client->nodes(), worker.m_executor, worker.m_clock,
                     noEvents},
                    {protocol::randomUuid(worker.m_rng), 1}, worker.m_assignment.firstContender,
                    worker.m_rng.split(), *memory)
    {}

    trace::NoEvents noEvents;
    std::unique_ptr<protocol::ClientMemory> memory;
    protocol::Contender contender;
    protocol::Grant grant;
};

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
    for (int i = 0; i < assignment.connectionCount; ++i) {
        m_sharedConnections.push_back(connectionsTo(m_assignment.servers, m_executor, m_clock,
                                                    m_rng));
    }
    for (int i = 0; i < assignment.contenderCount; ++i) {
        makeSlot(i);
    }
    m_tasks.start(waitForConnections());
}

std::unique_ptr<LockClient> ContentionWorker::makeClient(int index)
{
    std::vector<store::Channels*> channels;
    for (const auto& one : m_channels) {
        channels.push_back(one.get());
    }
    if (m_sharedConnections.empty()) {
        return std::make_unique<LockClient>(m_assignment.servers, channels, m_executor, m_clock,
                                            m_rng.split());
    }
    const std::size_t shared = static_cast<std::size_t>(index) % m_sharedConnections.size();
    return std::make_unique<LockClient>(m_sharedConnections[shared], channels, m_executor, m_clock,
                                        m_rng.split());
}

void ContentionWorker::makeSlot(int index)
{
    auto slot = std::make_unique<ClientSlot>();
    slot->id = m_assignment.firstContender + static_cast<trace::ContenderId>(index);
    slot->rng = m_rng.split();
    slot->process = std::make_unique<workload::Process>(m_executor, m_clock);
    slot->client = makeClient(index);
    slot->client->open();
    incarnate(*slot);
    m_slots.push_back(std::move(slot));
}

void ContentionWorker::incarnate(ClientSlot& slot)
{
    slot.life.reset();
    slot.contender.reset();
    slot.memory = m_assignment.protocol->makeMemory();
    protocol::ClientEnvironment environment{slot.client->nodes(), slot.process->executor(), m_clock,
                                            m_log};
    const protocol::Identity identity{protocol::randomUuid(slot.rng), ++slot.incarnation};
    m_introductions.push_back({identity, slot.id});
    slot.contender = std::make_unique<protocol::Contender>(std::move(environment), identity,
                                                           slot.id, slot.rng.split(), *slot.memory);
    const workload::ContenderLife::Setting setting{*m_assignment.protocol, m_assignment.scenario,
                                                   *m_assignment.page, *slot.process};
    slot.life = std::make_unique<workload::ContenderLife>(setting, *slot.contender);
}

async::Task<void> ContentionWorker::waitForConnections()
{
    const Instant deadline = m_clock.now() + kConnectPatience;
    for (const auto& slot : m_slots) {
        co_await async::before(m_executor, m_clock, deadline, slot->client->whenSettled());
    }
    // A Redlock set works with a server down: only a client that reaches no server is in the way.
    const auto reachesNobody = [](const auto& slot) {
        return std::none_of(slot->client->connections().begin(), slot->client->connections().end(),
                            [](const auto& connection) {
                                return connection->state() == Connection::State::Online;
                            });
    };
    const auto cutOff = std::find_if(m_slots.begin(), m_slots.end(), reachesNobody);
    if (cutOff != m_slots.end()) {
        Q_EMIT unprepared((*cutOff)->client->problem());
    } else {
        Q_EMIT prepared();
    }
}

void ContentionWorker::go()
{
    m_busySlotCount = m_slots.size();
    for (const auto& slot : m_slots) {
        slot->client->takeCommandCount();
        slot->supervisor = async::BackgroundTask(slot->process->executor(), supervise(*slot));
    }
    m_reportTimer.start();
}

async::Task<void> ContentionWorker::supervise(ClientSlot& slot)
{
    while (true) {
        const LifeEnd end = co_await slot.life->run();
        if (end == LifeEnd::Finished || m_isFinishing) {
            break;
        }
        slot.client->crash();
        co_await m_clock.wakeAt(m_clock.now() + kRestartAfter);
        co_await slot.client->whenSettled();
        if (m_isFinishing) {
            break;
        }
        incarnate(slot);
    }
    slotEnded();
}

void ContentionWorker::slotEnded()
{
    if (--m_busySlotCount == 0) {
        m_patienceTimer.stop();
        // Not from inside the slot's own task, which the receiver may destroy.
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
    for (const auto& slot : m_slots) {
        slot->life->park();
    }
}

void ContentionWorker::unpark()
{
    for (const auto& slot : m_slots) {
        slot->life->unpark();
    }
}

void ContentionWorker::finish()
{
    m_isFinishing = true;
    if (m_busySlotCount == 0) {
        Q_EMIT ended();
        return;
    }
    m_patienceTimer.start();
    for (const auto& slot : m_slots) {
        slot->life->finish();
    }
}

void ContentionWorker::drop()
{
    for (const auto& slot : m_slots) {
        slot->supervisor = {};
    }
    m_busySlotCount = 0;
    report();
    m_reportTimer.stop();
    Q_EMIT ended();
}

void ContentionWorker::lookForLeftovers()
{
    m_tasks.start(look());
}

/// Whether a lock is free its protocol has to say: a key may stay for a fence, or count what is
/// over. In a draw the winner keeps it on purpose.
async::Task<void> ContentionWorker::look()
{
    const bool isDraw = m_assignment.scenario.kind == workload::Scenario::Kind::Draw;
    const std::vector<Leftovers> there = co_await keysThere();
    std::vector<Leftover> left;
    for (const Leftovers& ofLock : there) {
        bool isFree = false;
        if (!isDraw) {
            isFree = co_await isOpen(ofLock.lock);
        }
        if (!isFree) {
            left.insert(left.end(), ofLock.keys.begin(), ofLock.keys.end());
        }
    }
    Q_EMIT looked(left);
}

/// A request for one try.
protocol::LockRequest ContentionWorker::freshRequestFor(int lock) const
{
    const bool hasModes = m_assignment.protocol->info().hasModes;
    protocol::LockRequest request = m_assignment.scenario.requestFor(lock);
    request.mode = hasModes ? protocol::Mode::Write : protocol::Mode::Exclusive;
    request.waitLimit = Duration(0);
    return request;
}

/// On any server, of the locks that have one.
async::Task<std::vector<ContentionWorker::Leftovers>> ContentionWorker::keysThere()
{
    const workload::Scenario& scenario = m_assignment.scenario;
    std::vector<Bytes> keys;
    for (int lock = 0; lock < scenario.keyCount; ++lock) {
        const Bytes key = scenario.keyAt(lock);
        keys.insert(keys.end(), {key, key + ":read", key + ":write"});
    }
    constexpr std::size_t kNames = 3; // of one lock
    std::vector<Leftovers> there;
    for (const auto& connection : m_slots.front()->client->connections()) {
        std::vector<Command> questions;
        questions.reserve(keys.size());
        for (const Bytes& key : keys) {
            questions.emplace_back("PTTL", key);
        }
        const std::vector<Outcome> outcomes = co_await connection->submitAll(std::move(questions));
        for (std::size_t i = 0; i < outcomes.size(); ++i) {
            const store::Reply* const reply = replyOf(outcomes[i]);
            const auto life = reply != nullptr ? reply->integer() : std::nullopt;
            if (!life || *life == kNoSuchKey) {
                continue;
            }
            const int lock = static_cast<int>(i / kNames);
            auto known = std::ranges::find(there, lock, &Leftovers::lock);
            if (known == there.end()) {
                known = there.insert(there.end(), {lock, {}});
            }
            if (std::ranges::find(known->keys, keys[i], &Leftover::key) == known->keys.end()) {
                known->keys.push_back({keys[i], *life >= 0});
            }
        }
    }
    co_return there;
}

/// Asks with as many clients as there are permits, each of which keeps its own: a permit that was
/// not given back is missing only to the last of them.
async::Task<bool> ContentionWorker::isOpen(int lock)
{
    const protocol::LockProtocol& protocol = *m_assignment.protocol;
    const int permits = protocol.info().hasPermits ? m_assignment.scenario.permits : 1;
    std::vector<std::unique_ptr<FreshClient>> holders;
    bool isGranted = true;
    while (isGranted && std::cmp_less(holders.size(), permits)) {
        auto fresh = std::make_unique<FreshClient>(*this);
        protocol::AcquireOutcome outcome = co_await protocol.acquire(fresh->contender,
                                                                     freshRequestFor(lock));
        const protocol::Grant* const grant = protocol::grantOf(outcome);
        isGranted = grant != nullptr;
        if (isGranted) {
            fresh->grant = *grant;
            holders.push_back(std::move(fresh));
        }
    }
    for (const auto& holder : holders) {
        co_await protocol.release(holder->contender, holder->grant);
    }
    co_return isGranted;
}

workload::ContenderStatus ContentionWorker::statusOf(const ClientSlot& slot) const
{
    workload::ContenderStatus status;
    status.id = slot.id;
    status.activity = slot.life->activity();
    status.lock = slot.life->lock();
    status.since = slot.life->since();
    status.acquisitions = slot.acquisitionCount;
    return status;
}

void ContentionWorker::countAcquisitions(const std::vector<trace::Event>& events)
{
    for (const trace::Event& event : events) {
        if (event.kind == trace::EventKind::Granted) {
            ++m_slots[event.contender - m_assignment.firstContender]->acquisitionCount;
        }
    }
}

void ContentionWorker::report()
{
    WorkerReport report;
    report.until = m_clock.now();
    report.events = m_log.takeEvents();
    report.introductions = std::exchange(m_introductions, {});
    countAcquisitions(report.events);
    report.contenders.reserve(m_slots.size());
    for (const auto& slot : m_slots) {
        report.contenders.push_back(statusOf(*slot));
        report.commandCount += slot->client->takeCommandCount();
        if (!report.refusal) {
            report.refusal = slot->life->refusal();
        }
    }
    Q_EMIT reported(report);
}

} // namespace lockscope::wire
