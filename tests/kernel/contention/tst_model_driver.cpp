#include "async/task.h"
#include "async/yield.h"
#include "contention/model_driver.h"

#include <QTest>

#include <vector>

using namespace lockscope;
using namespace lockscope::contention;
using namespace std::chrono_literals;

namespace {

using Times = std::vector<long>; // in µs

long microseconds(Instant instant)
{
    return instant.time_since_epoch().count();
}

/// A thread whose rounds take 10 µs, steps 1 µs and reading 4 µs.
struct Bench {
    Agenda agenda;
    Costs costs = makeCosts();
    ModelDriver driver{agenda, costs};
    Times times;

    static Costs makeCosts()
    {
        Costs costs;
        costs.driver.turn = 10us;
        costs.driver.step = 1us;
        costs.driver.receive = 4us;
        costs.wakeUp = 7us;
        costs.deepWakeUp = 50us;
        costs.deepAfter = 200us;
        costs.timerDelay = 90us;
        costs.coldFactor = 1;
        costs.driver.timerStep = Duration(0);
        return costs;
    }
};

async::Task<void> yieldOften(ModelDriver& driver, Times& times, int count)
{
    for (int i = 0; i < count; ++i) {
        times.push_back(microseconds(driver.now()));
        co_await async::yield();
    }
}

async::Task<void> sleepFor(ModelDriver& driver, Times& times, Duration span)
{
    co_await driver.wakeAt(driver.now() + span);
    times.push_back(microseconds(driver.now()));
}

async::Task<void> workAndSleep(ModelDriver& driver, Times& times, Work work, Duration span)
{
    driver.spend(work);
    co_await driver.wakeAt(driver.now() + span);
    times.push_back(microseconds(driver.now()));
}

/// Notes when it hears something.
struct Listener final : ModelListener {
    Listener(ModelDriver& theDriver, Times& theTimes) : driver(theDriver), times(theTimes) {}

    void hear(store::Reply) override { times.push_back(microseconds(driver.now())); }

    ModelDriver& driver;
    Times& times;
};

} // namespace

class TestModelDriver : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyStepTakesTime();
    void coroutinesLetTheOthersHaveTheirTurn();
    void sleepersWakeInTheOrderOfTheirTimes();
    void timersWaitInWholeSteps();
    void whoeverGoesToSleepPutsTheTimerOff();
    void timersWaitUntilNothingElseIsToBeDone();
    void whatArrivesIsReadOneAfterTheOther();
    void wakingFromADeepSleepTakesLonger();
    void afterADeepSleepWorkTakesLongerForAWhile();
    void whatIsForgottenIsNotHeard();
    void workIsCounted();
};

void TestModelDriver::everyStepTakesTime()
{
    Bench b;
    const async::BackgroundTask task(b.driver, yieldOften(b.driver, b.times, 3));
    b.agenda.runUntil(Moment(1ms));
    QCOMPARE(b.times, (Times{10 + 1, 10 + 2, 10 + 3}));
}

/// After 100 µs of running the loop looks at its sockets and begins a new round.
void TestModelDriver::coroutinesLetTheOthersHaveTheirTurn()
{
    Bench b;
    Listener listener(b.driver, b.times);
    Times own;
    const async::BackgroundTask task(b.driver, yieldOften(b.driver, own, 300));
    b.agenda.add(Moment(5us), [&] { b.driver.deliver(listener, store::Reply()); });
    b.agenda.runUntil(Moment(10ms));
    QCOMPARE(own.size(), std::size_t(300));
    QCOMPARE(b.times, Times{10 + 100 + 4});
    QCOMPARE(own[99], 10L + 100);
    QCOMPARE(own[100], 10L + 100 + 4 + 10 + 1);
}

void TestModelDriver::sleepersWakeInTheOrderOfTheirTimes()
{
    Bench b;
    Times late;
    const async::BackgroundTask first(b.driver, sleepFor(b.driver, late, 3ms));
    const async::BackgroundTask second(b.driver, sleepFor(b.driver, b.times, 2ms));
    b.agenda.runUntil(Moment(1s));
    // It fell asleep after a round and two steps, of which its own was the second; then the system
    // wakes the thread, one round finds the timer and the next one goes on.
    QCOMPARE(b.times, Times{12 + 2000 + 90 + 10 + 10 + 1});
    QCOMPARE(late, Times{11 + 3000 + 90 + 10 + 10 + 1});
}

void TestModelDriver::timersWaitInWholeSteps()
{
    Bench b;
    b.costs.driver.timerStep = 1ms;
    const async::BackgroundTask task(b.driver, sleepFor(b.driver, b.times, 1500us));
    b.agenda.runUntil(Moment(1s));
    QCOMPARE(b.times, Times{11 + 2000 + 90 + 10 + 10 + 1});
}

void TestModelDriver::whoeverGoesToSleepPutsTheTimerOff()
{
    Bench b;
    b.costs.driver.timerStep = 1ms;
    Times later;
    const async::BackgroundTask task(b.driver, sleepFor(b.driver, b.times, 1ms));
    const async::BackgroundTask other(b.driver, workAndSleep(b.driver, later, Work(500us), 10ms));
    b.agenda.runUntil(Moment(1s));
    // The timer for 1011 µs was set anew at 512 µs: for the next whole step.
    QCOMPARE(b.times, Times{512 + 1000 + 90 + 10 + 10 + 1});
}

void TestModelDriver::timersWaitUntilNothingElseIsToBeDone()
{
    Bench b;
    Times busy;
    const async::BackgroundTask sleeper(b.driver, sleepFor(b.driver, b.times, 50us));
    const async::BackgroundTask other(b.driver, yieldOften(b.driver, busy, 500));
    b.agenda.runUntil(Moment(10ms));
    QCOMPARE(b.times.size(), std::size_t(1));
    // Two rounds: one finds the timer, the next one goes on.
    QCOMPARE(b.times.front(), busy.back() + 2 + 10 + 10 + 1);
}

void TestModelDriver::whatArrivesIsReadOneAfterTheOther()
{
    Bench b;
    Listener listener(b.driver, b.times);
    b.agenda.add(Moment(100us), [&] {
        b.driver.deliver(listener, store::Reply());
        b.driver.deliver(listener, store::Reply());
    });
    b.agenda.runUntil(Moment(1ms));
    QCOMPARE(b.times, (Times{100 + 7 + 10 + 4, 100 + 7 + 10 + 8}));
}

void TestModelDriver::wakingFromADeepSleepTakesLonger()
{
    Bench b;
    Listener listener(b.driver, b.times);
    b.agenda.add(Moment(100us), [&] { b.driver.deliver(listener, store::Reply()); });
    b.agenda.add(Moment(500us), [&] { b.driver.deliver(listener, store::Reply()); });
    b.agenda.runUntil(Moment(1ms));
    QCOMPARE(b.times, (Times{100 + 7 + 10 + 4, 500 + 50 + 10 + 4}));
}

void TestModelDriver::afterADeepSleepWorkTakesLongerForAWhile()
{
    Bench b;
    b.costs.coldFactor = 3;
    b.costs.coldFor = 35us;
    Listener listener(b.driver, b.times);
    b.agenda.add(Moment(500us), [&] {
        for (int i = 0; i < 3; ++i) {
            b.driver.deliver(listener, store::Reply());
        }
    });
    b.agenda.runUntil(Moment(1ms));
    // The round and one answer begin cold.
    QCOMPARE(b.times, (Times{550 + 30 + 12, 550 + 30 + 12 + 4, 550 + 30 + 12 + 8}));
}

void TestModelDriver::whatIsForgottenIsNotHeard()
{
    Bench b;
    Listener listener(b.driver, b.times);
    Listener gone(b.driver, b.times);
    b.agenda.add(Moment(100us), [&] {
        b.driver.deliver(gone, store::Reply());
        b.driver.deliver(listener, store::Reply());
        b.driver.forget(gone);
    });
    b.agenda.runUntil(Moment(1ms));
    QCOMPARE(b.times, Times{100 + 7 + 10 + 4});
}

void TestModelDriver::workIsCounted()
{
    Bench b;
    const async::BackgroundTask task(b.driver, sleepFor(b.driver, b.times, 1ms));
    b.agenda.runUntil(Moment(1s));
    // The beginning, the round in which the timer is found, and the one that goes on with the task
    // and with who waits for it.
    QCOMPARE(b.driver.busyTime(), Work(11us + 10us + 12us));
}

QTEST_GUILESS_MAIN(TestModelDriver)
#include "tst_model_driver.moc"
