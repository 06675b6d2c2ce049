#include "core/kernel/protocol/catalogue.h"
#include "core/wire/loop_clock.h"
#include "core/wire/run/contention_worker.h"
#include "core/wire/run/redis_live_runner.h"
#include "tests/support/fenced_hash.h"
#include "tests/support/live/live_server.h"
#include "tests/support/test_program.h"

#include <QSignalSpy>
#include <QTest>
#include <QTestEventLoop>

#include <chrono>
#include <map>
#include <optional>

namespace lockscope::tst_redis_live_runner {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using workload::Distribution;
using workload::LiveRunOrder;
using workload::LiveRunProgress;
using workload::Scenario;
using Phase = LiveRunProgress::Phase;

namespace {

std::shared_ptr<const protocol::LockProtocol> builtin(std::string_view id)
{
    const protocol::LockProtocol* const found = protocol::findProtocol(id);
    return {found, [](const protocol::LockProtocol*) {}};
}

LiveRunOrder orderFor(std::string_view id)
{
    LiveRunOrder order;
    order.protocol = builtin(id);
    order.scenario = Scenario::withDefaults(order.protocol->info());
    order.scenario.contenderCount = 8;
    order.scenario.think = Distribution::exponential(1ms);
    order.scenario.hold = Distribution::constant(1ms);
    order.scenario.retry.interval = 2ms;
    order.scenario.duration = 1s;
    return order;
}

/// A runner, and an event loop that runs while it does.
class Run {
public:
    explicit Run(const LiveRunOrder& order)
    {
        QObject::connect(&m_runner, &service::LiveRunner::progressed, &m_runner,
                         [this] { leaveWhenReached(); });
        m_runner.start(order);
    }

    wire::RedisLiveRunner& runner() { return m_runner; }
    const LiveRunProgress& progress() const { return m_runner.progress(); }

    bool reaches(Phase phase)
    {
        m_wanted = phase;
        if (progress().phase != phase) {
            QTestEventLoop::instance().enterLoop(30);
        }
        return progress().phase == phase;
    }

private:
    void leaveWhenReached()
    {
        if (progress().phase == m_wanted) {
            QTestEventLoop::instance().exitLoop();
        }
    }

    wire::RedisLiveRunner m_runner;
    Phase m_wanted = Phase::Idle;
};

} // namespace

class TestRedisLiveRunner : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aGoodLockHoldsUnderContention();
    void aHolderThatPausesReleasesTheNextOnesFlag();
    void aTokenIsNeverReleasedByAnother();
    void theServersAreLookedAt();
    void aCrashWithoutExpiryLeavesAStuckLock();
    void aKeyThatStaysIsNoStuckLock();
    void aMissingPermitIsLeftBehind();
    void crashesOfLeasedLocksPass();
    void aThousandContendersStopInTime();
    void aPausedRunHoldsNothing();
    void contendersOfASilentServerHaveWaited();
    void exactlyOneWinsTheDraw();
    void theStandbyTakesOver();
    void redlockRunsOnServersOfItsOwn();
    void everyMasterOfRedlockIsLookedAt();
    void contendersShareConnections();
    void everyProtocolRuns_data();
    void everyProtocolRuns();
    void aServerThatIsNotThereFailsTheRun();
    void stoppingWhileConnectingIsHarmless();
};

void TestRedisLiveRunner::aGoodLockHoldsUnderContention()
{
    Run run(orderFor("set-nx-px-token"));
    QVERIFY(run.reaches(Phase::Finished));
    const trace::RunStatistics& statistics = run.progress().statistics;
    qInfo("%llu acquisitions, %.1f commands each, fairness %.3f",
          static_cast<unsigned long long>(statistics.acquisitions),
          statistics.commandsPerAcquisition(), statistics.jainFairness());
    QCOMPARE_GT(statistics.acquisitions, 50u);
    QCOMPARE(statistics.overlaps, 0u);
    QCOMPARE(statistics.wrongReleases, 0u);
    QVERIFY(run.progress().leftBehind.empty());
}

/// 20 contenders on two threads, all over 2 connections; one of the dying ones' neighbours goes on.
void TestRedisLiveRunner::contendersShareConnections()
{
    LiveServer server;
    const auto connectionsMade = [&server] {
        const store::Reply reply = server.client()("INFO", "stats");
        const std::string& stats = *reply.text();
        const std::size_t at = stats.find("total_connections_received:");
        return std::stoll(stats.substr(stats.find(':', at) + 1));
    };
    LiveRunOrder order = orderFor("set-nx-px-token");
    order.servers = {server.endpoint()};
    order.threadCount = 2;
    order.scenario.contenderCount = 20;
    order.scenario.connectionCount = 2;
    order.scenario.crashProbability = 0.05;
    order.scenario.lease = 20ms;
    const std::int64_t before = connectionsMade();
    Run run(order);
    QVERIFY(run.reaches(Phase::Finished));
    // Theirs, and the one that looks at the holders.
    QCOMPARE(connectionsMade() - before, 3);
    const trace::RunStatistics& statistics = run.progress().statistics;
    QCOMPARE_GT(statistics.acquisitions, 50U);
    QCOMPARE_GT(statistics.crashes, 0U);
    QVERIFY(std::ranges::all_of(statistics.acquisitionsOf, [](auto count) { return count > 0; }));
}

/// A client that is seen in the lock has asked for it, under the name it had then.
void TestRedisLiveRunner::theServersAreLookedAt()
{
    LiveRunOrder order = orderFor("set-nx-px-token");
    order.scenario.hold = Distribution::constant(60ms);
    order.scenario.duration = 2s;
    order.scenario.crashProbability = 0.1; // who is started again has other tokens
    order.scenario.lease = 300ms;
    Run run(order);
    QVERIFY(run.reaches(Phase::Finished));
    const std::vector<trace::ServerHold> serverHolds = run.runner().serverHolds();
    const std::vector<trace::Event>& events = run.runner().events();
    QCOMPARE_GT(serverHolds.size(), 5U);
    QVERIFY(std::ranges::any_of(serverHolds, [&serverHolds](const trace::ServerHold& serverHold) {
        return serverHold.holder != serverHolds.front().holder;
    }));
    QVERIFY(std::ranges::is_sorted(serverHolds, {}, &trace::ServerHold::from));
    for (const trace::ServerHold& serverHold : serverHolds) {
        QVERIFY(serverHold.holder);
        const bool hasAsked = std::ranges::any_of(events, [&serverHold](const trace::Event& event) {
            return event.contender == *serverHold.holder && event.at <= serverHold.from
                   && event.kind == trace::EventKind::Requested;
        });
        QVERIFY(hasAsked);
    }
}

void TestRedisLiveRunner::aHolderThatPausesReleasesTheNextOnesFlag()
{
    LiveRunOrder order = orderFor("set-nx-ex");
    order.scenario.lease = 1s; // whole seconds are all that EX knows
    order.scenario.pauseProbability = 0.2;
    order.scenario.pauseFor = 1200ms;
    order.scenario.hold = Distribution::constant(100ms);
    order.scenario.duration = 8s;
    Run run(order);
    QVERIFY(run.reaches(Phase::Finished));
    const trace::RunStatistics& statistics = run.progress().statistics;
    QCOMPARE_GT(statistics.pauses, 0u);
    QCOMPARE_GT(statistics.overlaps, 0u);
    QCOMPARE_GT(statistics.wrongReleases, 0u);
}

void TestRedisLiveRunner::aTokenIsNeverReleasedByAnother()
{
    LiveRunOrder order = orderFor("set-nx-px-token");
    order.scenario.lease = 100ms;
    order.scenario.pauseProbability = 0.2;
    order.scenario.hold = Distribution::constant(20ms);
    order.scenario.duration = 3s;
    Run run(order);
    QVERIFY(run.reaches(Phase::Finished));
    const trace::RunStatistics& statistics = run.progress().statistics;
    QCOMPARE_GT(statistics.overlaps, 0u); // no lease can prevent that
    QCOMPARE_GT(statistics.lateReleases, 0u);
    QCOMPARE(statistics.wrongReleases, 0u);
}

void TestRedisLiveRunner::aCrashWithoutExpiryLeavesAStuckLock()
{
    LiveServer server;
    LiveRunOrder order = orderFor("setnx-no-expiry");
    order.servers = {server.endpoint()};
    order.scenario.crashProbability = 1;
    Run run(order);
    QVERIFY(run.reaches(Phase::Finished));
    QCOMPARE(run.progress().statistics.acquisitions, 1u);
    QCOMPARE(run.progress().leftBehind.size(), std::size_t{1});
    QVERIFY(!run.progress().leftBehind.front().hasExpiry);
    QCOMPARE(server.client()("PTTL", run.progress().leftBehind.front().key).integer(),
             std::optional<std::int64_t>(-1));
}

/// A lock that its protocol grants is not left behind, although its key never expires.
void TestRedisLiveRunner::aKeyThatStaysIsNoStuckLock()
{
    LiveServer server;
    LiveRunOrder order = orderFor("set-nx-px-token");
    order.protocol = fencedHash();
    order.servers = {server.endpoint()};
    Run run(order);
    QVERIFY(run.reaches(Phase::Finished));
    QCOMPARE_GT(run.progress().statistics.acquisitions, 1u);
    QVERIFY(run.progress().leftBehind.empty());
    QCOMPARE(server.client()("PTTL", run.progress().keyPrefix + ":0").integer(),
             std::optional<std::int64_t>(-1));
}

/// The permits of crashed holders are missing until their leases end, although there is room for
/// many other holders.
void TestRedisLiveRunner::aMissingPermitIsLeftBehind()
{
    LiveServer server;
    LiveRunOrder order = orderFor("semaphore");
    order.servers = {server.endpoint()};
    order.scenario.contenderCount = 1;
    order.scenario.permits = 50;
    order.scenario.crashProbability = 1;
    order.scenario.duration = 500ms;
    Run run(order);
    QVERIFY(run.reaches(Phase::Finished));
    const trace::RunStatistics& statistics = run.progress().statistics;
    QCOMPARE_GT(statistics.crashes, 0U);
    QCOMPARE_LT(statistics.crashes, 50U);
    QCOMPARE(run.progress().leftBehind.size(), std::size_t{1});
    QVERIFY(run.progress().leftBehind.front().hasExpiry);
    // The clients that asked have given back what they got.
    QCOMPARE(server.client()("ZCARD", run.progress().leftBehind.front().key).integer(),
             std::optional(static_cast<std::int64_t>(statistics.acquisitions)));
}

void TestRedisLiveRunner::crashesOfLeasedLocksPass()
{
    LiveRunOrder order = orderFor("redisson-lock");
    order.scenario.lease = 200ms;
    order.scenario.renewal.period = 60ms;
    order.scenario.crashProbability = 0.2;
    order.scenario.duration = 3s;
    Run run(order);
    QVERIFY(run.reaches(Phase::Finished));
    const trace::RunStatistics& statistics = run.progress().statistics;
    QCOMPARE_GT(statistics.crashes, 1u);
    QCOMPARE_GT(statistics.acquisitions, statistics.crashes);
    QCOMPARE(statistics.overlaps, 0u);
}

void TestRedisLiveRunner::aThousandContendersStopInTime()
{
    LiveServer server;
    LiveRunOrder order = orderFor("set-nx-px-token");
    order.servers = {server.endpoint()};
    order.scenario.contenderCount = 1000;
    order.scenario.keyCount = 50;
    order.scenario.retry.interval = 50ms;
    order.scenario.retry.jitter = 50ms;
    order.scenario.hold = Distribution::constant(20ms);
    order.scenario.duration = 60s;
    Run run(order);
    QVERIFY(run.reaches(Phase::Running));
    QTRY_VERIFY_WITH_TIMEOUT(run.progress().statistics.acquisitions > 500, 30'000);
    const Instant asked = wire::LoopClock::present();
    run.runner().stop();
    QVERIFY(run.reaches(Phase::Finished));
    qInfo("stopped after %lld ms",
          static_cast<long long>(toMs(wire::LoopClock::present() - asked)));
    QCOMPARE(run.progress().statistics.overlaps, 0u);
    QVERIFY(run.progress().leftBehind.empty());
    QCOMPARE(server.client()("DBSIZE").integer(), std::optional<std::int64_t>(0));
}

void TestRedisLiveRunner::aPausedRunHoldsNothing()
{
    LiveServer server;
    LiveRunOrder order = orderFor("redisson-lock");
    order.servers = {server.endpoint()};
    order.scenario.hold = Distribution::constant(5s);
    order.scenario.duration = 60s;
    Run run(order);
    QVERIFY(run.reaches(Phase::Running));
    QTRY_COMPARE(run.progress().statistics.acquisitions, 1u);
    run.runner().pause();
    const auto isParked = [](const workload::ContenderStatus& status) {
        return status.activity == workload::Activity::Parked;
    };
    const auto& contenders = run.progress().contenders;
    QTRY_VERIFY(std::all_of(contenders.begin(), contenders.end(), isParked));
    QCOMPARE(server.client()("DBSIZE").integer(), std::optional<std::int64_t>(0));
    const std::uint64_t before = run.progress().statistics.acquisitions;
    run.runner().resume();
    QTRY_VERIFY(run.progress().statistics.acquisitions > before);
    run.runner().stop();
    QVERIFY(run.reaches(Phase::Finished));
}

void TestRedisLiveRunner::contendersOfASilentServerHaveWaited()
{
    LiveServer server;
    LiveRunOrder order = orderFor("set-nx-px-token");
    order.servers = {server.endpoint()};
    order.scenario.contenderCount = 4;
    order.scenario.hold = Distribution::constant(20s);
    order.scenario.duration = 60s;
    Run run(order);
    QVERIFY(run.reaches(Phase::Running));
    QTRY_COMPARE(run.progress().statistics.requests, 4U);
    QTRY_COMPARE(run.progress().statistics.acquisitions, 1U);
    server.process().freeze();
    run.runner().stop();
    QVERIFY(run.reaches(Phase::Finished));
    server.process().thaw();
    const trace::RunStatistics& statistics = run.progress().statistics;
    QCOMPARE(statistics.withdrew + statistics.unavailable + statistics.uncertain, 3U);
    QCOMPARE(statistics.wait.count(), 4U);
}

void TestRedisLiveRunner::exactlyOneWinsTheDraw()
{
    LiveRunOrder order = orderFor("set-nx-px-token");
    order.scenario.kind = Scenario::Kind::Draw;
    order.scenario.contenderCount = 50;
    Run run(order);
    QVERIFY(run.reaches(Phase::Finished));
    QCOMPARE(run.progress().statistics.acquisitions, 1u);
    QCOMPARE(run.progress().statistics.gaveUp, 49u);
    QCOMPARE_LT(run.progress().elapsed, 1s); // over as soon as all contenders have drawn
}

void TestRedisLiveRunner::theStandbyTakesOver()
{
    LiveRunOrder order = orderFor("set-nx-px-token");
    order.scenario.kind = Scenario::Kind::HotStandby;
    order.scenario.contenderCount = 4;
    order.scenario.lease = 300ms;
    order.scenario.renewal.period = 100ms;
    order.scenario.retry.interval = 20ms;
    order.scenario.hold = Distribution::constant(400ms);
    order.scenario.duration = 4s;
    Run run(order);
    QVERIFY(run.reaches(Phase::Finished));
    const trace::RunStatistics& statistics = run.progress().statistics;
    QCOMPARE_GT(statistics.takeover.count(), 1u);
    // The dead worker's lease has to end first, or a good part of it.
    QCOMPARE_GT(statistics.takeover.quantile(0.5), 100ms);
    QCOMPARE(statistics.overlaps, 0u);
}

void TestRedisLiveRunner::redlockRunsOnServersOfItsOwn()
{
    LiveRunOrder order = orderFor("redlock");
    order.privateServerCount = 3;
    order.scenario.contenderCount = 3;
    order.scenario.retry.jitter = 10ms;
    Run run(order);
    QVERIFY(run.reaches(Phase::Finished));
    QCOMPARE(run.progress().servers.size(), std::size_t{3});
    QCOMPARE_GT(run.progress().statistics.acquisitions, 5u);
    QCOMPARE(run.progress().statistics.overlaps, 0u);
    QVERIFY(run.progress().leftBehind.empty());
}

/// Who stands on each of them, and who on a majority.
void TestRedisLiveRunner::everyMasterOfRedlockIsLookedAt()
{
    LiveRunOrder order = orderFor("redlock");
    order.privateServerCount = 3;
    order.scenario.contenderCount = 3;
    order.scenario.retry.jitter = 10ms;
    order.scenario.hold = Distribution::constant(60ms);
    order.scenario.duration = 2s;
    Run run(order);
    QVERIFY(run.reaches(Phase::Finished));
    std::map<std::optional<int>, int> counts;
    for (const trace::ServerHold& serverHold : run.runner().serverHolds()) {
        QVERIFY(serverHold.holder);
        ++counts[serverHold.node];
    }
    QCOMPARE(counts.size(), std::size_t{4});
    for (const std::optional<int> node : {std::optional<int>(), {0}, {1}, {2}}) {
        QCOMPARE_GT(counts[node], 1);
    }
}

void TestRedisLiveRunner::everyProtocolRuns_data()
{
    QTest::addColumn<QByteArray>("id");
    for (const protocol::LockProtocol* const protocol : protocol::builtinProtocols()) {
        const std::string& id = protocol->info().id;
        QTest::newRow(id.c_str()) << QByteArray::fromStdString(id);
    }
}

void TestRedisLiveRunner::everyProtocolRuns()
{
    QFETCH(const QByteArray, id);
    LiveRunOrder order = orderFor(id.toStdString());
    const protocol::ProtocolInfo& info = order.protocol->info();
    order.privateServerCount = info.keys == protocol::KeyUse::OnePerServer ? 3 : 1;
    order.scenario.readShare = info.hasModes ? 0.5 : 0;
    order.scenario.reentryDepth = info.isReentrant ? 2 : 1;
    order.scenario.permits = info.hasPermits ? 2 : 1;
    Run run(order);
    QVERIFY(run.reaches(Phase::Finished));
    const trace::RunStatistics& statistics = run.progress().statistics;
    QCOMPARE_GT(statistics.acquisitions, 5u);
    const bool isExclusive = info.claimsPromise(protocol::Promise::MutualExclusion)
                             || info.claimsPromise(protocol::Promise::ReadWriteExclusion);
    if (isExclusive) {
        QCOMPARE(statistics.overlaps, 0u);
        QCOMPARE(statistics.wrongReleases, 0u);
        QVERIFY(run.progress().leftBehind.empty());
    }
}

void TestRedisLiveRunner::aServerThatIsNotThereFailsTheRun()
{
    LiveRunOrder order = orderFor("set-nx-px-token");
    store::Endpoint nowhere;
    nowhere.transport = store::Endpoint::Transport::UnixSocket;
    nowhere.socketPath = "/nowhere/redis.sock";
    order.servers = {nowhere};
    Run run(order);
    QVERIFY(run.reaches(Phase::Failed));
    QCOMPARE(run.progress().problem.kind, store::Problem::Kind::SocketMissing);
}

void TestRedisLiveRunner::stoppingWhileConnectingIsHarmless()
{
    Run run(orderFor("set-nx-px-token"));
    QCOMPARE(run.progress().phase, Phase::Starting);
    run.runner().stop();
    QCOMPARE(run.progress().phase, Phase::Finished);
}

LOCKSCOPE_TEST(TestRedisLiveRunner, Core)

} // namespace lockscope::tst_redis_live_runner

#include "tst_redis_live_runner.moc"
