#include "core/kernel/protocol/own_protocol.h"
#include "protocol_scripts.h"
#include "tests/kernel/world/stage.h"
#include "tests/support/fenced_hash.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_step_runner {

using namespace lockscope::testing;
using namespace lockscope::world;
using namespace std::chrono_literals;

class TestStepRunner : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void timeGoesOnToTheNextThingThatIsDue();
    void anObserverSeesEverything();
    void aKeyThatStaysKeepsNobodyAway();
    void aLockThatIsNotFreedIsFound();
    void aPermitThatIsNotGivenBackIsFound();
    void aRenewalThatTakesTheLockOverIsFound();
    void aDeadWaiterKeepsTheLockClosed();
    void aDeadHolderIsFoundWhileOthersPoll();
    void aWaiterInAQueueLosesItsWakeUp();
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

/// A token lock whose renewal is SET with XX, which compares nothing.
std::unique_ptr<protocol::LockProtocol> renewedBySet()
{
    auto read = protocol::readProtocol(R"json({
        "id": "set-xx-renewal",
        "title": "A token lock",
        "summary": "Renewed without a comparison, released with one.",
        "promises": ["owner-only-release"],
        "lease": "10s",
        "renewal": {"period": "3s"},
        "acquire": {
            "script": "return redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])",
            "keys": ["{key}"], "args": ["{token}", "{leaseMs}"],
            "granted": ["OK"], "refused": [null]
        },
        "renew": {
            "script": "return redis.call('set', KEYS[1], ARGV[1], 'XX', 'PX', ARGV[2])",
            "keys": ["{key}"], "args": ["{token}", "{leaseMs}"],
            "renewed": ["OK"], "gone": [null]
        },
        "release": {
            "script": [
                "if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end",
                "return redis.call('del', KEYS[1])"
            ],
            "keys": ["{key}"], "args": ["{token}"],
            "released": [1], "gone": [0]
        }
    })json");
    return std::move(std::get<std::unique_ptr<protocol::LockProtocol>>(read));
}

} // namespace

void TestStepRunner::timeGoesOnToTheNextThingThatIsDue()
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

void TestStepRunner::anObserverSeesEverything()
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

void TestStepRunner::aKeyThatStaysKeepsNobodyAway()
{
    const auto sound = fencedHash();
    Stage stage(*sound, planOf({aRound()}));
    stage.goOn();
    QVERIFY(stage.entry("k") != nullptr);
    QCOMPARE(stage.broken(), "");
}

void TestStepRunner::aLockThatIsNotFreedIsFound()
{
    const auto forgetful = fencedHash("redis.call('hdel', KEYS[1], 'owner') return 1");
    Stage stage(*forgetful, planOf({aRound()}));
    stage.goOn();
    QCOMPARE(stage.broken(), "orphan A -"); // until the lease ends

    Stage late(*forgetful, planOf({aRound(0s, 11s)})); // it had nothing to give back any more
    late.goOn();
    QCOMPARE(late.broken(), "");

    WorldPlan crashing = planOf({aRound()});
    crashing.faults = FaultPlan::only(FaultKind::Crash, 10s);
    Stage faulty(*forgetful, crashing); // what may have been the fault's doing is not judged
    faulty.goOn();
    QCOMPARE(faulty.broken(), "orphan A -");
}

void TestStepRunner::aPermitThatIsNotGivenBackIsFound()
{
    WorldPlan plan = planOf({aRound(0s, 2s), aRound(0s, 6s)});
    plan.permits = 2;
    Stage sound("semaphore", plan);
    sound.goOn();
    QCOMPARE(sound.broken(), "");

    const WorldPlan careless = without("redis.call('zrem', permits, token)",
                                       protocol::scripts::kSemaphoreRelease, plan);
    Stage stage("semaphore", careless); // B holds the other permit, so there has to be room for one
    stage.goOn();
    QVERIFY2(stage.broken().startsWith("orphan A -"), stage.broken().constData());
}

/// The unlock of the fair lock wakes the first waiter of its queue, which is dead: the next one is
/// refused until the place of the dead one runs out.
void TestStepRunner::aDeadWaiterKeepsTheLockClosed()
{
    WorldPlan plan = planOf({aRound(), aRound(500ms), aRound(1s)});
    plan.faults = FaultPlan::only(FaultKind::Crash, 10s);
    plan.waitMax = 24s;
    plan.triesMax = 1000;
    Stage stage("redisson-fair", plan);
    QVERIFY(stage.takeSteps({"serve A 0 c", "advance", "serve B 0 c", "crash B 0 c 0"}));
    stage.goOn();
    QCOMPARE(stage.grants(), "A 0s");
    QVERIFY2(stage.broken().startsWith("never-granted C -"), stage.broken().constData());

    plan.faults = {};
    Stage sound("redisson-fair", plan);
    sound.goOn();
    QCOMPARE(sound.broken(), "");
}

void TestStepRunner::aDeadHolderIsFoundWhileOthersPoll()
{
    const auto brokenBy = [](const char* protocol) {
        WorldPlan plan = planOf({aRound(), aRound(500ms)});
        plan.faults = FaultPlan::only(FaultKind::Crash, 10s);
        Stage stage(protocol, plan);
        const bool isDead = stage.takeSteps({"serve A 0 c", "crash A 0 c 0"});
        stage.goOn();
        return isDead ? stage.broken() : "A lives";
    };
    QVERIFY2(brokenBy("setnx-no-expiry").startsWith("permanent-lock B -"),
             brokenBy("setnx-no-expiry").constData());
    QCOMPARE(brokenBy("set-nx-px-token"), "");
}

/// A fresh client is refused, because it is not its turn; the first of the queue is not woken.
void TestStepRunner::aWaiterInAQueueLosesItsWakeUp()
{
    WorldPlan plan = planOf({aRound(), aRound(500ms), aRound(1s)});
    plan.waitMax = 24s;
    plan.triesMax = 1000;
    const WorldPlan silent = without("redis.call('publish', ARGV[3] .. ':' .. head, '0')",
                                     protocol::scripts::kRedissonFairUnlock, plan);
    Stage stage("redisson-fair", silent);
    stage.goOn();
    QVERIFY2(stage.broken().startsWith("lost-wakeup B -"), stage.broken().constData());
}

/// SET with XX prolongs the key of any owner, and puts its own token there.
void TestStepRunner::aRenewalThatTakesTheLockOverIsFound()
{
    WorldPlan plan = planOf({aRound(0s, 14s), aRound(12s, 9s)});
    plan.renewal.period = 3s;
    plan.faults = FaultPlan::only(FaultKind::Pause, 10s);
    const auto protocol = renewedBySet();
    Stage stage(*protocol, plan);
    QVERIFY(stage.takeSteps({"serve A 0 c", "advance", "pause A 0 c 0"})); // before it can renew
    stage.goOn();
    QVERIFY2(stage.broken().contains("takeover A B"), stage.broken().constData());
}

LOCKSCOPE_TEST(TestStepRunner, Core)

} // namespace lockscope::tst_step_runner

#include "tst_step_runner.moc"
