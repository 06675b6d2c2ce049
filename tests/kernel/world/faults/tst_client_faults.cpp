#include "tests/kernel/world/stage.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_client_faults {

using namespace lockscope::testing;
using namespace lockscope::world;
using namespace std::chrono_literals;

class TestClientFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void crash();
    void aCrashedClientIsStartedAgain();
    void whoIsStartedAgainIsSomebodyElse();
    void pause();
    void requestsOfAPausedClientWait();
    void hang();
};

void TestClientFaults::crash()
{
    Stage stage("set-nx-ex", twoAtOnce(FaultKind::Crash));
    QVERIFY(stage.takeSteps({"serve A 0 c", "crash A 0 c 0"}));
    QVERIFY(!stage.world().ledger().believes(0, 0));
    stage.goOn();
    QCOMPARE(stage.grants(), "A 0s, B 12s");
    QVERIFY(!stage.served().contains("A DEL"));
    QCOMPARE(stage.broken(), "");

    // What it had not sent yet is never sent.
    Stage early("set-nx-ex", twoAtOnce(FaultKind::Crash));
    QVERIFY(early.takeSteps({"crash A 0 c 0"}));
    early.goOn();
    QCOMPARE(early.grants(), "B 0s");
}

void TestClientFaults::aCrashedClientIsStartedAgain()
{
    Stage dying("set-nx-ex", alone(FaultKind::Crash));
    QVERIFY(dying.takeSteps({"serve A 0 c", "crash A 0 c 1"}));
    QVERIFY(!dying.world().ledger().believes(0, 0));
    dying.goOn();
    QCOMPARE(dying.grants(), "A 0s, A 12s"); // it waits for what it left behind
    QCOMPARE(dying.first(trace::EventKind::Releasing), "A 16s");
    QCOMPARE(dying.broken(), "");
}

/// What it left behind is not its own: neither token nor identity are those of before.
void TestClientFaults::whoIsStartedAgainIsSomebodyElse()
{
    for (const char* const protocol : {"set-nx-px-token", "reentrant-hash"}) {
        Stage stage(protocol, alone(FaultKind::Crash));
        QVERIFY(stage.takeSteps({"serve A 0 c", "crash A 0 c 1", "serve A 0 c"}));
        QCOMPARE(stage.grants(), "A 0s");
        stage.goOn();
        QVERIFY(stage.grants().startsWith("A 0s, A 1"));
    }
}

void TestClientFaults::pause()
{
    Stage stage("set-nx-ex", twoAtOnce(FaultKind::Pause));
    QVERIFY(stage.takeSteps({"serve A 0 c", "pause A 0 c 0"}));
    stage.goOn(12s);
    QVERIFY(!stage.served().contains("A DEL"));
    stage.goOn();
    QVERIFY(stage.served().startsWith("A DEL k 1"));
    QCOMPARE(stage.first(trace::EventKind::Releasing), "A 15s");
}

void TestClientFaults::requestsOfAPausedClientWait()
{
    Stage stage("set-nx-ex", twoAtOnce(FaultKind::Pause));
    QVERIFY(stage.takeSteps({"pause A 0 c 0"}));
    QCOMPARE(stage.options(), "serve B 0 c");
    stage.goOn();
    QCOMPARE(stage.grants(), "B 0s, A 15s");
}

void TestClientFaults::hang()
{
    WorldPlan plan = twoAtOnce(FaultKind::Hang);
    plan.renewal.period = 3s;
    plan.horizon = 60s;
    Stage stage("lua-token-heartbeat", plan);
    QVERIFY(!stage.options().contains("hang")); // a client without a hold may hang without harm
    QVERIFY(stage.takeSteps({"serve A 0 c", "hang A 0 c 0"}));
    stage.goOn();
    QCOMPARE(stage.grants(), "A 0s");
    QCOMPARE(stage.first(trace::EventKind::Renewed), "A 3s");
    QCOMPARE(stage.first(trace::EventKind::Releasing), "never");
}

LOCKSCOPE_TEST(TestClientFaults, Core)

} // namespace lockscope::tst_client_faults

#include "tst_client_faults.moc"
