#include "core/kernel/world/faults.h"
#include "tests/kernel/world/stage.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_faults {

using namespace lockscope::testing;
using namespace lockscope::world;
using namespace std::chrono_literals;

class TestFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void onlyWhatThePlanAllowsIsOffered();
    void notMoreFaultsThanAllowed();
    void theOrderOfOffersStays();
};

namespace {

/// The ids and variants of the faults that are offered, each once, in the order of their first.
QByteArray faultsIn(Stage& stage)
{
    QByteArrayList faults;
    for (const Step& step : stage.world().steps()) {
        const QByteArray fault = QByteArray(idOf(step.fault).data()) + ' '
                                 + QByteArray::number(step.variant);
        if (step.kind == Step::Kind::Fault && !faults.contains(fault)) {
            faults << fault;
        }
    }
    return faults.join("; ");
}

} // namespace

void TestFaults::onlyWhatThePlanAllowsIsOffered()
{
    Stage nothing("set-nx-ex", twoAtOnce());
    QCOMPARE(nothing.options(), "serve A 0 c; serve B 0 c");
    Stage crashes("set-nx-ex", twoAtOnce(FaultKind::Crash));
    QCOMPARE(crashes.options(), "serve A 0 c; serve B 0 c; crash A 0 c 0; crash A 0 c 1; "
                                "crash B 0 c 0; crash B 0 c 1");
    QVERIFY(crashes.takeSteps({"serve A 0 c"}));
    // B has done nothing since: when exactly it dies makes no difference.
    QCOMPARE(crashes.options(), "serve B 0 c; crash A 0 c 0; crash A 0 c 1");
}

void TestFaults::notMoreFaultsThanAllowed()
{
    WorldPlan plan = planOf({aRound(), aRound(), aRound()});
    plan.faults = FaultPlan::only(FaultKind::Crash, 10s, 2);
    plan.faults.add(FaultKind::Pause, 10s);
    plan.faults.totalMax = 2;
    Stage stage("set-nx-ex", plan);
    QVERIFY(stage.takeSteps({"crash A 0 c 0"}));
    QVERIFY(stage.options().contains("serve B 0 c"));
    QVERIFY(stage.takeSteps({"serve B 0 c"}));
    QVERIFY(stage.takeSteps({"pause B 0 c 0"}));
    QCOMPARE(stage.world().faultCount(), 2);
    QCOMPARE(stage.options(), "serve C 0 c");
}

/// Which of several shortest runs a search finds depends on it.
void TestFaults::theOrderOfOffersStays()
{
    WorldPlan plan = twoAtOnce();
    plan.nodeCount = 2;
    for (const FaultInfo& fault : allFaults()) {
        plan.faults.add(fault.kind, 10s);
    }
    Stage stage("set-nx-ex", plan);
    QCOMPARE(faultsIn(stage), "clock-skew 0; clock-skew 1; clock-drift 0; clock-drift 1; "
                              "clock-drift 2; clock-drift 3");
    QVERIFY(stage.takeSteps({"advance", "serve A 0 c"}));
    QCOMPARE(faultsIn(stage),
             "crash 0; crash 1; pause 0; hang 0; clock-step 1; clock-step 2; partition 0; "
             "partition 1; connection-loss 0; message-loss 0; connection-loss 1; message-loss 1; "
             "message-delay 0; message-copy 0; clock-step 0; server-restart 0; server-restart 1; "
             "failover 0; slow-node 0; partition 2; script-flush 0; force-release 0; eviction 0");
}

LOCKSCOPE_TEST(TestFaults, Core)

} // namespace lockscope::tst_faults

#include "tst_faults.moc"
