#include "core/kernel/world/planned_life.h"
#include "tests/kernel/world/stage.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_planned_life {

using namespace lockscope::testing;
using namespace lockscope::world;
using namespace std::chrono_literals;

namespace {

constexpr auto kGranted = "A SET k 1 EX 10 NX +OK";

ClientPlan doing(std::vector<Act> acts, Duration startAt = {})
{
    ClientPlan plan;
    plan.startAt = startAt;
    plan.acts = std::move(acts);
    return plan;
}

} // namespace

class TestPlannedLife : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRoundAcquiresWorksAndReleases();
    void itStartsWhenThePlanSays();
    void afterARefusalItGoesOnBehindTheRelease();
    void theMatchingReleaseIsThatOfTheOuterHold();
    void aReleaseWithoutAHoldIsNothing();
    void theLatestHoldOfAKeyIsReleasedFirst();
    void workEndsWhenTheLockIsLost();
    void whoDiesHoldingReleasesNothing();
    void anUncertainHoldIsGivenBack();
    void aHungWorkerDoesNothingMore();
    void unrenewedMeansUnrenewed();
};

void TestPlannedLife::aRoundAcquiresWorksAndReleases()
{
    Stage stage("set-nx-ex", planOf({aRound()}));
    stage.goOn();
    QCOMPARE(stage.served(), QByteArray(kGranted) + "; A DEL k 1");
    QCOMPARE(stage.first(trace::EventKind::Released), "A 4s");
    QCOMPARE(stage.broken(), "");
}

void TestPlannedLife::itStartsWhenThePlanSays()
{
    Stage stage("set-nx-ex", planOf({aRound(2500ms)}));
    QCOMPARE(stage.options(), "advance");
    stage.goOn();
    QCOMPARE(stage.grants(), "A 2.5s");
}

void TestPlannedLife::afterARefusalItGoesOnBehindTheRelease()
{
    WorldPlan plan = planOf({aRound(0s, 20s),
                             doing({Act::acquire(10s), Act::work(90s), Act::release(),
                                    Act::sleep(1s), Act::acquire(10s), Act::release()},
                                   1s)});
    plan.clients[0].acts[0] = Act::acquire(30s);
    plan.triesMax = 2;
    Stage stage("set-nx-ex", plan);
    stage.goOn(6s);
    // Two tries at 1 s and 4 s; a second later it tries the next lock of its plan.
    QCOMPARE(stage.served(),
             "A SET k 1 EX 30 NX +OK; B SET k 1 EX 10 NX nil; B SET k 1 EX 10 NX nil; "
             "B SET k 1 EX 10 NX nil; B SET k 1 EX 10 NX nil");
    QCOMPARE(stage.first(trace::EventKind::GaveUp), "B 4s");
    QCOMPARE(stage.world().elapsed(), Duration(8s));
}

void TestPlannedLife::theMatchingReleaseIsThatOfTheOuterHold()
{
    WorldPlan plan = planOf({doing({Act::acquire(10s), Act::acquire(10s, 1), Act::acquire(10s),
                                    Act::release(), Act::release(1), Act::release(),
                                    Act::acquire(10s, 2), Act::release(2)})});
    plan.triesMax = 1;
    plan.clients.push_back(doing({Act::acquire(60s), Act::work(50s)}));
    Stage stage("set-nx-ex", plan);
    QVERIFY(stage.takeSteps({"serve B 0 c", "serve A 0 c"}));
    // Everything up to the release of the outer hold is left out.
    stage.goOn(1s);
    QCOMPARE(stage.served(), "B SET k1 1 EX 60 NX +OK; A SET k1 1 EX 10 NX nil; "
                             "A SET k3 1 EX 10 NX +OK; A DEL k3 1");
}

void TestPlannedLife::aReleaseWithoutAHoldIsNothing()
{
    Stage stage("set-nx-ex", planOf({doing({Act::release(), Act::sleep(1s), Act::release()})}));
    stage.goOn();
    QCOMPARE(stage.served(), "");
    QCOMPARE(stage.world().elapsed(), Duration(1s));
}

void TestPlannedLife::theLatestHoldOfAKeyIsReleasedFirst()
{
    Stage stage("set-nx-ex", planOf({doing({Act::acquire(10s, 1), Act::acquire(10s),
                                            Act::release(1), Act::release()})}));
    stage.goOn();
    QCOMPARE(stage.served(), "A SET k2 1 EX 10 NX +OK; A SET k1 1 EX 10 NX +OK; A DEL k2 1; "
                             "A DEL k1 1");
}

void TestPlannedLife::workEndsWhenTheLockIsLost()
{
    // The token protocol looks at its clock: no client works on behind the end of the lease.
    Stage stage("set-nx-px-token", planOf({aRound(0s, 90s)}));
    stage.goOn();
    QCOMPARE(stage.first(trace::EventKind::Lost), "A 10s");
    QVERIFY(stage.world().elapsed() < 11s);
}

void TestPlannedLife::whoDiesHoldingReleasesNothing()
{
    WorldPlan plan = planOf({aRound()});
    plan.clients[0].diesHolding = true;
    Stage stage("set-nx-ex", plan);
    stage.goOn();
    QCOMPARE(stage.served(), kGranted);
    QVERIFY(!stage.world().ledger().believes(0, 0));
    QVERIFY(stage.entry("k") != nullptr);
}

void TestPlannedLife::anUncertainHoldIsGivenBack()
{
    WorldPlan plan = planOf({aRound()});
    plan.faults = FaultPlan::only(FaultKind::ConnectionLoss, 10s);
    plan.triesMax = 1;
    Stage stage("set-nx-ex", plan);
    QVERIFY(stage.takeSteps({"connection-loss A 0 c 1"}));
    stage.goOn();
    QCOMPARE(stage.served(), QByteArray(kGranted) + " unheard; A DEL k 1");
    QCOMPARE(stage.grants(), "");
}

void TestPlannedLife::aHungWorkerDoesNothingMore()
{
    Stage stage("set-nx-ex", [] {
        WorldPlan plan = planOf({aRound()});
        plan.faults = FaultPlan::only(FaultKind::Hang, 10s);
        return plan;
    }());
    QVERIFY(stage.takeSteps({"serve A 0 c", "hang A 0 c 0"}));
    stage.goOn();
    QCOMPARE(stage.served(), kGranted);
    QVERIFY(stage.world().ledger().believes(0, 0)); // it will never know better
}

void TestPlannedLife::unrenewedMeansUnrenewed()
{
    for (const bool isRenewed : {true, false}) {
        WorldPlan plan = planOf({aRound(0s, 8s)});
        plan.renewal.period = 3s;
        plan.clients[0].acts[0].isRenewed = isRenewed;
        Stage stage("lua-token-heartbeat", plan);
        stage.goOn();
        QCOMPARE(stage.first(trace::EventKind::Renewed), isRenewed ? "A 3s" : "never");
    }
}

LOCKSCOPE_TEST(TestPlannedLife, Core)

} // namespace lockscope::tst_planned_life

#include "tst_planned_life.moc"
