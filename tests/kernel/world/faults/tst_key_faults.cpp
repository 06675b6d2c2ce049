#include "tests/kernel/world/stage.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_key_faults {

using namespace lockscope::testing;
using namespace lockscope::world;
using namespace std::chrono_literals;

class TestKeyFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void forceRelease();
    void eviction();
};

void TestKeyFaults::forceRelease()
{
    Stage stage("set-nx-ex", twoAtOnce(FaultKind::ForceRelease));
    QVERIFY(!stage.options().contains("force-release"));
    QVERIFY(stage.takeSteps({"serve A 0 c", "force-release A 0 c 0"}));
    QVERIFY(stage.entry("k") == nullptr);
    QVERIFY(stage.takeSteps({"serve B 0 c"}));
    QVERIFY(stage.broken().startsWith("double-grant B A"));
}

void TestKeyFaults::eviction()
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

LOCKSCOPE_TEST(TestKeyFaults, Core)

} // namespace lockscope::tst_key_faults

#include "tst_key_faults.moc"
