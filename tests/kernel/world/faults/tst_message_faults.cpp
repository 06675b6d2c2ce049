#include "tests/kernel/world/stage.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_message_faults {

using namespace lockscope::testing;
using namespace lockscope::world;
using namespace std::chrono_literals;

class TestMessageFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void connectionLoss();
    void subscriptionLoss();
    void messageLoss();
    void messageDelay();
    void aDelayedRequestArrivesBeforeTheRunEnds();
    void messageCopy();
};

void TestMessageFaults::connectionLoss()
{
    Stage before("set-nx-ex", alone(FaultKind::ConnectionLoss));
    QVERIFY(before.takeSteps({"connection-loss A 0 c 0"}));
    QVERIFY(before.entry("k") == nullptr);
    QCOMPARE(before.served(), "");
    before.goOn();
    QCOMPARE(before.grants(), "A 3s"); // it hears of it at once, and tries again

    Stage after("set-nx-ex", alone(FaultKind::ConnectionLoss));
    QVERIFY(after.takeSteps({"connection-loss A 0 c 1"}));
    QVERIFY(after.entry("k") != nullptr);
    QCOMPARE(after.served(), "A SET k 1 EX 10 NX +OK unheard");
    after.goOn(3s);
    QCOMPARE(after.served(), "A SET k 1 EX 10 NX nil"); // flaw 61
}

void TestMessageFaults::subscriptionLoss()
{
    Stage stage("redisson-lock", twoAtOnce(FaultKind::ConnectionLoss));
    QVERIFY(stage.takeSteps({"serve A 0 c", "serve B 0 c", "serve B 0 s"}));
    QVERIFY(stage.takeSteps({"connection-loss B 0 s 2"}));
    QVERIFY(stage.isOffered("serve B 0 s")); // it subscribes anew
    stage.goOn();
    QCOMPARE(stage.grants(), "A 0s, B 4s");
    QCOMPARE(stage.broken(), "");
}

void TestMessageFaults::messageLoss()
{
    Stage request("set-nx-ex", alone(FaultKind::MessageLoss));
    QVERIFY(request.takeSteps({"message-loss A 0 c 0"}));
    QVERIFY(request.entry("k") == nullptr);
    request.goOn();
    QCOMPARE(request.grants(), "A 6s"); // after its time-out and a pause

    Stage answer("set-nx-ex", alone(FaultKind::MessageLoss));
    QVERIFY(answer.takeSteps({"message-loss A 0 c 1"}));
    QVERIFY(answer.entry("k") != nullptr);
    QCOMPARE(answer.served(), "A SET k 1 EX 10 NX +OK unheard");
    answer.goOn(5s);
    QCOMPARE(answer.world().elapsed(), Duration(6s));
    QCOMPARE(answer.served(), "A SET k 1 EX 10 NX nil");
}

void TestMessageFaults::messageDelay()
{
    Stage stage("set-nx-ex", twoAtOnce(FaultKind::MessageDelay));
    QVERIFY(stage.takeSteps({"serve A 0 c", "serve B 0 c", "advance", "serve B 0 c", "advance"}));
    QVERIFY(stage.takeSteps({"message-delay A 0 c 0"})); // the DEL
    QCOMPARE(stage.world().elapsed(), Duration(4s));
    QVERIFY(stage.isOffered("late 0"));
    stage.served();
    while (stage.grants() == "A 0s") {
        QVERIFY(stage.takeSteps({"advance"}) || stage.takeSteps({"serve B 0 c"}));
    }
    QCOMPARE(stage.grants(), "A 0s, B 12s");
    stage.served();
    QVERIFY(stage.takeSteps({"late 0"}));
    QCOMPARE(stage.served(), "A DEL k 1 late");
    QCOMPARE(stage.broken(), "wrong-release A B"); // flaw 60
}

void TestMessageFaults::aDelayedRequestArrivesBeforeTheRunEnds()
{
    WorldPlan plan = planOf({aRound()});
    plan.faults = FaultPlan::only(FaultKind::MessageDelay, 10s);
    Stage stage("setnx-no-expiry", plan);
    QVERIFY(stage.takeSteps({"message-delay A 0 c 0"}));
    stage.takeSteps({"advance"});
    stage.goOn();
    QVERIFY(stage.served().contains("A SETNX k 1 1 late"));
    QCOMPARE(stage.options(), "");
}

void TestMessageFaults::messageCopy()
{
    Stage stage("set-nx-ex", twoAtOnce(FaultKind::MessageCopy));
    QVERIFY(stage.takeSteps({"message-copy A 0 c 0"}));
    QCOMPARE(stage.served(), "A SET k 1 EX 10 NX +OK");
    QCOMPARE(stage.grants(), "A 0s");
    QVERIFY(stage.takeSteps({"late 0"}));
    QCOMPARE(stage.served(), "A SET k 1 EX 10 NX nil late");
    QVERIFY(!stage.isOffered("late 0"));
}

LOCKSCOPE_TEST(TestMessageFaults, Core)

} // namespace lockscope::tst_message_faults

#include "tst_message_faults.moc"
