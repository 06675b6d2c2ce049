#include "tests/kernel/world/stage.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_world_steps {

using namespace lockscope::testing;
using namespace lockscope::world;
using namespace std::chrono_literals;

class TestWorldSteps : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRequestOfEveryClientMayBeServedNext();
    void timeGoesOnOnlyWhenNobodyIsServed();
    void timeGoesOnToTheNextThingThatIsDue();
    void aBlockingPopIsAnsweredWhenSomethingIsPushed();
    void aBlockingPopEndsWithItsTime();
    void aSubscriberHearsWhatIsPublished();
    void manyRequestsAtOnceAreSpreadOverTime();
    void theRunEndsWithItsClients();
    void anObserverSeesEverything();
};

namespace {

struct Listener : Observer {
    QByteArray heard;

    void timeWentOn(Instant from, Instant to) override
    {
        heard += "time " + QByteArray::number(toMs(to - from)) + "; ";
    }
    void served(const Request& request, const std::optional<store::Reply>&, bool, bool) override
    {
        heard += "served " + QByteArray::fromStdString(request.command.words[0]) + "; ";
    }
    void delivered(int client, LinkAddress, const store::Reply& reply) override
    {
        heard += "told " + QByteArray::fromStdString(clientName(client) + ' ' + replyText(reply))
                 + "; ";
    }
    void faultHappened(const Step& step, const store::Command* concerned) override
    {
        heard += "fault " + QByteArray::fromStdString(std::string(idOf(step.fault)));
        heard += concerned != nullptr ? " of " + QByteArray::fromStdString(concerned->words[0])
                                      : QByteArray();
        heard += "; ";
    }
    void recorded(const trace::Event& event) override
    {
        heard += QByteArray(idOf(event.kind).data()) + "; ";
    }
    void broke(const Violation& violation) override
    {
        heard += "broke " + textOf({violation}) + "; ";
    }
};

} // namespace

void TestWorldSteps::aRequestOfEveryClientMayBeServedNext()
{
    WorldPlan plan = planOf({aRound(), aRound(), aRound(1s)});
    Stage stage("set-nx-ex", plan);
    QCOMPARE(stage.options(), "serve A 0 c; serve B 0 c");
    QVERIFY(stage.takeSteps({"serve B 0 c"}));
    QCOMPARE(stage.options(), "serve A 0 c");
    QCOMPARE(stage.grants(), "B 0s");
}

void TestWorldSteps::timeGoesOnOnlyWhenNobodyIsServed()
{
    Stage stage("set-nx-ex", twoAtOnce(FaultKind::MessageDelay));
    QVERIFY(!stage.isOffered("advance"));
    QVERIFY(stage.takeSteps({"serve A 0 c"}));
    QVERIFY(!stage.isOffered("advance"));
    QVERIFY(stage.takeSteps({"serve B 0 c"}));
    QVERIFY(stage.isOffered("advance"));
    QCOMPARE(stage.world().elapsed(), Duration(0));
}

void TestWorldSteps::timeGoesOnToTheNextThingThatIsDue()
{
    Stage stage("set-nx-ex", twoAtOnce());
    QVERIFY(stage.takeSteps({"serve A 0 c", "serve B 0 c", "advance"}));
    QCOMPARE(stage.world().elapsed(), Duration(3s)); // B tries again
    QVERIFY(stage.takeSteps({"serve B 0 c", "advance"}));
    QCOMPARE(stage.world().elapsed(), Duration(4s)); // A is done
    QVERIFY(stage.takeSteps({"serve A 0 c"}));
    stage.goOn();
    QCOMPARE(stage.grants(), "A 0s, B 6s");
    QCOMPARE(stage.broken(), "");
}

void TestWorldSteps::aBlockingPopIsAnsweredWhenSomethingIsPushed()
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

void TestWorldSteps::aBlockingPopEndsWithItsTime()
{
    WorldPlan plan = twoAtOnce();
    plan.clients[0].diesHolding = true;
    Stage stage("list-handoff", plan);
    QVERIFY(stage.takeSteps({"serve A 0 c"}));
    stage.goOn();
    QVERIFY(stage.grants().startsWith("A 0s, B 1"));
    QCOMPARE(stage.broken(), "");
}

void TestWorldSteps::aSubscriberHearsWhatIsPublished()
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

void TestWorldSteps::manyRequestsAtOnceAreSpreadOverTime()
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

void TestWorldSteps::theRunEndsWithItsClients()
{
    Stage stage("set-nx-ex", twoAtOnce());
    stage.goOn();
    QCOMPARE(stage.options(), "");
    QVERIFY(!stage.world().isCutShort());
    QCOMPARE(stage.world().commandCount(), 6);
    QCOMPARE(stage.world().elapsed(), Duration(10s));
}

void TestWorldSteps::anObserverSeesEverything()
{
    sim::LuaEngine lua;
    const WorldPlan plan = twoAtOnce(FaultKind::ForceRelease);
    World world(*protocol::findProtocol("set-nx-ex"), plan, lua);
    Listener listener;
    world.observeWith(&listener);
    for (const char* const step :
         {"serve A 0 c", "force-release A 0 c 0", "serve B 0 c", "advance"}) {
        QVERIFY2(world.takeStep(*parseStep(step)), step);
    }
    QCOMPARE(listener.heard,
             "requested; requested; served SET; granted; fault force-release; served SET; granted; "
             "broke double-grant B A; broke dishonest-lease B A; time 4000; releasing; releasing; "
             "broke lost-write B A; ");
}

LOCKSCOPE_TEST(TestWorldSteps, Core)

} // namespace lockscope::tst_world_steps

#include "tst_world_steps.moc"
