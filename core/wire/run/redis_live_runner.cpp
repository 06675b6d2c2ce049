#include "core/wire/run/redis_live_runner.h"

#include "core/kernel/protocol/builtin/rw_steps.h"
#include "core/wire/entropy.h"
#include "core/wire/file_limit.h"
#include "core/wire/loop_clock.h"

#include <algorithm>
#include <utility>

namespace lockscope::wire {

using namespace std::chrono_literals;
using store::Problem;
using workload::LiveRunOrder;

namespace {

constexpr auto kTick = 100ms;
constexpr std::size_t kEventsMax = 4'000'000;
constexpr Duration kRateWindow = 1s;

/// Two runs on one server must not meet, and what one left behind must not block the next.
Bytes uniquePrefix(const Bytes& prefix)
{
    const std::uint64_t number = freshSeed() % 0x10000;
    return prefix + '-' + QString::number(number, 16).rightJustified(4, u'0').toStdString();
}

/// The keys of a lock that say who stands in it.
inspect::KeyGroup keysOf(const protocol::ProtocolInfo& info, const Bytes& key)
{
    using namespace protocol::builtin;
    if (info.hasKeyPerSide()) {
        return {key, {readKeyOf(key), writeKeyOf(key)}};
    }
    return {key, {key}};
}

/// How many of them the one with this index gets when `count` are dealt out evenly.
int partOf(int count, int index, int parts)
{
    return count / parts + (index < count % parts ? 1 : 0);
}

bool isEarlier(const trace::Event& a, const trace::Event& b)
{
    return a.at < b.at;
}

} // namespace

RedisLiveRunner::RedisLiveRunner(QObject* parent) : LiveRunner(parent), m_ticker(this)
{
    qRegisterMetaType<WorkerReport>("lockscope::wire::WorkerReport");
    m_ticker.setInterval(kTick);
    connect(&m_ticker, &QTimer::timeout, this, &RedisLiveRunner::tick);
}

RedisLiveRunner::~RedisLiveRunner()
{
    dismiss();
}

void RedisLiveRunner::start(const LiveRunOrder& order)
{
    dismiss();
    raiseFileLimit();
    m_order = order;
    m_order.scenario.keyPrefix = uniquePrefix(order.scenario.keyPrefix);
    m_progress = {};
    m_progress.duration = order.scenario.duration;
    m_progress.keyPrefix = m_order.scenario.keyPrefix;
    m_progress.statistics.acquisitionsOf.resize(
        static_cast<std::size_t>(order.scenario.contenderCount));
    m_events.clear();
    m_serverHolds = {};
    m_rateSamples.clear();
    m_runBefore = Duration(0);
    m_collector = std::make_unique<trace::StatisticsCollector>(order.scenario.contenderCount,
                                                               order.scenario.permits);
    setPhase(Phase::Starting);
    if (m_order.servers.empty()) {
        startPrivateServers();
    } else {
        employ();
    }
}

void RedisLiveRunner::startPrivateServers()
{
    for (int i = 0; i < std::max(m_order.privateServerCount, 1); ++i) {
        auto server = std::make_unique<PrivateServer>();
        connect(server.get(), &PrivateServer::ready, this, &RedisLiveRunner::privateServerReady);
        connect(server.get(), &PrivateServer::failed, this, [this](const QString& reason) {
            fail({Problem::Kind::NotConnected, reason.toStdString(), {}, {}});
        });
        server->start();
        m_privateServers.push_back(std::move(server));
    }
}

void RedisLiveRunner::privateServerReady()
{
    const auto isReady = [](const auto& server) { return server->isReady(); };
    if (!std::all_of(m_privateServers.begin(), m_privateServers.end(), isReady)) {
        return;
    }
    for (const auto& server : m_privateServers) {
        m_order.servers.push_back(server->endpoint());
    }
    employ();
}

void RedisLiveRunner::employ()
{
    m_progress.servers = m_order.servers;
    const workload::Scenario& scenario = m_order.scenario;
    m_page = std::make_shared<workload::SharedPage>(scenario.keyCount, scenario.permits);
    // A connection belongs to one thread.
    const int connectionCount = scenario.sharesConnections() ? scenario.connectionCount : 0;
    const int workerSlotsMax = connectionCount > 0 ? connectionCount : scenario.contenderCount;
    const int workerSlotCount = std::clamp(m_order.threadCount, 1, workerSlotsMax);
    Rng rng(scenario.seed);
    m_workerSlots.resize(static_cast<std::size_t>(workerSlotCount));
    int assigned = 0;
    for (int i = 0; i < workerSlotCount; ++i) {
        Assignment assignment;
        assignment.scenario = scenario;
        assignment.protocol = m_order.protocol;
        assignment.servers = m_order.servers;
        assignment.page = m_page;
        assignment.firstContender = static_cast<trace::ContenderId>(assigned);
        assignment.contenderCount = partOf(scenario.contenderCount, i, workerSlotCount);
        assignment.connectionCount = partOf(connectionCount, i, workerSlotCount);
        assignment.seed = rng.next();
        assigned += assignment.contenderCount;
        const auto index = static_cast<std::size_t>(i);
        m_workerSlots[index].worker = std::make_unique<WorkerThread<ContentionWorker>>(
            QStringLiteral("contenders %1").arg(i + 1));
        connectWorker(index);
        m_workerSlots[index].worker->post([assignment](ContentionWorker& worker) {
            worker.prepare(assignment);
        });
    }
}

void RedisLiveRunner::connectWorker(std::size_t index)
{
    ContentionWorker* const worker = m_workerSlots[index].worker->object();
    // A worker that was dismissed may still have news on the way here.
    const auto ifEmployed = [this, index, worker](auto handle) {
        return [this, index, worker, handle](const auto&... values) {
            if (index < m_workerSlots.size() && m_workerSlots[index].worker
                && m_workerSlots[index].worker->object() == worker) {
                handle(values...);
            }
        };
    };
    connect(worker, &ContentionWorker::prepared, this,
            ifEmployed([this, index] { workerPrepared(index); }));
    connect(worker, &ContentionWorker::unprepared, this,
            ifEmployed([this](const Problem& problem) { fail(problem); }));
    connect(worker, &ContentionWorker::reported, this,
            ifEmployed([this, index](const WorkerReport& report) { takeReport(index, report); }));
    connect(worker, &ContentionWorker::ended, this,
            ifEmployed([this, index] { workerEnded(index); }));
    connect(worker, &ContentionWorker::looked, this,
            ifEmployed([this](const std::vector<workload::Leftover>& there) { conclude(there); }));
}

void RedisLiveRunner::workerPrepared(std::size_t index)
{
    m_workerSlots[index].isPrepared = true;
    const auto isPrepared = [](const WorkerSlot& workerSlot) { return workerSlot.isPrepared; };
    if (m_progress.phase != Phase::Starting
        || !std::all_of(m_workerSlots.begin(), m_workerSlots.end(), isPrepared)) {
        return;
    }
    watchHolders();
    for (WorkerSlot& workerSlot : m_workerSlots) {
        workerSlot.worker->post([](ContentionWorker& worker) { worker.go(); });
    }
    m_phaseSince = LoopClock::present();
    m_ticker.start();
    setPhase(Phase::Running);
}

/// A thread of its own looks at the servers: contenders that are busy do not make it wait.
void RedisLiveRunner::watchHolders()
{
    WatchOrder order;
    order.servers = m_order.servers;
    for (int i = 0; i < m_order.scenario.keyCount; ++i) {
        order.locks.push_back(keysOf(m_order.protocol->info(), m_order.scenario.keyAt(i)));
    }
    order.seed = freshSeed();
    order.formats = m_formats;
    m_watcher = std::make_unique<WorkerThread<HolderWatcher>>(QStringLiteral("holders"));
    HolderWatcher* const watcher = m_watcher->object();
    connect(watcher, &HolderWatcher::looked, this, [this, watcher](const inspect::Look& look) {
        if (m_watcher && m_watcher->object() == watcher) {
            m_serverHolds.add(look);
        }
    });
    m_watcher->post([order](HolderWatcher& worker) { worker.start(order); });
}

void RedisLiveRunner::takeReport(std::size_t index, const WorkerReport& report)
{
    WorkerSlot& workerSlot = m_workerSlots[index];
    workerSlot.pendingEvents.insert(workerSlot.pendingEvents.end(), report.events.begin(),
                                    report.events.end());
    workerSlot.until = report.until;
    m_collector->addCommands(report.commandCount);
    if (!m_progress.refusal) {
        m_progress.refusal = report.refusal;
    }
    for (const Introduction& one : report.introductions) {
        m_serverHolds.introduce(one.identity, one.contender);
    }
    for (const workload::ContenderStatus& status : report.contenders) {
        if (m_progress.contenders.size() <= status.id) {
            m_progress.contenders.resize(status.id + 1);
        }
        m_progress.contenders[status.id] = status;
    }
    addUpEvents(false);
}

void RedisLiveRunner::addUpEvents(bool isLast)
{
    // What lies behind every worker's last report is complete; the rest waits for its neighbours.
    Instant watermark = Instant::max();
    for (const WorkerSlot& workerSlot : m_workerSlots) {
        watermark = isLast ? watermark : std::min(watermark, workerSlot.until);
    }
    std::vector<trace::Event> complete;
    for (WorkerSlot& workerSlot : m_workerSlots) {
        const auto end = std::partition_point(workerSlot.pendingEvents.begin(),
                                              workerSlot.pendingEvents.end(),
                                              [watermark](const trace::Event& event) {
                                                  return event.at < watermark;
                                              });
        const auto middle = static_cast<std::ptrdiff_t>(complete.size());
        complete.insert(complete.end(), workerSlot.pendingEvents.begin(), end);
        workerSlot.pendingEvents.erase(workerSlot.pendingEvents.begin(), end);
        std::inplace_merge(complete.begin(), complete.begin() + middle, complete.end(), isEarlier);
    }
    m_serverHolds.goOnTo(watermark);
    for (const trace::Event& event : complete) {
        m_collector->see(event);
    }
    const std::size_t kept = std::min(complete.size(), kEventsMax - m_events.size());
    m_events.insert(m_events.end(), complete.begin(),
                    complete.begin() + static_cast<std::ptrdiff_t>(kept));
    m_progress.droppedEventCount += complete.size() - kept;
}

void RedisLiveRunner::pause()
{
    if (m_progress.phase != Phase::Running) {
        return;
    }
    m_runBefore += LoopClock::present() - m_phaseSince;
    m_phaseSince = LoopClock::present();
    for (WorkerSlot& workerSlot : m_workerSlots) {
        workerSlot.worker->post([](ContentionWorker& worker) { worker.park(); });
    }
    setPhase(Phase::Parked);
}

void RedisLiveRunner::resume()
{
    if (m_progress.phase != Phase::Parked) {
        return;
    }
    m_phaseSince = LoopClock::present();
    for (WorkerSlot& workerSlot : m_workerSlots) {
        workerSlot.worker->post([](ContentionWorker& worker) { worker.unpark(); });
    }
    setPhase(Phase::Running);
}

void RedisLiveRunner::stop()
{
    switch (m_progress.phase) {
    case Phase::Starting:
        dismiss();
        setPhase(Phase::Finished);
        return;
    case Phase::Running: m_runBefore += LoopClock::present() - m_phaseSince; break;
    case Phase::Parked: break;
    default: return;
    }
    setPhase(Phase::Stopping);
    for (WorkerSlot& workerSlot : m_workerSlots) {
        workerSlot.worker->post([](ContentionWorker& worker) { worker.finish(); });
    }
}

void RedisLiveRunner::workerEnded(std::size_t index)
{
    m_workerSlots[index].hasEnded = true;
    const auto hasEnded = [](const WorkerSlot& workerSlot) { return workerSlot.hasEnded; };
    if (!std::all_of(m_workerSlots.begin(), m_workerSlots.end(), hasEnded)) {
        return;
    }
    if (m_progress.phase == Phase::Running) {
        // A draw is over when every contender has drawn.
        m_runBefore += LoopClock::present() - m_phaseSince;
        setPhase(Phase::Stopping);
    }
    addUpEvents(true);
    m_collector->endAt(LoopClock::present()); // of contenders that a silent server kept waiting
    lookForLeftovers();
}

void RedisLiveRunner::lookForLeftovers()
{
    m_workerSlots.front().worker->post([](ContentionWorker& worker) { worker.lookForLeftovers(); });
}

void RedisLiveRunner::conclude(std::vector<workload::Leftover> leftBehind)
{
    m_progress.leftBehind = std::move(leftBehind);
    dismiss();
    tick();
    setPhase(Phase::Finished);
}

void RedisLiveRunner::fail(Problem problem)
{
    m_progress.problem = std::move(problem);
    // Not from inside a signal of a worker that is about to be dismissed.
    QMetaObject::invokeMethod(
        this,
        [this] {
            dismiss();
            setPhase(Phase::Failed);
        },
        Qt::QueuedConnection);
}

void RedisLiveRunner::dismiss()
{
    m_ticker.stop();
    m_watcher.reset();
    m_workerSlots.clear();
    m_privateServers.clear();
}

void RedisLiveRunner::measureRecentRate()
{
    const Instant now = LoopClock::present();
    m_rateSamples.emplace_back(now, m_progress.statistics.acquisitions);
    const auto isOld = [now](const auto& sample) { return now - sample.first > kRateWindow; };
    const auto firstRecent = std::find_if_not(m_rateSamples.begin(), m_rateSamples.end(), isOld);
    m_rateSamples.erase(m_rateSamples.begin(), firstRecent);
    const auto& [since, before] = m_rateSamples.front();
    const double seconds = std::chrono::duration<double>(now - since).count();
    const auto count = static_cast<double>(m_progress.statistics.acquisitions - before);
    m_progress.recentPerSecond = seconds > 0 ? count / seconds : 0;
}

void RedisLiveRunner::tick()
{
    Duration elapsed = m_runBefore;
    if (m_progress.phase == Phase::Running) {
        elapsed += LoopClock::present() - m_phaseSince;
    }
    m_collector->setElapsed(elapsed);
    m_progress.elapsed = elapsed;
    m_progress.at = LoopClock::present();
    m_progress.statistics = m_collector->statistics();
    measureRecentRate();
    Q_EMIT progressed(m_progress);
    if (m_progress.phase == Phase::Running && elapsed >= m_order.scenario.duration) {
        stop();
    }
}

void RedisLiveRunner::setPhase(Phase phase)
{
    m_progress.phase = phase;
    Q_EMIT progressed(m_progress);
}

} // namespace lockscope::wire
