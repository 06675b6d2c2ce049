#include "tests/kernel/random_input.h"
#include "tests/kernel/world/stage.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <set>

namespace lockscope::tst_world {

using namespace lockscope::testing;
using namespace lockscope::world;
using namespace std::chrono_literals;

namespace {

/// A run of random steps in two worlds side by side; what differs, or nothing.
std::string differenceOfTwins(const protocol::LockProtocol& protocol, const WorldPlan& plan,
                              Rng& rng)
{
    sim::LuaEngine lua;
    sim::LuaEngine otherLua;
    World one(protocol, plan, lua);
    World other(protocol, plan, otherLua);
    std::string story = protocol.info().id;
    for (int i = 0; i < 60; ++i) {
        const auto steps = one.steps();
        const auto same = other.steps();
        if (!std::ranges::equal(steps, same)) {
            return story + ": other steps";
        }
        if (steps.empty()) {
            one.conclude();
            other.conclude();
            break;
        }
        const Step step = steps[rng.below(steps.size())];
        story += "; " + toText(step);
        one.takeStep(step);
        other.takeKnownStep(step);
        if (one.stateHash() != other.stateHash() || one.cost() != other.cost()) {
            return story + ": another state";
        }
    }
    return one.violations() == other.violations() ? "" : story + ": other violations";
}

} // namespace

class TestWorld : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theSameStepsMakeTheSameWorld();
    void whatIsNotPossibleIsNotDone();
    void theLengthCountsTimeThatGoesOnOnce();
    void everythingTheWorldKnowsIsInItsHash();
    void aReleaseByAnotherIsSeen();
    void serversAreThereFromTheBeginning();
    void twinsShareAnIdentity();
    void aRunInWhichNothingIsDoneEnds();
};

void TestWorld::theSameStepsMakeTheSameWorld()
{
    RandomInput input;
    for (const protocol::LockProtocol* const protocol : protocol::builtinProtocols()) {
        WorldPlan plan = twoAtOnce();
        plan.nodeCount = protocol->info().id == "redlock" ? 3 : 1;
        for (int kind = 1; kind < static_cast<int>(FaultKind::FaultKindCount); ++kind) {
            plan.faults.add(static_cast<FaultKind>(kind), 10s);
        }
        plan.faults.totalMax = 3;
        for (int i = 0; i < 5; ++i) {
            const std::string difference = differenceOfTwins(*protocol, plan, input.rng());
            QVERIFY2(difference.empty(), (input.recipe() + difference).c_str());
        }
    }
}

void TestWorld::whatIsNotPossibleIsNotDone()
{
    Stage stage("set-nx-ex", twoAtOnce());
    const std::uint64_t before = (stage.options(), stage.world().stateHash());
    for (const char* const step : {"serve A 0 b", "advance", "late 0", "crash A 0 c 0"}) {
        QVERIFY2(!stage.takeSteps({step}), step);
    }
    QCOMPARE(stage.world().stateHash(), before);
    QCOMPARE(stage.world().cost(), 0);
    QVERIFY(stage.takeSteps({"serve A 0 c"}));
    QVERIFY(stage.world().stateHash() != before);
}

void TestWorld::theLengthCountsTimeThatGoesOnOnce()
{
    WorldPlan plan = planOf({aRound(1s), aRound(2s)});
    Stage stage("set-nx-ex", plan);
    QVERIFY(stage.takeSteps({"advance"}));
    QCOMPARE(stage.world().cost(), 1);
    QVERIFY(!stage.isOffered("advance"));
    QVERIFY(stage.takeSteps({"serve A 0 c", "advance"}));
    QCOMPARE(stage.world().cost(), 3);
    QVERIFY(stage.takeSteps({"serve B 0 c", "advance"}));
    QCOMPARE(stage.world().cost(), 5);
    // A retry and the end of the work fall on one instant; no client is served in between.
    QCOMPARE(stage.world().elapsed(), Duration(5s));
}

void TestWorld::everythingTheWorldKnowsIsInItsHash()
{
    std::set<std::uint64_t> hashes;
    for (const char* const step :
         {"serve A 0 c", "serve B 0 c", "crash A 0 c 0", "pause A 0 c 0", "message-delay A 0 c 0",
          "connection-loss A 0 c 0", "connection-loss A 0 c 1", "message-loss A 0 c 0",
          "partition A 0 c 0", "partition A 0 c 1", "clock-step A 0 c 0", "clock-step A 0 c 1",
          "slow-node A 0 c 0"}) {
        WorldPlan plan = twoAtOnce();
        for (int kind = 1; kind < static_cast<int>(FaultKind::FaultKindCount); ++kind) {
            plan.faults.add(static_cast<FaultKind>(kind), 10s);
        }
        Stage stage("set-nx-ex", plan);
        stage.takeSteps({"advance"}); // no clock is wrong from the beginning
        QVERIFY2(stage.takeSteps({step}), step);
        QVERIFY2(hashes.insert(stage.world().stateHash()).second, step);
    }
}

void TestWorld::aReleaseByAnotherIsSeen()
{
    // Flaw 11: a paused holder's DEL frees the next one.
    Stage stage("set-nx-ex", twoAtOnce(FaultKind::Pause));
    QVERIFY(stage.takeSteps({"serve A 0 c", "pause A 0 c 0"}));
    stage.goOn();
    QCOMPARE(stage.grants(), "A 0s, B 12s");
    QCOMPARE(stage.broken(), "double-belief B A; wrong-release A B");
}

void TestWorld::serversAreThereFromTheBeginning()
{
    WorldPlan plan = twoAtOnce();
    plan.nodeCount = 3;
    Stage stage("redlock", plan);
    QCOMPARE(stage.options(), "serve A 0 c; serve A 1 c; serve A 2 c; serve B 0 c; serve B 1 c; "
                              "serve B 2 c");
    QVERIFY(stage.takeSteps({"serve B 2 c"}));
    QVERIFY(stage.entry("k", 2) != nullptr);
    QVERIFY(stage.entry("k", 0) == nullptr);
    QVERIFY(stage.world().isBetterBeforeLatest(*parseStep("serve A 1 c")));
    QVERIFY(!stage.world().isBetterBeforeLatest(*parseStep("serve A 2 c")));
}

void TestWorld::twinsShareAnIdentity()
{
    WorldPlan plan = twoAtOnce();
    plan.clients[1].sharesIdentityWith = 0;
    Stage stage("reentrant-hash", plan);
    QVERIFY(stage.takeSteps({"serve A 0 c", "serve B 0 c"}));
    QCOMPARE(stage.grants(), "A 0s, B 0s");
    QVERIFY(stage.broken().startsWith("double-grant B A"));
}

/// Not even a lease is there, by which the amounts of some faults are measured.
void TestWorld::aRunInWhichNothingIsDoneEnds()
{
    sim::LuaEngine lua;
    const protocol::LockProtocol& protocol = *protocol::findProtocol("setnx-then-expire");
    for (const FaultInfo& fault : allFaults()) {
        WorldPlan plan;
        plan.clients.resize(1);
        plan.clients.front().startAt = 12s;
        plan.faults.add(fault.kind, 10s);
        World world(protocol, plan, lua);
        int count = 0;
        for (auto steps = world.steps(); !steps.empty() && count < 100; steps = world.steps()) {
            world.takeKnownStep(steps.front());
            ++count;
        }
        QVERIFY2(count < 100, std::string(fault.id).c_str());
    }
}

LOCKSCOPE_TEST(TestWorld, Core)

} // namespace lockscope::tst_world

#include "tst_world.moc"
