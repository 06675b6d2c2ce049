#include "tests/kernel/text_in_failures.h"
#include "tests/support/live/cluster_group.h"
#include "tests/support/live/live_desk.h"
#include "tests/support/live/live_server.h"
#include "tests/support/live/live_watch.h"
#include "tests/support/live/plain_client.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <memory>

namespace lockscope::tst_live_cluster {

using namespace lockscope::testing;
using inspect::ReleaseReport;
using inspect::ReleaseResult;
using service::LinkStatus;
using store::Command;

namespace {

constexpr int kPatienceMs = 60'000;
/// From the moment that the nodes agree until the table shows what the master has.
constexpr int kPromiseMs = 2000;
const Bytes kAlice = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";
const Bytes kBob = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";

} // namespace

/// One cluster for all cases: each leaves it with three masters that have a replica.
class TestLiveCluster : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanupTestCase() { m_group.reset(); }
    void theLocksOfAllMastersAreWatched();
    void aLockWhoseSlotMovesIsOneRowAllTheTime();
    void aNewNodeIsWatched();
    void theWatchFollowsAFailoverThatWasAskedFor();
    void theWatchFollowsWhenAMasterDies();
    void whatNoReplicaHasIsAtRisk();
    void aSilentMasterHoldsUpNobody();
    void aReleaseReachesTheNewMasterOnly();
    void slotsWithoutOwnerAreUnknown();

private:
    /// Every copy has it.
    void take(const std::string& key, const Bytes& owner);
    bool isShown(LiveWatch& watch, const std::string& key, const Bytes& owner) const;
    bool areAllShown(LiveWatch& watch) const;
    /// What is taken on the new master, which the nodes have just agreed on, is shown in time.
    void checkThatTheTableIsTrue(LiveWatch& watch, std::size_t master);
    std::size_t replicaOf(std::size_t master) const;
    inspect::ReleasePlan planFor(LiveDesk& desk, const Bytes& key);
    ReleaseReport executed(LiveDesk& desk, const inspect::ReleasePlan& plan);

    std::unique_ptr<ClusterGroup> m_group;
    std::vector<std::string> m_locks; // one in each of three ranges of slots
    std::vector<std::size_t> m_masters;
};

void TestLiveCluster::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
    m_group = std::make_unique<ClusterGroup>(ClusterGroup::Replicas::OneEach,
                                             QStringList{u"--cluster-require-full-coverage"_qs,
                                                         u"no"_qs});
    m_locks = {m_group->lockOn(0), m_group->lockOn(1), m_group->lockOn(2)};
}

void TestLiveCluster::init()
{
    m_group->waitUntilSettled(3);
    m_masters.clear();
    for (const std::string& lock : m_locks) {
        m_masters.push_back(m_group->masterOfKey(lock).value());
        m_group->ask(m_masters.back(), Command("FLUSHALL"));
        take(lock, kAlice);
    }
}

void TestLiveCluster::take(const std::string& key, const Bytes& owner)
{
    PlainClient client(m_group->node(m_group->masterOfKey(key).value()).endpoint());
    client("SET", key, owner, "PX", 600'000);
    const store::Reply copies = client("WAIT", 1, kPatienceMs);
    QVERIFY2(copies.integer() == 1, copies.error() != nullptr ? copies.error()->text.c_str() : "");
}

bool TestLiveCluster::isShown(LiveWatch& watch, const std::string& key, const Bytes& owner) const
{
    const inspect::LockPtr row = watch.row(key);
    const auto master = m_group->masterOfKey(key);
    return row && watch.ownerOf(key) == owner && row->isConfirmed && master && row->place
           && row->place->node == m_group->nodeName(*master);
}

bool TestLiveCluster::areAllShown(LiveWatch& watch) const
{
    return watch.isOnline() && watch.rowCount() == m_locks.size()
           && std::ranges::all_of(m_locks, [&](const std::string& lock) {
                  return isShown(watch, lock, kAlice);
              });
}

void TestLiveCluster::checkThatTheTableIsTrue(LiveWatch& watch, std::size_t master)
{
    const std::string taken = m_locks[0];
    m_group->ask(master, Command("SET", taken, kBob, "PX", 600'000));
    QElapsedTimer timer;
    timer.start();
    QTRY_VERIFY_WITH_TIMEOUT(watch.ownerOf(taken) == kBob && watch.row(taken)->isConfirmed
                                 && watch.row(taken)->place->node == m_group->nodeName(master),
                             kPatienceMs);
    QVERIFY2(timer.elapsed() < kPromiseMs, qPrintable(QString::number(timer.elapsed())));
    QCOMPARE(watch.rowCount(), m_locks.size());
    QVERIFY(isShown(watch, m_locks[1], kAlice) && isShown(watch, m_locks[2], kAlice));
}

std::size_t TestLiveCluster::replicaOf(std::size_t master) const
{
    const store::ClusterTopology topology = m_group->topology();
    for (std::size_t i = 0; i < m_group->nodeCount(); ++i) {
        const store::ClusterNode* const node = topology.nodeOfId(m_group->nodeId(i));
        if (node != nullptr && node->masterId == m_group->nodeId(master)) {
            return i;
        }
    }
    return master;
}

void TestLiveCluster::theLocksOfAllMastersAreWatched()
{
    LiveWatch watch({m_group->endpoint()});
    QTRY_VERIFY_WITH_TIMEOUT(areAllShown(watch), kPatienceMs);
    QCOMPARE(watch.status().live, LinkStatus::Live::Push);
    QCOMPARE(watch.status().problem.kind, store::Problem::Kind::None);
    for (const std::string& lock : m_locks) {
        take(lock, kBob);
        QTRY_VERIFY_WITH_TIMEOUT(isShown(watch, lock, kBob), kPatienceMs);
        m_group->askOwner(Command("DEL", lock));
        QTRY_VERIFY_WITH_TIMEOUT(watch.row(lock) == nullptr, kPatienceMs);
    }
    QVERIFY(watch.hasHappened("released " + m_locks[2]));
}

void TestLiveCluster::aLockWhoseSlotMovesIsOneRowAllTheTime()
{
    LiveWatch watch({m_group->endpoint()});
    QTRY_VERIFY_WITH_TIMEOUT(areAllShown(watch), kPatienceMs);
    watch.forgetStory();
    const std::string& key = m_locks[0];
    const std::uint16_t slot = store::slotOf(key);
    const std::size_t source = m_masters[0];
    const std::size_t target = m_masters[1];
    m_group->openSlot(slot, source, target);
    m_group->moveKey(key, source, target);
    // A change while it is there, but not yet the master's: it is asked about with ASKING.
    PlainClient other(m_group->node(target).endpoint());
    other("ASKING");
    QCOMPARE(other("PEXPIRE", key, 900'000), store::Reply::ofInteger(1));
    QTRY_VERIFY_WITH_TIMEOUT(watch.hasHappened("renewed " + key), kPatienceMs);
    QCOMPARE(watch.rowCount(), m_locks.size());
    m_group->closeSlot(slot, source, target);
    m_group->waitForMaster(slot, source);
    QElapsedTimer timer;
    timer.start();
    QTRY_VERIFY_WITH_TIMEOUT(isShown(watch, key, kAlice), kPatienceMs);
    QVERIFY2(timer.elapsed() < kPromiseMs, qPrintable(QString::number(timer.elapsed())));
    for (const char* const end : {"released ", "expired ", "appeared "}) {
        QVERIFY2(!watch.hasHappened(end + key), end);
    }
    m_group->askOwner(Command("DEL", key));
    QTRY_VERIFY_WITH_TIMEOUT(watch.row(key) == nullptr, kPatienceMs);
    m_group->openSlot(slot, target, source);
    m_group->closeSlot(slot, target, source);
    m_group->waitForMaster(slot, target);
}

void TestLiveCluster::aNewNodeIsWatched()
{
    LiveWatch watch({m_group->endpoint()});
    QTRY_VERIFY_WITH_TIMEOUT(areAllShown(watch), kPatienceMs);
    const std::size_t added = m_group->addNode();
    const std::string& key = m_locks[2];
    const std::uint16_t slot = store::slotOf(key);
    m_group->openSlot(slot, m_masters[2], added);
    m_group->moveKey(key, m_masters[2], added);
    m_group->closeSlot(slot, m_masters[2], added);
    m_group->waitForMaster(slot, m_masters[2]);
    QTRY_VERIFY_WITH_TIMEOUT(isShown(watch, key, kAlice), kPatienceMs);
    QCOMPARE(watch.rowCount(), m_locks.size());
    m_group->ask(added, Command("SET", key, kBob, "PX", 600'000));
    QTRY_VERIFY_WITH_TIMEOUT(isShown(watch, key, kBob), kPatienceMs);
    QVERIFY(!watch.hasHappened("expired " + key));
    m_group->openSlot(slot, added, m_masters[2]);
    m_group->moveKey(key, added, m_masters[2]);
    m_group->closeSlot(slot, added, m_masters[2]);
    m_group->waitForMaster(slot, added);
    QTRY_VERIFY_WITH_TIMEOUT(isShown(watch, key, kBob), kPatienceMs);
}

void TestLiveCluster::theWatchFollowsAFailoverThatWasAskedFor()
{
    LiveWatch watch({m_group->endpoint()});
    QTRY_VERIFY_WITH_TIMEOUT(areAllShown(watch), kPatienceMs);
    const std::size_t next = replicaOf(m_masters[0]);
    QCOMPARE(m_group->ask(next, Command("CLUSTER", "FAILOVER")), store::Reply::ofStatus("OK"));
    const std::size_t master = m_group->waitForMaster(store::slotOf(m_locks[0]), m_masters[0]);
    QCOMPARE(master, next);
    checkThatTheTableIsTrue(watch, master);
}

void TestLiveCluster::theWatchFollowsWhenAMasterDies()
{
    LiveWatch watch({m_group->endpoint()});
    QTRY_VERIFY_WITH_TIMEOUT(areAllShown(watch), kPatienceMs);
    m_group->kill(m_masters[0]);
    QTRY_VERIFY_WITH_TIMEOUT(!watch.row(m_locks[0])->isConfirmed, kPatienceMs);
    const std::size_t next = m_group->waitForMaster(store::slotOf(m_locks[0]), m_masters[0]);
    checkThatTheTableIsTrue(watch, next);
    QTRY_COMPARE_WITH_TIMEOUT(watch.status().problem.kind, store::Problem::Kind::None, kPatienceMs);
    m_group->restart(m_masters[0]);
}

/// The replica hears of nothing any more when the lock is taken; then the master dies.
void TestLiveCluster::whatNoReplicaHasIsAtRisk()
{
    LiveWatch watch({m_group->endpoint()});
    QTRY_VERIFY_WITH_TIMEOUT(areAllShown(watch), kPatienceMs);
    const std::size_t replica = replicaOf(m_masters[0]);
    m_group->freeze(replica);
    m_group->ask(m_masters[0], Command("CLIENT", "KILL", "TYPE", "replica"));
    const std::string late = m_group->lockOn(m_masters[0], 1000);
    m_group->ask(m_masters[0], Command("SET", late, kBob, "PX", 600'000));
    QTRY_VERIFY_WITH_TIMEOUT(isShown(watch, late, kBob), kPatienceMs);
    QVERIFY(!watch.row(late)->flags.has(inspect::Flag::AtRisk));
    m_group->kill(m_masters[0]);
    QTRY_VERIFY_WITH_TIMEOUT(watch.row(late)->flags.has(inspect::Flag::AtRisk), kPatienceMs);
    QVERIFY(!watch.row(m_locks[1])->flags.has(inspect::Flag::AtRisk));
    m_group->thaw(replica);
    QCOMPARE(m_group->waitForMaster(store::slotOf(late), m_masters[0]), replica);
    QTRY_VERIFY_WITH_TIMEOUT(watch.row(late) == nullptr, kPatienceMs); // it is lost
    QTRY_VERIFY_WITH_TIMEOUT(areAllShown(watch), kPatienceMs);
    QVERIFY(!watch.row(m_locks[0])->flags.has(inspect::Flag::AtRisk));
    m_group->restart(m_masters[0]);
}

/// While one master says nothing, what happens on the others is shown, and a lock that it has is
/// not known; the replica that follows it is believed, also when the former one speaks again.
void TestLiveCluster::aSilentMasterHoldsUpNobody()
{
    LiveWatch watch({m_group->endpoint()});
    QTRY_VERIFY_WITH_TIMEOUT(areAllShown(watch), kPatienceMs);
    m_group->freeze(m_masters[0]);
    const std::size_t next = m_group->waitForMaster(store::slotOf(m_locks[0]), m_masters[0]);
    checkThatTheTableIsTrue(watch, next);
    m_group->thaw(m_masters[0]);
    m_group->waitUntilSettled(3);
    QVERIFY(isShown(watch, m_locks[0], kBob));
    QCOMPARE(watch.rowCount(), m_locks.size());
}

inspect::ReleasePlan TestLiveCluster::planFor(LiveDesk& desk, const Bytes& key)
{
    const quint64 request = desk.desk().inspectLock({0, key});
    const bool isAnswered = QTest::qWaitFor([&] { return desk.details(request) != nullptr; },
                                            kPatienceMs);
    return isAnswered && desk.details(request)->release ? *desk.details(request)->release
                                                        : inspect::ReleasePlan();
}

ReleaseReport TestLiveCluster::executed(LiveDesk& desk, const inspect::ReleasePlan& plan)
{
    const quint64 request = desk.desk().execute(plan, {});
    const bool isAnswered = QTest::qWaitFor([&] { return desk.report(request) != nullptr; },
                                            kPatienceMs);
    return isAnswered ? *desk.report(request) : ReleaseReport();
}

/// The former master still takes itself for the master for a moment.
void TestLiveCluster::aReleaseReachesTheNewMasterOnly()
{
    LiveDesk desk({m_group->endpoint()});
    const inspect::ReleasePlan plan = planFor(desk, m_locks[0]);
    QVERIFY(plan.lock);
    m_group->ask(m_masters[0], Command("CONFIG", "RESETSTAT"));
    m_group->freeze(m_masters[0]);
    const std::size_t next = m_group->waitForMaster(store::slotOf(m_locks[0]), m_masters[0]);
    m_group->thaw(m_masters[0]);
    const ReleaseReport report = executed(desk, plan);
    const bool isGone = !m_group->hasKey(next, m_locks[0]);
    QCOMPARE(report.result == ReleaseResult::Released, isGone);
    QCOMPARE(report.result, ReleaseResult::Released);
    m_group->waitUntilSettled(3);
    const store::Outcome statistics = m_group->ask(m_masters[0], Command("INFO", "commandstats"));
    const auto scripts = store::callCountOf(statistics, [](std::string_view name) {
        return name == "eval" || name == "evalsha";
    });
    QCOMPARE(scripts.value_or(1), std::uint64_t(0));
    const QByteArray audit = desk.auditLines().join('\n');
    QVERIFY2(audit.contains(QByteArray::fromStdString(m_group->nodeName(next))), audit.constData());
}

void TestLiveCluster::slotsWithoutOwnerAreUnknown()
{
    LiveWatch watch({m_group->endpoint()});
    QTRY_VERIFY_WITH_TIMEOUT(areAllShown(watch), kPatienceMs);
    const int slot = store::slotOf(m_locks[1]);
    m_group->ask(m_masters[1], Command("CLUSTER", "DELSLOTS", slot));
    QTRY_COMPARE_WITH_TIMEOUT(watch.status().problem.kind,
                              store::Problem::Kind::ClusterSlotsUnowned, kPatienceMs);
    QCOMPARE(watch.status().problem.detail, std::to_string(slot));
    QTRY_VERIFY_WITH_TIMEOUT(!watch.row(m_locks[1])->isConfirmed, kPatienceMs);
    QVERIFY(isShown(watch, m_locks[0], kAlice));
    m_group->ask(m_masters[1], Command("CLUSTER", "ADDSLOTS", slot));
    QTRY_VERIFY_WITH_TIMEOUT(areAllShown(watch), kPatienceMs);
}

LOCKSCOPE_TEST(TestLiveCluster, Core)

} // namespace lockscope::tst_live_cluster

#include "tst_live_cluster.moc"
