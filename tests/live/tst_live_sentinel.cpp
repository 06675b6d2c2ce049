#include "core/wire/connection/redis_connection_tester.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/live/live_desk.h"
#include "tests/support/live/live_server.h"
#include "tests/support/live/live_watch.h"
#include "tests/support/live/sentinel_group.h"
#include "tests/support/live/weak_way.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QTest>

namespace lockscope::tst_live_sentinel {

using namespace lockscope::testing;
using inspect::ReleaseReport;
using inspect::ReleaseResult;
using service::LinkStatus;
using store::Command;

namespace {

constexpr int kPatienceMs = 30'000;
/// A half-open connection is not noticed before a reply is missed.
constexpr int kReplacedMs = 8000;
/// From the moment that the Sentinels agree on a master until the table shows what it has.
constexpr int kPromiseMs = 2000;
const Bytes kAlice = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";
const Bytes kBob = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";

} // namespace

/// One group of servers for all cases: each leaves it with a master and two replicas.
class TestLiveSentinel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanupTestCase() { m_group.reset(); }
    void theTestOfAConnectionReachesTheMaster();
    void theWatchFollowsAFailoverThatWasAskedFor();
    void theWatchFollowsWhenTheMasterDies();
    void theWatchLeavesAMasterThatIsSilent();
    void theWatchLeavesAMasterThatBecomesAReplica();
    void connectionsThatAreHalfOpenAreReplacedSoon();
    void aConnectionThatIsHalfOpenIsGivenUpThoughLoginsTakeLong();
    void aReleaseReachesTheNewMasterOnly();
    void withoutASentinelNothingIsReleased(); // the last one: they are gone afterwards

private:
    /// Every node has it.
    void takeLock(const Bytes& key, const Bytes& owner);
    bool isShown(LiveWatch& watch, std::size_t master, const Bytes& owner) const;
    /// What is taken on the new master, which the Sentinels have just agreed on, is shown in time.
    void checkThatTheTableIsTrue(LiveWatch& watch, std::size_t master);
    inspect::ReleasePlan planFor(LiveDesk& desk, const Bytes& key);
    ReleaseReport executed(LiveDesk& desk, const inspect::ReleasePlan& plan);

    std::unique_ptr<SentinelGroup> m_group;
    std::size_t m_master = 0;
};

void TestLiveSentinel::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
    m_group = std::make_unique<SentinelGroup>();
}

void TestLiveSentinel::init()
{
    m_group->waitForReplicas();
    m_master = m_group->waitForMaster();
    m_group->ask(m_master, Command("FLUSHALL"));
}

void TestLiveSentinel::takeLock(const Bytes& key, const Bytes& owner)
{
    PlainClient client(m_group->node(m_master).endpoint());
    client("SET", key, owner, "PX", 600'000);
    const store::Reply copies = client("WAIT", 2, kPatienceMs);
    QVERIFY2(copies.integer() == 2, copies.error() != nullptr ? copies.error()->text.c_str() : "");
}

bool TestLiveSentinel::isShown(LiveWatch& watch, std::size_t master, const Bytes& owner) const
{
    const LinkStatus& status = watch.status();
    return status.state == LinkStatus::State::Online && status.node == m_group->nodeName(master)
           && watch.ownerOf("order:lock") == owner && watch.row("order:lock")->isConfirmed;
}

void TestLiveSentinel::checkThatTheTableIsTrue(LiveWatch& watch, std::size_t master)
{
    m_group->ask(master, Command("SET", "order:lock", kBob, "PX", 600'000));
    m_group->ask(master, Command("DEL", "gone:lock"));
    QElapsedTimer timer;
    timer.start();
    QTRY_VERIFY_WITH_TIMEOUT(isShown(watch, master, kBob) && watch.rowCount() == 1, kPatienceMs);
    QVERIFY2(timer.elapsed() < kPromiseMs, qPrintable(QString::number(timer.elapsed())));
    QCOMPARE(watch.status().info.role, store::ServerInfo::Role::Master);
}

void TestLiveSentinel::theTestOfAConnectionReachesTheMaster()
{
    wire::RedisConnectionTester tester;
    std::vector<service::TestResult> results;
    connect(&tester, &wire::RedisConnectionTester::tested, &tester,
            [&results](const service::TestResult& result) { results.push_back(result); });
    m_group->ask(m_master, Command("SET", "order:lock", kAlice));
    tester.test(m_group->endpoint());
    QTRY_COMPARE_WITH_TIMEOUT(results.size(), std::size_t(1), kPatienceMs);
    QCOMPARE(results.front().problem.kind, store::Problem::Kind::None);
    QCOMPARE(results.front().info.role, store::ServerInfo::Role::Master);
    QCOMPARE(results.front().keyCount, 1);
}

void TestLiveSentinel::theWatchFollowsAFailoverThatWasAskedFor()
{
    takeLock("order:lock", kAlice);
    takeLock("gone:lock", kAlice);
    LiveWatch watch({m_group->endpoint()});
    QTRY_VERIFY_WITH_TIMEOUT(isShown(watch, m_master, kAlice), kPatienceMs);
    const store::Reply reply = m_group->askSentinel(0, Command("SENTINEL", "failover",
                                                               SentinelGroup::kMasterName));
    QCOMPARE(reply, store::Reply::ofStatus("OK"));
    checkThatTheTableIsTrue(watch, m_group->waitForMaster(m_master));
}

void TestLiveSentinel::theWatchFollowsWhenTheMasterDies()
{
    takeLock("order:lock", kAlice);
    takeLock("gone:lock", kAlice);
    LiveWatch watch({m_group->endpoint()});
    QTRY_VERIFY_WITH_TIMEOUT(isShown(watch, m_master, kAlice), kPatienceMs);
    m_group->kill(m_master);
    QTRY_VERIFY_WITH_TIMEOUT(!watch.row("order:lock")->isConfirmed, kPatienceMs);
    checkThatTheTableIsTrue(watch, m_group->waitForMaster(m_master));
    m_group->restart(m_master);
}

void TestLiveSentinel::theWatchLeavesAMasterThatIsSilent()
{
    takeLock("order:lock", kAlice);
    takeLock("gone:lock", kAlice);
    LiveWatch watch({m_group->endpoint()});
    QTRY_VERIFY_WITH_TIMEOUT(isShown(watch, m_master, kAlice), kPatienceMs);
    m_group->node(m_master).freeze();
    const std::size_t next = m_group->waitForMaster(m_master);
    checkThatTheTableIsTrue(watch, next);
    // It still takes itself for the master, and has a lock that nobody holds any more.
    m_group->node(m_master).thaw();
    m_group->waitForReplicas();
    QVERIFY(isShown(watch, next, kBob));
}

/// REPLICAOF leaves the connections of clients alone.
void TestLiveSentinel::theWatchLeavesAMasterThatBecomesAReplica()
{
    takeLock("order:lock", kAlice);
    LiveWatch watch({m_group->endpoint()});
    QTRY_VERIFY_WITH_TIMEOUT(isShown(watch, m_master, kAlice), kPatienceMs);
    const auto port = m_group->node((m_master + 1) % SentinelGroup::kNodeCount).endpoint().port;
    m_group->ask(m_master, Command("REPLICAOF", "127.0.0.1", port));
    QTRY_COMPARE_WITH_TIMEOUT(watch.status().problem.kind, store::Problem::Kind::MasterChanging,
                              kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(!watch.row("order:lock")->isConfirmed, kPatienceMs);
    m_group->ask(m_master, Command("REPLICAOF", "NO", "ONE"));
    QTRY_VERIFY_WITH_TIMEOUT(isShown(watch, m_group->waitForMaster(), kAlice), kPatienceMs);
}

inspect::ReleasePlan TestLiveSentinel::planFor(LiveDesk& desk, const Bytes& key)
{
    const quint64 request = desk.desk().inspectLock({0, key});
    const bool isAnswered = QTest::qWaitFor([&] { return desk.details(request) != nullptr; },
                                            kPatienceMs);
    return isAnswered ? desk.details(request)->release.value() : inspect::ReleasePlan();
}

ReleaseReport TestLiveSentinel::executed(LiveDesk& desk, const inspect::ReleasePlan& plan)
{
    const quint64 request = desk.desk().execute(plan, {});
    const bool isAnswered = QTest::qWaitFor([&] { return desk.report(request) != nullptr; },
                                            kPatienceMs);
    return isAnswered ? *desk.report(request) : ReleaseReport();
}

/// Those to the Sentinels as well. Two seconds are meant; a busy machine gets more of them.
void TestLiveSentinel::connectionsThatAreHalfOpenAreReplacedSoon()
{
    if (!WeakWay::canBeMade()) {
        QSKIP("python3 is not installed");
    }
    takeLock("order:lock", kAlice);
    WeakWay way;
    LiveWatch watch({way.over(m_group->endpoint())});
    QTRY_VERIFY_WITH_TIMEOUT(watch.ownerOf("order:lock") == kAlice, kPatienceMs);
    QElapsedTimer sinceForgotten;
    sinceForgotten.start();
    way.forget();
    m_group->ask(m_master, Command("SET", "order:lock", kBob, "PX", 600'000));
    QTRY_VERIFY_WITH_TIMEOUT(watch.ownerOf("order:lock") == kBob, kReplacedMs);
    qInfo().noquote() << "half-open behind Sentinels: right after" << sinceForgotten.elapsed()
                      << "ms";
}

/// The way to the master leads over a Sentinel: that takes longer than the pause between two
/// attempts to find out whether the server still replies.
void TestLiveSentinel::aConnectionThatIsHalfOpenIsGivenUpThoughLoginsTakeLong()
{
    if (!WeakWay::canBeMade()) {
        QSKIP("python3 is not installed");
    }
    takeLock("order:lock", kAlice);
    WeakWay way;
    store::Endpoint endpoint = way.over(m_group->endpoint());
    endpoint.requestTimeout = std::chrono::minutes(5); // which finds out at last
    LiveWatch watch({endpoint});
    QTRY_VERIFY_WITH_TIMEOUT(watch.ownerOf("order:lock") == kAlice, kPatienceMs);
    way.delay(300);
    way.forget();
    m_group->ask(m_master, Command("SET", "order:lock", kBob, "PX", 600'000));
    QTRY_VERIFY_WITH_TIMEOUT(watch.ownerOf("order:lock") == kBob, kPatienceMs);
}

void TestLiveSentinel::aReleaseReachesTheNewMasterOnly()
{
    takeLock("order:lock", kAlice);
    LiveDesk desk({m_group->endpoint()});
    const inspect::ReleasePlan plan = planFor(desk, "order:lock");
    m_group->ask(m_master, Command("CONFIG", "RESETSTAT"));
    m_group->node(m_master).freeze();
    const std::size_t next = m_group->waitForMaster(m_master);
    // The desk is still connected to the former master, which goes on as if nothing had happened.
    m_group->node(m_master).thaw();
    const ReleaseReport report = executed(desk, plan);
    const bool isGone = m_group->ask(next, Command("EXISTS", "order:lock")).integer() == 0;
    QCOMPARE(report.result == ReleaseResult::Released, isGone);
    QVERIFY(report.result == ReleaseResult::Released || report.result == ReleaseResult::Refused);
    const store::Reply statistics = m_group->ask(m_master, Command("INFO", "commandstats"));
    QVERIFY(statistics.text()->find("cmdstat_eval") == std::string::npos);
    if (!isGone) {
        ReleaseResult last = report.result; // Refused until the desk is connected again
        QTRY_VERIFY_WITH_TIMEOUT(last == ReleaseResult::Released
                                     || (last = executed(desk, plan).result)
                                            == ReleaseResult::Released,
                                 kPatienceMs);
        QCOMPARE(m_group->ask(next, Command("EXISTS", "order:lock")), store::Reply::ofInteger(0));
    }
    const QByteArray node = "\"node\":\"" + QByteArray::fromStdString(m_group->nodeName(next))
                            + '"';
    QVERIFY(desk.auditLines().back().contains(node));
}

void TestLiveSentinel::withoutASentinelNothingIsReleased()
{
    takeLock("order:lock", kAlice);
    LiveDesk desk({m_group->endpoint()});
    const inspect::ReleasePlan plan = planFor(desk, "order:lock");
    m_group->killSentinels();
    const ReleaseReport report = executed(desk, plan);
    QVERIFY(report.result == ReleaseResult::Refused);
    QCOMPARE(report.problem.kind, store::Problem::Kind::NoSentinel);
    QCOMPARE(m_group->ask(m_master, Command("EXISTS", "order:lock")), store::Reply::ofInteger(1));
}

LOCKSCOPE_TEST(TestLiveSentinel, Core)

} // namespace lockscope::tst_live_sentinel

#include "tst_live_sentinel.moc"
