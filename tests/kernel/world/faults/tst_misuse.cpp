#include "core/kernel/world/fault_info.h"
#include "tests/kernel/world/stage.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_misuse {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using protocol::Condition;
using protocol::Conditions;
using world::FaultInfo;
using world::FaultKind;

class TestMisuse final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void misuseComesBehindTheFaults();
    void onlyReentrantLocksHaveIdentitiesAndLeasesToMix();
    void everyLockCanBeHandedOver();
    void noStepMakesItHappen();
};

void TestMisuse::misuseComesBehindTheFaults()
{
    for (const FaultInfo& fault : world::allFaults()) {
        QCOMPARE(isMisuse(fault.kind), fault.kind >= FaultKind::FirstMisuse);
    }
    QVERIFY(!isMisuse(FaultKind::Eviction));
    QVERIFY(isMisuse(FaultKind::SharedIdentity) && isMisuse(FaultKind::MixedLeases)
            && isMisuse(FaultKind::HandedOver));
    QVERIFY(infoOf(FaultKind::SharedIdentity).breaks == Conditions(Condition::OwnIdentity));
    QVERIFY(infoOf(FaultKind::MixedLeases).breaks == Conditions(Condition::EqualLeases));
    QVERIFY(infoOf(FaultKind::HandedOver).breaks == Conditions(Condition::OwnRelease));
}

void TestMisuse::onlyReentrantLocksHaveIdentitiesAndLeasesToMix()
{
    for (const auto* const protocol : protocol::builtinProtocols()) {
        const protocol::ProtocolInfo& info = protocol->info();
        QCOMPARE(infoOf(FaultKind::SharedIdentity).concerns(info), info.isReentrant);
        QCOMPARE(infoOf(FaultKind::MixedLeases).concerns(info), info.isReentrant);
    }
}

void TestMisuse::everyLockCanBeHandedOver()
{
    QVERIFY(infoOf(FaultKind::HandedOver).concerns == nullptr);
}

/// A plan that allows it is a plan without faults: it has no more states than that.
void TestMisuse::noStepMakesItHappen()
{
    world::WorldPlan plan = twoAtOnce();
    plan.faults.add(FaultKind::SharedIdentity, 10s);
    plan.faults.add(FaultKind::MixedLeases, 10s);
    plan.faults.add(FaultKind::HandedOver, 10s);
    Stage allowed("reentrant-hash", plan);
    Stage plain("reentrant-hash", twoAtOnce());
    QCOMPARE(allowed.options(), plain.options());
    allowed.goOn();
    plain.goOn();
    QCOMPARE(allowed.world().faultCount(), 0);
    QCOMPARE(allowed.world().stateHash(), plain.world().stateHash());
}

LOCKSCOPE_TEST(TestMisuse, None)

} // namespace lockscope::tst_misuse

#include "tst_misuse.moc"
