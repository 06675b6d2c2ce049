#include "core/kernel/search/promise_terms.h"
#include "core/kernel/world/fault_info.h"
#include "tests/kernel/world/stage.h"
#include "tests/support/fenced_hash.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_promise_terms {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using protocol::Condition;
using protocol::Conditions;
using protocol::Promise;
using protocol::ProtocolInfo;
using search::conditionsBrokenBy;
using search::isApplicable;
using search::isPromised;
using world::Act;
using world::FaultKind;
using world::WorldPlan;

namespace {

WorldPlan renewed(WorldPlan plan)
{
    plan.renewal.period = 3s;
    return plan;
}

bool breaks(const WorldPlan& plan, Condition condition)
{
    return conditionsBrokenBy(plan).intersects(condition);
}

} // namespace

class TestPromiseTerms : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aScenarioTakesAssumptionsAway();
    void aHoldBeyondTheLeaseIsNotInTime();
    void aPromiseNeedsSomethingToBeAbout();
    void aPlanWithoutFaultsBreaksNothing();
    void everyFaultBreaksItsConditions();
    void aLostMessageIsATimelyHoldersTroubleOnlyWithRenewals();
    void shapesBreakConditionsToo();
    void aClaimHoldsWhereItsConditionsDo();
    void misuseIsNoFaultOfAnOwnLock();
};

void TestPromiseTerms::aPromiseNeedsSomethingToBeAbout()
{
    ProtocolInfo plain;
    QVERIFY(isApplicable(Promise::MutualExclusion, plain));
    QVERIFY(isApplicable(Promise::Progress, plain));
    QVERIFY(isApplicable(Promise::LeaseHonesty, plain));
    for (const Promise promise : {Promise::ReadWriteExclusion, Promise::ReentryBalance,
                                  Promise::NoLostWakeup, Promise::FencingOrder}) {
        QVERIFY(!isApplicable(promise, plain));
    }
    ProtocolInfo rich;
    rich.hasModes = rich.hasFence = rich.isReentrant = true;
    rich.hasExpiry = false;
    rich.needs = {{"wait", protocol::ServerFeature::PubSub}};
    QVERIFY(!isApplicable(Promise::MutualExclusion, rich));
    QVERIFY(!isApplicable(Promise::LeaseHonesty, rich));
    for (const Promise promise : {Promise::ReadWriteExclusion, Promise::ReentryBalance,
                                  Promise::NoLostWakeup, Promise::FencingOrder}) {
        QVERIFY(isApplicable(promise, rich));
    }
}

void TestPromiseTerms::aPlanWithoutFaultsBreaksNothing()
{
    QVERIFY(conditionsBrokenBy(twoAtOnce()).isEmpty());
    QVERIFY(conditionsBrokenBy(renewed(twoAtOnce())).isEmpty());
    QVERIFY(conditionsBrokenBy(twoAtOnce(FaultKind::ScriptFlush)).isEmpty());
}

void TestPromiseTerms::everyFaultBreaksItsConditions()
{
    const std::pair<FaultKind, Condition> rows[] = {
        {FaultKind::Crash, Condition::NobodyDies},
        {FaultKind::Pause, Condition::HolderInTime},
        {FaultKind::Hang, Condition::NobodyHangs},
        {FaultKind::ConnectionLoss, Condition::NothingLost},
        {FaultKind::MessageCopy, Condition::NothingLost},
        {FaultKind::ClockSkew, Condition::SynchronisedClocks},
        {FaultKind::ClockDrift, Condition::EqualClockRates},
        {FaultKind::ClockStep, Condition::SteadyServerClock},
        {FaultKind::ServerRestart, Condition::DurableWrites},
        {FaultKind::Failover, Condition::DurableWrites},
        {FaultKind::Partition, Condition::MajorityReachable},
        {FaultKind::ForceRelease, Condition::DurableWrites},
        {FaultKind::Eviction, Condition::DurableWrites},
    };
    for (const auto& [fault, condition] : rows) {
        QVERIFY2(breaks(twoAtOnce(fault), condition), idOf(fault).data());
        QVERIFY2(!breaks(twoAtOnce(fault), Condition::OwnIdentity), idOf(fault).data());
    }
}

void TestPromiseTerms::aLostMessageIsATimelyHoldersTroubleOnlyWithRenewals()
{
    const WorldPlan plan = twoAtOnce(FaultKind::MessageLoss);
    QVERIFY(!breaks(plan, Condition::HolderInTime));
    QVERIFY(breaks(renewed(plan), Condition::HolderInTime));
}

void TestPromiseTerms::shapesBreakConditionsToo()
{
    WorldPlan twins = twoAtOnce();
    twins.clients[1].sharesIdentityWith = 0;
    QCOMPARE(conditionsBrokenBy(twins), Conditions(Condition::OwnIdentity));
    WorldPlan dying = twoAtOnce();
    dying.clients[0].diesHolding = true;
    QCOMPARE(conditionsBrokenBy(dying), Conditions(Condition::NobodyDies));
    WorldPlan handedOver = twoAtOnce();
    handedOver.clients[0].acts.back() = Act::release().fromAnotherTask();
    QCOMPARE(conditionsBrokenBy(handedOver), Conditions(Condition::OwnRelease));
    WorldPlan uneven = twoAtOnce();
    uneven.clients[1].acts[0].span = 2s;
    QCOMPARE(conditionsBrokenBy(uneven), Conditions(Condition::EqualLeases));
    WorldPlan relay = twoAtOnce();
    for (world::ClientPlan& client : relay.clients) {
        const Act read = Act::acquire(10s).as(protocol::Mode::Read);
        client.acts = {read, Act::release(), read, Act::release(), read, Act::release()};
    }
    QCOMPARE(conditionsBrokenBy(relay), Conditions(Condition::ReadersPause));
}

void TestPromiseTerms::aClaimHoldsWhereItsConditionsDo()
{
    ProtocolInfo info;
    info.claims = {{Promise::MutualExclusion, "in time", Condition::HolderInTime},
                   {Promise::Progress, ""}};
    QVERIFY(isPromised(Promise::MutualExclusion, info, twoAtOnce()));
    QVERIFY(isPromised(Promise::MutualExclusion, info, twoAtOnce(FaultKind::Crash)));
    QVERIFY(!isPromised(Promise::MutualExclusion, info, twoAtOnce(FaultKind::Pause)));
    QVERIFY(isPromised(Promise::Progress, info, twoAtOnce(FaultKind::Pause)));
    QVERIFY(!isPromised(Promise::Fairness, info, twoAtOnce())); // it is not claimed
}

void TestPromiseTerms::aScenarioTakesAssumptionsAway()
{
    workload::Scenario scenario;
    QVERIFY(conditionsBrokenBy(scenario).isEmpty());
    scenario.pauseProbability = 0.1;
    QCOMPARE(conditionsBrokenBy(scenario), Conditions(Condition::HolderInTime));
    scenario = {};
    scenario.crashProbability = 0.1;
    QCOMPARE(conditionsBrokenBy(scenario), Conditions(Condition::NobodyDies));
    scenario = {};
    scenario.kind = workload::Scenario::Kind::HotStandby;
    QCOMPARE(conditionsBrokenBy(scenario), Conditions(Condition::NobodyDies));
    scenario = {};
    scenario.readShare = 0.5;
    QCOMPARE(conditionsBrokenBy(scenario), Conditions(Condition::ReadersPause));
}

/// A hold longer than the lease takes renewals.
void TestPromiseTerms::aHoldBeyondTheLeaseIsNotInTime()
{
    workload::Scenario scenario;
    scenario.lease = 1s;
    scenario.hold = workload::Distribution::uniform(100ms, 1s);
    QVERIFY(conditionsBrokenBy(scenario).isEmpty());
    scenario.hold = workload::Distribution::exponential(200ms);
    QCOMPARE(conditionsBrokenBy(scenario), Conditions(Condition::HolderInTime));
    scenario.renewal.period = 300ms;
    QVERIFY(conditionsBrokenBy(scenario).isEmpty());
}

void TestPromiseTerms::misuseIsNoFaultOfAnOwnLock()
{
    const auto own = fencedHash();
    for (const protocol::Claim& claim : own->info().claims) {
        QVERIFY(isPromised(claim.promise, own->info(), Conditions()));
        for (const world::FaultInfo& fault : world::allFaults()) {
            if (world::isMisuse(fault.kind)) {
                QVERIFY2(!isPromised(claim.promise, own->info(), fault.breaks),
                         idOf(fault.kind).data());
            }
        }
    }
}

LOCKSCOPE_TEST(TestPromiseTerms, Core)

} // namespace lockscope::tst_promise_terms

#include "tst_promise_terms.moc"
