#include "tests/kernel/world/stage.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_world_faults {

using namespace lockscope::testing;
using namespace lockscope::world;
using namespace std::chrono_literals;

namespace {

WorldPlan alone(FaultKind fault)
{
    WorldPlan plan = planOf({aRound()});
    plan.faults = FaultPlan::only(fault, 10s);
    return plan;
}

} // namespace

class TestWorldFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void onlyWhatThePlanAllowsIsOffered();
    void notMoreFaultsThanAllowed();
    void crash();
    void aCrashedClientIsStartedAgain();
    void whoIsStartedAgainIsSomebodyElse();
    void pause();
    void requestsOfAPausedClientWait();
    void hang();
    void connectionLoss();
    void subscriptionLoss();
    void messageLoss();
    void messageDelay();
    void aDelayedRequestArrivesBeforeTheRunEnds();
    void messageCopy();
    void clockSkew();
    void clockDrift();
    void clockDriftOfAServer();
    void clockStepOfAServer();
    void clockStepOfAClient();
    void serverRestart();
    void failoverLosesTheLatestWrite();
    void failoverLosesTheLatestTwoWrites();
    void partitionOfAClient();
    void partitionOfAnswers();
    void partitionOfAServer();
    void slowNode();
    void scriptFlush();
    void forceRelease();
    void eviction();
};

void TestWorldFaults::onlyWhatThePlanAllowsIsOffered()
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

void TestWorldFaults::notMoreFaultsThanAllowed()
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

void TestWorldFaults::crash()
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

void TestWorldFaults::aCrashedClientIsStartedAgain()
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
void TestWorldFaults::whoIsStartedAgainIsSomebodyElse()
{
    for (const char* const protocol : {"set-nx-px-token", "reentrant-hash"}) {
        Stage stage(protocol, alone(FaultKind::Crash));
        QVERIFY(stage.takeSteps({"serve A 0 c", "crash A 0 c 1", "serve A 0 c"}));
        QCOMPARE(stage.grants(), "A 0s");
        stage.goOn();
        QVERIFY(stage.grants().startsWith("A 0s, A 1"));
    }
}

void TestWorldFaults::pause()
{
    Stage stage("set-nx-ex", twoAtOnce(FaultKind::Pause));
    QVERIFY(stage.takeSteps({"serve A 0 c", "pause A 0 c 0"}));
    stage.goOn(12s);
    QVERIFY(!stage.served().contains("A DEL"));
    stage.goOn();
    QVERIFY(stage.served().startsWith("A DEL k 1"));
    QCOMPARE(stage.first(trace::EventKind::Releasing), "A 15s");
}

void TestWorldFaults::requestsOfAPausedClientWait()
{
    Stage stage("set-nx-ex", twoAtOnce(FaultKind::Pause));
    QVERIFY(stage.takeSteps({"pause A 0 c 0"}));
    QCOMPARE(stage.options(), "serve B 0 c");
    stage.goOn();
    QCOMPARE(stage.grants(), "B 0s, A 15s");
}

void TestWorldFaults::hang()
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

void TestWorldFaults::connectionLoss()
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

void TestWorldFaults::subscriptionLoss()
{
    Stage stage("redisson-lock", twoAtOnce(FaultKind::ConnectionLoss));
    QVERIFY(stage.takeSteps({"serve A 0 c", "serve B 0 c", "serve B 0 s"}));
    QVERIFY(stage.takeSteps({"connection-loss B 0 s 2"}));
    QVERIFY(stage.isOffered("serve B 0 s")); // it subscribes anew
    stage.goOn();
    QCOMPARE(stage.grants(), "A 0s, B 4s");
    QCOMPARE(stage.broken(), "");
}

void TestWorldFaults::messageLoss()
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

void TestWorldFaults::messageDelay()
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

void TestWorldFaults::aDelayedRequestArrivesBeforeTheRunEnds()
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

void TestWorldFaults::messageCopy()
{
    Stage stage("set-nx-ex", twoAtOnce(FaultKind::MessageCopy));
    QVERIFY(stage.takeSteps({"message-copy A 0 c 0"}));
    QCOMPARE(stage.served(), "A SET k 1 EX 10 NX +OK");
    QCOMPARE(stage.grants(), "A 0s");
    QVERIFY(stage.takeSteps({"late 0"}));
    QCOMPARE(stage.served(), "A SET k 1 EX 10 NX nil late");
    QVERIFY(!stage.isOffered("late 0"));
}

void TestWorldFaults::clockSkew()
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

void TestWorldFaults::clockDrift()
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

void TestWorldFaults::clockDriftOfAServer()
{
    Stage fast("set-nx-ex", alone(FaultKind::ClockDrift));
    QVERIFY(fast.options().contains("clock-drift A 0 c 2; clock-drift A 0 c 3"));
    QVERIFY(fast.takeSteps({"clock-drift A 0 c 2", "serve A 0 c"}));
    // Ten of its seconds are less than seven of all other clients.
    QCOMPARE(fast.world().serverTime(0) - ServerClock::kEpoch, Duration(0s));
    QVERIFY(fast.world().ledger().remainsOf(0, Instant(6s)) == Ledger::Remains::Expiring);
    QVERIFY(fast.world().ledger().remainsOf(0, Instant(7s)) == Ledger::Remains::Nothing);

    Stage slow("set-nx-ex", alone(FaultKind::ClockDrift));
    QVERIFY(slow.takeSteps({"clock-drift A 0 c 3", "serve A 0 c"}));
    QVERIFY(slow.world().ledger().remainsOf(0, Instant(19s)) == Ledger::Remains::Expiring);
    QVERIFY(slow.world().ledger().remainsOf(0, Instant(21s)) == Ledger::Remains::Nothing);

    WorldPlan plan = planOf({aRound(0s, 30s), aRound(1s)});
    plan.faults = FaultPlan::only(FaultKind::ClockDrift, 10s);
    Stage early("set-nx-ex", plan);
    QVERIFY(early.takeSteps({"clock-drift A 0 c 2"}));
    early.goOn();
    QCOMPARE(early.grants(), "A 0s, B 7s"); // while A trusts its lease for three more seconds
    QVERIFY(early.broken().startsWith("double-grant B A; dishonest-lease B A"));
}

void TestWorldFaults::clockStepOfAServer()
{
    Stage stage("set-nx-ex", twoAtOnce(FaultKind::ClockStep));
    QVERIFY(stage.takeSteps({"serve A 0 c", "clock-step A 0 c 0", "serve B 0 c"}));
    QCOMPARE(stage.grants(), "A 0s, B 0s");
    QVERIFY(stage.broken().startsWith("double-grant B A")); // flaw 30
}

void TestWorldFaults::clockStepOfAClient()
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

void TestWorldFaults::serverRestart()
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

void TestWorldFaults::failoverLosesTheLatestWrite()
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

void TestWorldFaults::failoverLosesTheLatestTwoWrites()
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

void TestWorldFaults::partitionOfAClient()
{
    Stage stage("set-nx-ex", twoAtOnce(FaultKind::Partition));
    QVERIFY(stage.takeSteps({"serve A 0 c", "partition A 0 c 0"}));
    stage.goOn(14s);
    QVERIFY(!stage.served().contains("A DEL"));
    QCOMPARE(stage.grants(), "A 0s, B 12s");
    // The release is given up: whether it arrived is not known.
    QCOMPARE(stage.first(trace::EventKind::ReleaseUncertain), "A 7s");
}

void TestWorldFaults::partitionOfAnswers()
{
    Stage stage("set-nx-ex", alone(FaultKind::Partition));
    QVERIFY(stage.takeSteps({"partition A 0 c 1", "serve A 0 c"}));
    QCOMPARE(stage.served(), "A SET k 1 EX 10 NX +OK unheard");
    QVERIFY(stage.entry("k") != nullptr);
    stage.goOn(5s);
    QCOMPARE(stage.world().elapsed(), Duration(6s));
    QCOMPARE(stage.served(), "A SET k 1 EX 10 NX nil unheard");
}

void TestWorldFaults::partitionOfAServer()
{
    Stage single("set-nx-ex", twoAtOnce(FaultKind::Partition));
    QVERIFY(!single.isOffered("partition A 0 c 2"));
    WorldPlan plan = twoAtOnce(FaultKind::Partition);
    plan.nodeCount = 3;
    Stage stage("redlock", plan);
    QVERIFY(stage.takeSteps({"partition A 2 c 2"}));
    QCOMPARE(stage.options(), "serve A 0 c; serve A 1 c; serve B 0 c; serve B 1 c");
}

void TestWorldFaults::slowNode()
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

void TestWorldFaults::scriptFlush()
{
    Stage stage("set-nx-px-token", twoAtOnce(FaultKind::ScriptFlush));
    QVERIFY(stage.takeSteps({"serve A 0 c", "script-flush A 0 c 0"}));
    stage.goOn();
    const QByteArray served = stage.served();
    QVERIFY(served.contains("NOSCRIPT"));
    QVERIFY(served.contains(" EVAL "));
    QCOMPARE(stage.grants(), "A 0s, B 6s");
}

void TestWorldFaults::forceRelease()
{
    Stage stage("set-nx-ex", twoAtOnce(FaultKind::ForceRelease));
    QVERIFY(!stage.options().contains("force-release"));
    QVERIFY(stage.takeSteps({"serve A 0 c", "force-release A 0 c 0"}));
    QVERIFY(stage.entry("k") == nullptr);
    QVERIFY(stage.takeSteps({"serve B 0 c"}));
    QVERIFY(stage.broken().startsWith("double-grant B A"));
}

void TestWorldFaults::eviction()
{
    Stage stage("rw-two-keys-counted", [] {
        WorldPlan plan = twoAtOnce(FaultKind::Eviction);
        plan.clients[0].acts[0].mode = protocol::Mode::Read;
        plan.clients[1].acts[0].mode = protocol::Mode::Write;
        return plan;
    }());
    QVERIFY(!stage.options().contains("eviction"));
    QVERIFY(stage.takeSteps({"serve A 0 c", "eviction A 0 c 0"}));
    QCOMPARE(stage.world().server(0).database().keys().entries().size(), std::size_t{0});
    QVERIFY(stage.takeSteps({"serve B 0 c"}));
    QVERIFY(stage.broken().startsWith("double-grant B A")); // flaw 34
}

LOCKSCOPE_TEST(TestWorldFaults, Core)

} // namespace lockscope::tst_world_faults

#include "tst_world_faults.moc"
