#include "tests/kernel/world/stage.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_step_scheduler {

using namespace lockscope::testing;
using namespace lockscope::world;
using namespace std::chrono_literals;

class TestStepScheduler : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRequestOfEveryClientMayBeServedNext();
    void timeGoesOnOnlyWhenNobodyIsServed();
    void theRunEndsWithItsClients();
};

void TestStepScheduler::aRequestOfEveryClientMayBeServedNext()
{
    WorldPlan plan = planOf({aRound(), aRound(), aRound(1s)});
    Stage stage("set-nx-ex", plan);
    QCOMPARE(stage.options(), "serve A 0 c; serve B 0 c");
    QVERIFY(stage.takeSteps({"serve B 0 c"}));
    QCOMPARE(stage.options(), "serve A 0 c");
    QCOMPARE(stage.grants(), "B 0s");
}

void TestStepScheduler::timeGoesOnOnlyWhenNobodyIsServed()
{
    Stage stage("set-nx-ex", twoAtOnce(FaultKind::MessageDelay));
    QVERIFY(!stage.isOffered("advance"));
    QVERIFY(stage.takeSteps({"serve A 0 c"}));
    QVERIFY(!stage.isOffered("advance"));
    QVERIFY(stage.takeSteps({"serve B 0 c"}));
    QVERIFY(stage.isOffered("advance"));
    QCOMPARE(stage.world().elapsed(), Duration(0));
}

void TestStepScheduler::theRunEndsWithItsClients()
{
    Stage stage("set-nx-ex", twoAtOnce());
    stage.goOn();
    QCOMPARE(stage.options(), "");
    QVERIFY(!stage.world().isCutShort());
    QCOMPARE(stage.world().commandCount(), 6);
    QCOMPARE(stage.world().elapsed(), Duration(10s));
}

LOCKSCOPE_TEST(TestStepScheduler, Core)

} // namespace lockscope::tst_step_scheduler

#include "tst_step_scheduler.moc"
