#include "tests/kernel/world/stage.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_sim_network {

using namespace lockscope::testing;
using namespace lockscope::world;
using namespace std::chrono_literals;

class TestSimNetwork : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aBlockingPopIsAnsweredWhenSomethingIsPushed();
    void aBlockingPopEndsWithItsTime();
    void aSubscriberHearsWhatIsPublished();
    void manyRequestsAtOnceAreSpreadOverTime();
};

void TestSimNetwork::aBlockingPopIsAnsweredWhenSomethingIsPushed()
{
    Stage stage("list-handoff", twoAtOnce());
    QVERIFY(stage.takeSteps({"serve A 0 c"}));
    stage.goOn(3s);
    const QByteArray before = stage.served();
    QVERIFY2(before.contains("BLPOP") && before.contains("later"), before.constData());
    stage.goOn(5s);
    QCOMPARE(stage.grants(), "A 0s, B 4s"); // at the very release
    QCOMPARE(stage.broken(), "");
}

void TestSimNetwork::aBlockingPopEndsWithItsTime()
{
    WorldPlan plan = twoAtOnce();
    plan.clients[0].diesHolding = true;
    Stage stage("list-handoff", plan);
    QVERIFY(stage.takeSteps({"serve A 0 c"}));
    stage.goOn();
    QVERIFY(stage.grants().startsWith("A 0s, B 1"));
    QCOMPARE(stage.broken(), "");
}

void TestSimNetwork::aSubscriberHearsWhatIsPublished()
{
    Stage stage("redisson-lock", twoAtOnce());
    QVERIFY(stage.takeSteps({"serve A 0 c", "serve B 0 c"}));
    QVERIFY(stage.isOffered("serve B 0 s"));
    stage.goOn(5s);
    QVERIFY(stage.served().contains("B SUBSCRIBE redisson_lock__channel:{k} later"));
    QCOMPARE(stage.grants(), "A 0s, B 4s");
    stage.goOn();
    QCOMPARE(stage.broken(), "");
}

void TestSimNetwork::manyRequestsAtOnceAreSpreadOverTime()
{
    // A client that asks forever without waiting must not keep time from going on.
    WorldPlan plan = twoAtOnce();
    plan.retryPause = Duration(0);
    plan.triesMax = 100;
    plan.waitMax = 2s;
    Stage stage("set-nx-ex", plan);
    QVERIFY(stage.takeSteps({"serve A 0 c"}));
    stage.goOn(100ms);
    QVERIFY(stage.world().elapsed() > Duration(0));
    QVERIFY(stage.world().commandCount() < 200);
}

LOCKSCOPE_TEST(TestSimNetwork, Core)

} // namespace lockscope::tst_sim_network

#include "tst_sim_network.moc"
