#include "tests/kernel/world/stage.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_server_faults {

using namespace lockscope::testing;
using namespace lockscope::world;
using namespace std::chrono_literals;

class TestServerFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void serverRestart();
    void failoverLosesTheLatestWrite();
    void failoverLosesTheLatestTwoWrites();
    void partitionOfAClient();
    void partitionOfAnswers();
    void partitionOfAServer();
    void slowNode();
    void scriptFlush();
};

void TestServerFaults::serverRestart()
{
    Stage empty("set-nx-ex", twoAtOnce(FaultKind::ServerRestart));
    QVERIFY(empty.takeSteps({"serve A 0 c", "server-restart A 0 c 0"}));
    QVERIFY(empty.entry("k") == nullptr);
    QVERIFY(empty.takeSteps({"serve B 0 c"}));
    QCOMPARE(empty.grants(), "A 0s, B 0s"); // flaw 32
    QVERIFY(empty.broken().startsWith("double-grant B A"));

    Stage kept("set-nx-ex", twoAtOnce(FaultKind::ServerRestart));
    QVERIFY(kept.takeSteps({"serve A 0 c", "server-restart A 0 c 1"}));
    QVERIFY(kept.entry("k") != nullptr);
    kept.goOn();
    QCOMPARE(kept.broken(), "");

    // A task that waits on a connection hears that it is gone; scripts are forgotten.
    Stage blocked("list-handoff", twoAtOnce(FaultKind::ServerRestart));
    QVERIFY(blocked.takeSteps({"serve A 0 c"}));
    while (!blocked.served().contains("BLPOP")) {
        QVERIFY(blocked.takeSteps({"serve B 0 c"}) || blocked.takeSteps({"serve B 0 b"}));
    }
    QVERIFY(blocked.takeSteps({"server-restart A 0 c 1"}));
    blocked.goOn(9s);
    QVERIFY(blocked.served().contains("NOSCRIPT"));
}

void TestServerFaults::failoverLosesTheLatestWrite()
{
    Stage stage("set-nx-ex", twoAtOnce(FaultKind::Failover));
    QVERIFY(!stage.options().contains("failover")); // nothing to lose
    QVERIFY(stage.takeSteps({"serve A 0 c"}));
    QVERIFY(!stage.isOffered("failover A 0 c 1"));
    QVERIFY(stage.takeSteps({"failover A 0 c 0"}));
    QVERIFY(stage.entry("k") == nullptr);
    QVERIFY(stage.takeSteps({"serve B 0 c"}));
    QVERIFY(stage.broken().startsWith("double-grant B A")); // flaw 31
}

void TestServerFaults::failoverLosesTheLatestTwoWrites()
{
    WorldPlan plan = twoAtOnce(FaultKind::Failover);
    plan.clients[0].acts = {Act::acquire(60s), Act::acquire(60s, 1), Act::acquire(60s, 2)};
    for (const int lost : {1, 2}) {
        Stage stage("set-nx-ex", plan);
        QVERIFY(stage.takeSteps({"serve A 0 c", "serve A 0 c", "serve A 0 c",
                                 lost == 1 ? "failover A 0 c 0" : "failover A 0 c 1"}));
        QVERIFY(stage.entry("k1") != nullptr);
        QCOMPARE(stage.entry("k2") != nullptr, lost == 1);
        QVERIFY(stage.entry("k3") == nullptr);
    }
}

void TestServerFaults::partitionOfAClient()
{
    Stage stage("set-nx-ex", twoAtOnce(FaultKind::Partition));
    QVERIFY(stage.takeSteps({"serve A 0 c", "partition A 0 c 0"}));
    stage.goOn(14s);
    QVERIFY(!stage.served().contains("A DEL"));
    QCOMPARE(stage.grants(), "A 0s, B 12s");
    // The release is given up: whether it arrived is not known.
    QCOMPARE(stage.first(trace::EventKind::ReleaseUncertain), "A 7s");
}

void TestServerFaults::partitionOfAnswers()
{
    Stage stage("set-nx-ex", alone(FaultKind::Partition));
    QVERIFY(stage.takeSteps({"partition A 0 c 1", "serve A 0 c"}));
    QCOMPARE(stage.served(), "A SET k 1 EX 10 NX +OK unheard");
    QVERIFY(stage.entry("k") != nullptr);
    stage.goOn(5s);
    QCOMPARE(stage.world().elapsed(), Duration(6s));
    QCOMPARE(stage.served(), "A SET k 1 EX 10 NX nil unheard");
}

void TestServerFaults::partitionOfAServer()
{
    Stage single("set-nx-ex", twoAtOnce(FaultKind::Partition));
    QVERIFY(!single.isOffered("partition A 0 c 2"));
    WorldPlan plan = twoAtOnce(FaultKind::Partition);
    plan.nodeCount = 3;
    Stage stage("redlock", plan);
    QVERIFY(stage.takeSteps({"partition A 2 c 2"}));
    QCOMPARE(stage.options(), "serve A 0 c; serve A 1 c; serve B 0 c; serve B 1 c");
}

void TestServerFaults::slowNode()
{
    Stage stage("set-nx-ex", twoAtOnce(FaultKind::SlowNode));
    QVERIFY(stage.takeSteps({"slow-node A 0 c 0"}));
    QCOMPARE(stage.options(), "advance");
    QVERIFY(stage.takeSteps({"advance"}));
    QCOMPARE(stage.world().elapsed(), Duration(1s));
    QCOMPARE(stage.options(), "serve A 0 c; serve B 0 c");
    stage.goOn();
    QCOMPARE(stage.first(trace::EventKind::Released), "A 6s"); // so is every later request
}

void TestServerFaults::scriptFlush()
{
    Stage stage("set-nx-px-token", twoAtOnce(FaultKind::ScriptFlush));
    QVERIFY(stage.takeSteps({"serve A 0 c", "script-flush A 0 c 0"}));
    stage.goOn();
    const QByteArray served = stage.served();
    QVERIFY(served.contains("NOSCRIPT"));
    QVERIFY(served.contains(" EVAL "));
    QCOMPARE(stage.grants(), "A 0s, B 6s");
}

LOCKSCOPE_TEST(TestServerFaults, Core)

} // namespace lockscope::tst_server_faults

#include "tst_server_faults.moc"
