#include "core/kernel/contention/costs.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_costs {

using namespace lockscope::contention;
using namespace std::chrono_literals;
using store::Command;

class TestCosts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void commandsAreNoScripts();
    void scriptsCostWhatIsKnownOfThem();
    void theLongerTheSleepTheLongerItTakesToWake();
    void afterALongSleepWorkTakesLonger();
};

void TestCosts::commandsAreNoScripts()
{
    Costs::Server server;
    server.plain = 3us;
    server.script = 8us;
    QCOMPARE(serviceOf(Command("SET", "k", "v"), server), Work(3us));
    QCOMPARE(serviceOf(Command("PING"), server), Work(3us));
    QCOMPARE(serviceOf(Command("EVALSHA", "unknown", 0), server), Work(8us));
    QCOMPARE(serviceOf(Command("EVAL", "return 1", 0), server), Work(8us));
    QCOMPARE(serviceOf(Command("EVAL"), server), Work(8us)); // which the server will refuse
}

void TestCosts::scriptsCostWhatIsKnownOfThem()
{
    Costs::Server server;
    server.script = 8us;
    server.scripts.emplace("a1b2", 20us);
    QCOMPARE(serviceOf(Command("EVALSHA", "a1b2", 1, "k"), server), Work(20us));
    QCOMPARE(serviceOf(Command("EVALSHA", "c3d4", 1, "k"), server), Work(8us));
}

void TestCosts::theLongerTheSleepTheLongerItTakesToWake()
{
    Costs costs;
    costs.wakeUps = {{100us, 10us, 20us}, {300us, 50us, 30us}, {1ms, 60us, 100us}};
    IdleTimer idle(costs);
    idle.fallAsleep(Moment(1ms));
    QCOMPARE(idle.wakeUp(Moment(1010us)), Moment(1020us)); // as the shortest that is known
    QCOMPARE(idle.wakeUp(Moment(1100us)), Moment(1110us));
    QCOMPARE(idle.wakeUp(Moment(1150us)), Moment(1170us)); // in between
    QCOMPARE(idle.wakeUp(Moment(1300us)), Moment(1350us));
    QCOMPARE(idle.wakeUp(Moment(1s)), Moment(1s + 60us));
    QCOMPARE(idle.wakeUpByTimer(Moment(1150us)), Moment(1172us) + Work(500));
    QCOMPARE(idle.wakeUpByTimer(Moment(1s)), Moment(1s + 100us));
}

void TestCosts::afterALongSleepWorkTakesLonger()
{
    Costs costs;
    costs.wakeUps = {{100us, 10us, 20us}};
    costs.coldAfter = 200us;
    costs.coldFactor = 2.5;
    costs.coldFor = 100us;
    IdleTimer idle(costs);
    idle.fallAsleep(Moment(1ms));
    QCOMPARE(idle.wakeUp(Moment(1199us)), Moment(1209us));
    QCOMPARE(idle.timeFor(4us, Moment(1209us)), Work(4us));
    QCOMPARE(idle.wakeUp(Moment(1200us)), Moment(1210us));
    QCOMPARE(idle.timeFor(4us, Moment(1210us)), Work(10us));
    QCOMPARE(idle.timeFor(4us, Moment(1309us)), Work(10us));
    QCOMPARE(idle.timeFor(4us, Moment(1310us)), Work(4us));
}

LOCKSCOPE_TEST(TestCosts, Core)

} // namespace lockscope::tst_costs

#include "tst_costs.moc"
