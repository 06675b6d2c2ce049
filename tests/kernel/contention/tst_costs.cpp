#include "contention/costs.h"

#include <QTest>

using namespace lockscope;
using namespace lockscope::contention;
using namespace std::chrono_literals;
using store::Command;

class TestCosts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void commandsAreNoScripts();
    void scriptsCostWhatIsKnownOfThem();
    void aDeepSleepTakesLongerToWakeFrom();
    void timersAreLateHoweverShortTheSleep();
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

void TestCosts::aDeepSleepTakesLongerToWakeFrom()
{
    Costs costs;
    costs.wakeUp = 5us;
    costs.deepWakeUp = 60us;
    costs.deepAfter = 200us;
    costs.coldFactor = 2.5;
    costs.coldFor = 100us;
    Slumber slumber(costs);
    slumber.fallAsleep(Moment(1ms));
    QCOMPARE(slumber.wakeUp(Moment(1199us)), Moment(1204us));
    QCOMPARE(slumber.timeFor(4us, Moment(1204us)), Work(4us));
    QCOMPARE(slumber.wakeUp(Moment(1200us)), Moment(1260us));
    QCOMPARE(slumber.timeFor(4us, Moment(1260us)), Work(10us));
    QCOMPARE(slumber.timeFor(4us, Moment(1359us)), Work(10us));
    QCOMPARE(slumber.timeFor(4us, Moment(1360us)), Work(4us));
}

void TestCosts::timersAreLateHoweverShortTheSleep()
{
    Costs costs;
    costs.timerDelay = 90us;
    Slumber slumber(costs);
    slumber.fallAsleep(Moment(1ms));
    QCOMPARE(slumber.wakeUpByTimer(Moment(1100us)), Moment(1190us));
    QCOMPARE(slumber.wakeUpByTimer(Moment(3ms)), Moment(3090us));
}

QTEST_GUILESS_MAIN(TestCosts)
#include "tst_costs.moc"
