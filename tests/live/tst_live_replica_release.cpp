#include "tests/kernel/text_in_failures.h"
#include "tests/live/release_bench.h"
#include "tests/support/live/live_server.h"
#include "tests/support/test_program.h"

#include <QTest>

// Locks that a replica shows: only their master may release them.
namespace lockscope::tst_live_replica_release {

using namespace lockscope::testing;
using namespace inspect;
using store::Problem;

class TestLiveReplicaRelease : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!LiveServer::isInstalled()) {
            QSKIP("redis-server is not installed");
        }
    }
    void aReplicaRefuses();
    void whatAReplicaShowsIsReleasedOnItsMaster();
    void aFlagThatAReplicaShowsIsReleasedOnItsMaster();
    void aFlagThatWasWrittenToMeanwhileIsLeftAlone();
    void aReplicaThatTakesWritesIsLeftAlone();
};

void TestLiveReplicaRelease::aReplicaRefuses()
{
    ReleaseBench bench;
    bench.server.client()("SET", "order:lock", kAlice, "PX", 600000);
    bench.open();
    const ReleasePlan plan = bench.plan("order:lock");
    bench.server.client()("REPLICAOF", "127.0.0.1", 1);
    const ReleaseReport report = bench.executed(plan);
    QVERIFY(report.result == ReleaseResult::Refused);
    QCOMPARE(report.problem.kind, Problem::Kind::NotMaster);
    QCOMPARE(report.problem.detail, std::string("127.0.0.1:1"));
    QVERIFY(store::explain(report.problem).find("Release it there.") != std::string::npos);
    QVERIFY(bench.exists("order:lock"));
}

void TestLiveReplicaRelease::whatAReplicaShowsIsReleasedOnItsMaster()
{
    LiveServer master(LiveServer::Listen::LoopbackPort);
    ReleaseBench bench;
    const std::string address = store::serverName(master.endpoint());
    const auto replicaHas = [&bench](const Bytes& key) {
        return QTest::qWaitFor([&] { return bench.exists(key); }, kReleasePatienceMs);
    };
    bench.server.client()("REPLICAOF", master.endpoint().host, master.endpoint().port);
    master.client()("SET", "order:lock", kAlice, "PX", 600000);
    QVERIFY(replicaHas("order:lock"));
    bench.open();
    const ReleasePlan plan = bench.lookUpToRelease("order:lock").release.value();
    QCOMPARE(plan.masterOf(0), address);
    const ReleaseReport report = bench.executed(plan);
    QCOMPARE(report.result, ReleaseResult::Released);
    QCOMPARE(master.client()("EXISTS", "order:lock"), store::Reply::ofInteger(0));
    QCOMPARE(bench.auditLine()["server"].get<std::string>(), address);
    QCOMPARE(bench.auditLine()["replica"].get<std::string>(),
             store::serverName(bench.server.endpoint()));
    // The next holder is on the master, and not yet on the replica.
    bench.server.client()("REPLICAOF", "NO", "ONE");
    bench.server.client()("SET", "order:lock", kAlice, "PX", 600000);
    master.client()("SET", "order:lock", kBob, "PX", 600000);
    bench.server.client()("REPLICAOF", master.endpoint().host, master.endpoint().port);
    const ReleaseReport late = bench.executed(plan);
    QCOMPARE(late.result, ReleaseResult::ChangedHands);
    QCOMPARE(master.client()("EXISTS", "order:lock"), store::Reply::ofInteger(1));
}

/// Nothing in the value tells this hold from the next: the master has to notice writes.
void TestLiveReplicaRelease::aFlagThatAReplicaShowsIsReleasedOnItsMaster()
{
    LiveServer master(LiveServer::Listen::LoopbackPort);
    ReleaseBench bench;
    bench.server.client()("REPLICAOF", master.endpoint().host, master.endpoint().port);
    master.client()("SETNX", "order:lock", "1");
    QVERIFY(QTest::qWaitFor([&] { return bench.exists("order:lock"); }, kReleasePatienceMs));
    bench.open();
    const ReleasePlan plan = bench.lookUpToRelease("order:lock").release.value();
    QVERIFY(plan.guard.has_value());
    const ReleaseReport report = bench.executed(plan);
    QVERIFY2(report.result == ReleaseResult::Released, report.ownReason.c_str());
    QCOMPARE(master.client()("EXISTS", "order:lock"), store::Reply::ofInteger(0));
    QCOMPARE(bench.auditLine()["server"].get<std::string>(), store::serverName(master.endpoint()));
}

void TestLiveReplicaRelease::aFlagThatWasWrittenToMeanwhileIsLeftAlone()
{
    LiveServer master(LiveServer::Listen::LoopbackPort);
    ReleaseBench bench;
    bench.server.client()("REPLICAOF", master.endpoint().host, master.endpoint().port);
    master.client()("SETNX", "order:lock", "1");
    QVERIFY(QTest::qWaitFor([&] { return bench.exists("order:lock"); }, kReleasePatienceMs));
    bench.open();
    const ReleasePlan plan = bench.lookUpToRelease("order:lock").release.value();
    master.client()("DEL", "order:lock"); // which may be on its way to the replica yet
    master.client()("SETNX", "order:lock", "1");
    const ReleaseReport report = bench.executed(plan);
    QVERIFY(report.result == ReleaseResult::ChangedHands);
    QVERIFY(report.wasWritten);
    QCOMPARE(master.client()("EXISTS", "order:lock"), store::Reply::ofInteger(1));
}

void TestLiveReplicaRelease::aReplicaThatTakesWritesIsLeftAlone()
{
    ReleaseBench bench;
    bench.server.client()("SET", "order:lock", kAlice, "PX", 600000);
    bench.open();
    const ReleasePlan plan = bench.plan("order:lock");
    bench.server.client()("CONFIG", "SET", "replica-read-only", "no");
    bench.server.client()("REPLICAOF", "127.0.0.1", 1);
    const ReleaseReport report = bench.executed(plan);
    QVERIFY(report.result == ReleaseResult::Refused);
    QCOMPARE(report.problem.kind, Problem::Kind::NotMaster);
    QVERIFY(bench.exists("order:lock"));
}

LOCKSCOPE_TEST(TestLiveReplicaRelease, Core)

} // namespace lockscope::tst_live_replica_release

#include "tst_live_replica_release.moc"
