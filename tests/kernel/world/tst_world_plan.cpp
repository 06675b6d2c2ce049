#include "core/kernel/world/world_plan.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_world_plan {

using namespace lockscope::world;
using namespace std::chrono_literals;

class TestWorldPlan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void actsSayWhatTheyAreMadeOf();
    void aFaultAloneAllowsNothingElse();
    void moreFaultsMayBeAdded();
    void amountsGoWithTheLease();
    void keysAreCountedAndNamed();
    void theLongestLeaseCounts();
    void clientsAreLetters();
};

void TestWorldPlan::actsSayWhatTheyAreMadeOf()
{
    const Act take = Act::acquire(5s, 1).as(protocol::Mode::Read).unrenewed();
    QCOMPARE(take.kind, Act::Kind::Acquire);
    QCOMPARE(take.span, Duration(5s));
    QCOMPARE(take.key, 1);
    QCOMPARE(take.mode, protocol::Mode::Read);
    QVERIFY(!take.isRenewed);
    QVERIFY(Act::acquire(5s).isRenewed);
    QCOMPARE(Act::work(3s).span, Duration(3s));
    QCOMPARE(Act::work(3s).kind, Act::Kind::Work);
    QCOMPARE(Act::sleep(3s).kind, Act::Kind::Sleep);
    QCOMPARE(Act::release(2).key, 2);
    QCOMPARE(Act::release(2).kind, Act::Kind::Release);
}

void TestWorldPlan::aFaultAloneAllowsNothingElse()
{
    const FaultPlan plan = FaultPlan::only(FaultKind::Pause, 10s, 3);
    QCOMPARE(plan.totalMax, 3);
    for (int i = 0; i < static_cast<int>(FaultKind::FaultKindCount); ++i) {
        const auto kind = static_cast<FaultKind>(i);
        QCOMPARE(plan.allows(kind), kind == FaultKind::Pause);
        QVERIFY(!FaultPlan().allows(kind));
    }
    QCOMPARE(plan.of(FaultKind::Pause).amount, Duration(15s));
}

void TestWorldPlan::moreFaultsMayBeAdded()
{
    FaultPlan plan = FaultPlan::only(FaultKind::Pause, 10s);
    plan.add(FaultKind::Crash, 10s, 2);
    QVERIFY(plan.allows(FaultKind::Pause));
    QVERIFY(plan.allows(FaultKind::Crash));
    QCOMPARE(plan.of(FaultKind::Crash).countMax, 2);
    QCOMPARE(plan.totalMax, 3);
}

void TestWorldPlan::amountsGoWithTheLease()
{
    QCOMPARE(usualAmount(FaultKind::MessageDelay, 10s), Duration(30s));
    QCOMPARE(usualAmount(FaultKind::ClockSkew, 10s), Duration(12s));
    QCOMPARE(usualAmount(FaultKind::ClockStep, 5s), Duration(6s));
    QCOMPARE(usualAmount(FaultKind::ClockDrift, 10s), Duration(5s));
    QCOMPARE(usualAmount(FaultKind::Partition, 10s), Duration(15s));
    QCOMPARE(usualAmount(FaultKind::SlowNode, 10s), Duration(1s));
    QCOMPARE(usualAmount(FaultKind::SlowNode, 10ms), Duration(100ms));
    QCOMPARE(usualAmount(FaultKind::Crash, 10s), Duration(0));
}

void TestWorldPlan::keysAreCountedAndNamed()
{
    WorldPlan plan;
    QCOMPARE(plan.keyCount(), 1);
    QCOMPARE(plan.keyName(0), std::string("k"));
    plan.clients.resize(2);
    plan.clients[1].acts = {Act::acquire(1s, 2), Act::release(2)};
    QCOMPARE(plan.keyCount(), 3);
    QCOMPARE(plan.keyName(0), std::string("k1"));
    QCOMPARE(plan.keyName(2), std::string("k3"));
}

void TestWorldPlan::theLongestLeaseCounts()
{
    WorldPlan plan;
    QCOMPARE(plan.leaseMax(), Duration(0));
    plan.clients.resize(2);
    plan.clients[0].acts = {Act::acquire(2s), Act::work(90s), Act::release()};
    plan.clients[1].acts = {Act::acquire(3s), Act::sleep(90s), Act::release()};
    QCOMPARE(plan.leaseMax(), Duration(3s));
}

void TestWorldPlan::clientsAreLetters()
{
    QCOMPARE(clientName(0), std::string("A"));
    QCOMPARE(clientName(25), std::string("Z"));
    QCOMPARE(clientName(26), std::string("A1"));
}

LOCKSCOPE_TEST(TestWorldPlan, Core)

} // namespace lockscope::tst_world_plan

#include "tst_world_plan.moc"
