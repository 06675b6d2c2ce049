#include "tests/kernel/world/stage.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_clock_faults {

using namespace lockscope::testing;
using namespace lockscope::world;
using namespace std::chrono_literals;

class TestClockFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void clockSkew();
    void clockDrift();
    void clockDriftOfAServer();
    void clockStepOfAServer();
    void clockStepOfAClient();
};

void TestClockFaults::clockSkew()
{
    Stage stage("setnx-getset", twoAtOnce(FaultKind::ClockSkew));
    QCOMPARE(stage.options(), "clock-skew A 0 c 0; clock-skew A 0 c 1; clock-skew B 0 c 0; "
                              "clock-skew B 0 c 1; advance");
    QVERIFY(stage.takeSteps({"clock-skew B 0 c 0"})); // twelve seconds ahead of a lease of ten
    QCOMPARE(stage.world().cost(), 0);
    QVERIFY(stage.takeSteps({"serve A 0 c", "serve A 0 c", "serve B 0 c", "serve B 0 c",
                             "serve B 0 c", "serve B 0 c"}));
    QCOMPARE(stage.grants(), "A 0s, B 0s"); // flaw 20
    QVERIFY(!stage.options().contains("clock-skew"));
}

void TestClockFaults::clockDrift()
{
    Stage stage("set-nx-ex", twoAtOnce(FaultKind::ClockDrift));
    QVERIFY(stage.takeSteps({"clock-drift A 0 c 1", "serve A 0 c", "serve B 0 c"}));
    stage.goOn();
    QCOMPARE(stage.first(trace::EventKind::Releasing), "A 8s"); // half as fast
    Stage fast("set-nx-ex", twoAtOnce(FaultKind::ClockDrift));
    QVERIFY(fast.takeSteps({"clock-drift A 0 c 0", "serve A 0 c", "serve B 0 c"}));
    fast.goOn();
    QCOMPARE(fast.first(trace::EventKind::Releasing), "A 2.666s");
}

void TestClockFaults::clockDriftOfAServer()
{
    Stage fast("set-nx-ex", alone(FaultKind::ClockDrift));
    QVERIFY(fast.options().contains("clock-drift A 0 c 2; clock-drift A 0 c 3"));
    QVERIFY(fast.takeSteps({"clock-drift A 0 c 2", "serve A 0 c"}));
    // Ten of its seconds are less than seven of all other clients.
    QCOMPARE(fast.world().serverTime(0) - ServerClock::kEpoch, Duration(0s));
    QVERIFY(fast.world().ledger().isAnythingLeft(0, Instant(6s)));
    QVERIFY(!fast.world().ledger().isAnythingLeft(0, Instant(7s)));

    Stage slow("set-nx-ex", alone(FaultKind::ClockDrift));
    QVERIFY(slow.takeSteps({"clock-drift A 0 c 3", "serve A 0 c"}));
    QVERIFY(slow.world().ledger().isAnythingLeft(0, Instant(19s)));
    QVERIFY(!slow.world().ledger().isAnythingLeft(0, Instant(21s)));

    WorldPlan plan = planOf({aRound(0s, 30s), aRound(1s)});
    plan.faults = FaultPlan::only(FaultKind::ClockDrift, 10s);
    Stage early("set-nx-ex", plan);
    QVERIFY(early.takeSteps({"clock-drift A 0 c 2"}));
    early.goOn();
    QCOMPARE(early.grants(), "A 0s, B 7s"); // while A trusts its lease for three more seconds
    QVERIFY(early.broken().startsWith("double-grant B A; dishonest-lease B A"));
}

void TestClockFaults::clockStepOfAServer()
{
    Stage stage("set-nx-ex", twoAtOnce(FaultKind::ClockStep));
    QVERIFY(stage.takeSteps({"serve A 0 c", "clock-step A 0 c 0", "serve B 0 c"}));
    QCOMPARE(stage.grants(), "A 0s, B 0s");
    QVERIFY(stage.broken().startsWith("double-grant B A")); // flaw 30
}

void TestClockFaults::clockStepOfAClient()
{
    for (const bool isForward : {true, false}) {
        Stage stage("rw-hash-stamps", twoAtOnce(FaultKind::ClockStep));
        const Bytes before = stage.options().toStdString();
        QVERIFY(stage.takeSteps({"serve B 0 c",
                                 isForward ? "clock-step A 0 c 1" : "clock-step A 0 c 2"})
                == false); // A did nothing in the latest step
        QVERIFY(before.find("clock-step A 0 c 1; clock-step A 0 c 2") != Bytes::npos);
    }
    Stage stage("setnx-getset", twoAtOnce(FaultKind::ClockStep));
    QVERIFY(stage.takeSteps({"serve A 0 c", "serve A 0 c", "serve B 0 c", "clock-step B 0 c 1"}));
    QVERIFY(stage.takeSteps({"serve B 0 c", "serve B 0 c", "serve B 0 c"}));
    QCOMPARE(stage.grants(), "A 0s, B 0s");
}

LOCKSCOPE_TEST(TestClockFaults, Core)

} // namespace lockscope::tst_clock_faults

#include "tst_clock_faults.moc"
