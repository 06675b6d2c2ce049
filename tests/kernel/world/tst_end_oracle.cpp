#include "protocol_scripts.h"
#include "tests/kernel/world/stage.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <string>
#include <string_view>

namespace lockscope::tst_end_oracle {

using namespace lockscope::testing;
using namespace lockscope::world;
using namespace std::chrono_literals;

class TestEndOracle final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void concludeFindsAPermanentLock();
    void concludeFindsAMissingPermit();
    void concludeFindsAZombie();
    void concludeLetsALeaseRunOut();
    void concludeIsOnlyForRunsThatEnded();
};

void TestEndOracle::concludeFindsAPermanentLock()
{
    WorldPlan plan = planOf({aRound()}); // no client waits for the lock in the run
    plan.faults = FaultPlan::only(FaultKind::Crash, 10s);
    Stage stage("exists-then-set", plan);
    QVERIFY(stage.takeSteps({"serve A 0 c", "serve A 0 c", "crash A 0 c 0"}));
    stage.goOn();
    QCOMPARE(stage.broken(), "");
    const int cost = stage.world().cost();
    stage.world().conclude();
    QCOMPARE(stage.broken(), "permanent-lock B -"); // the client that asks in the end
    QCOMPARE(stage.world().cost(), cost);
}

/// A changed script keeps counting the permits of dead clients, whose leases are over.
void TestEndOracle::concludeFindsAMissingPermit()
{
    WorldPlan plan = planOf({aRound(), aRound(1s)});
    plan.permits = 2;
    plan.faults = FaultPlan::only(FaultKind::Crash, 10s);
    const store::Script& script = protocol::scripts::kSemaphoreAcquire;
    std::string text(script.text);
    for (const char* const line : {"redis.call('zremrangebyscore', permits, '-inf', now)",
                                   "redis.call('pexpire', permits, tonumber(last[2]) - now)"}) {
        const std::size_t at = text.find(line);
        QVERIFY(at != std::string::npos);
        text.erase(at, std::string_view(line).size());
    }
    plan.plantedScripts = {{std::string(script.digest), text}};
    Stage stage("semaphore", plan);
    QVERIFY(stage.takeSteps({"serve A 0 c", "crash A 0 c 0"}));
    stage.goOn();
    QCOMPARE(stage.grants(), "A 0s, B 1s"); // one permit is still there
    stage.world().conclude();
    QCOMPARE(stage.broken(), "permanent-lock C -");

    plan.plantedScripts.clear();
    Stage sound("semaphore", plan);
    QVERIFY(sound.takeSteps({"serve A 0 c", "crash A 0 c 0"}));
    sound.goOn();
    sound.world().conclude();
    QCOMPARE(sound.broken(), "");
}

void TestEndOracle::concludeFindsAZombie()
{
    WorldPlan plan = twoAtOnce(FaultKind::Hang);
    plan.renewal.period = 3s;
    Stage stage("lua-token-heartbeat", plan);
    QVERIFY(stage.takeSteps({"serve A 0 c", "hang A 0 c 0"}));
    stage.goOn();
    stage.world().conclude();
    QCOMPARE(stage.grants(), "A 0s");
    QCOMPARE(stage.broken(), "zombie-renewal A -");
}

void TestEndOracle::concludeLetsALeaseRunOut()
{
    WorldPlan plan = planOf({aRound()});
    plan.faults = FaultPlan::only(FaultKind::Crash, 10s);
    Stage stage("set-nx-ex", plan);
    QVERIFY(stage.takeSteps({"serve A 0 c", "crash A 0 c 0"}));
    QCOMPARE(stage.options(), "");
    stage.world().conclude();
    QCOMPARE(stage.broken(), "");
    QCOMPARE(stage.grants(), "A 0s, B 20s"); // it asks once in a lease
}

void TestEndOracle::concludeIsOnlyForRunsThatEnded()
{
    WorldPlan plan = planOf({aRound(0s, 300s)});
    Stage stage("setnx-no-expiry", plan);
    stage.goOn();
    QVERIFY(stage.world().isCutShort());
    stage.world().conclude();
    QCOMPARE(stage.broken(), "");
    QCOMPARE(stage.world().elapsed(), Duration(0)); // nothing happens behind the horizon
}

LOCKSCOPE_TEST(TestEndOracle, Core)

} // namespace lockscope::tst_end_oracle

#include "tst_end_oracle.moc"
