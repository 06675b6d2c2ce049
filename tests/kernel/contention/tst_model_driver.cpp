#include "core/kernel/async/task.h"
#include "core/kernel/async/yield.h"
#include "core/kernel/contention/model_driver.h"
#include "core/kernel/sim/lua_engine.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <array>
#include <vector>

namespace lockscope::tst_model_driver {

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
    EventQueue eventQueue;
    Costs costs = makeCosts();
    ModelDriver driver{eventQueue, costs};
    Times times;

    static Costs makeCosts()
    {
        Costs costs;
        costs.driver.turn = 10us;
        costs.driver.step = 1us;
        costs.driver.receive = 4us;
        costs.driver.sleep = Work(0);
        costs.wakeUps = {{199us, 7us, 90us}, {200us, 50us, 90us}};
        costs.coldAfter = 200us;
        costs.coldFactor = 1;
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

/// Hears nothing: the answers are not what this is about.
struct Deaf final : ModelPeer {
    void arrived(store::Reply) override {}
};

async::Task<void> sendOften(ModelDriver& driver, ModelServer& server, Times& times, int count)
{
    Deaf peer;
    const sim::SessionId session = server.connect(peer);
    for (int i = 0; i < count; ++i) {
        std::array commands{store::Command("PING"), store::Command("PING")};
        driver.send(server, session, commands);
        times.push_back(microseconds(driver.now()));
    }
    co_await driver.wakeAt(driver.now() + 1s);
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
    void timersAreLookedAtInEveryRound();
    void whoeverIsDueMeanwhileWakesAtTheSameTime();
    void whoeverIsDueSoonAfterwardsWaits();
    void sleepingCosts();
    void tellingAServerThatSleepsTakesLonger();
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
    b.eventQueue.runUntil(Moment(1ms));
    QCOMPARE(b.times, (Times{10 + 1, 10 + 2, 10 + 3}));
}

/// After 100 µs of running the loop looks at its sockets and begins a new round.
void TestModelDriver::coroutinesLetTheOthersHaveTheirTurn()
{
    Bench b;
    Listener listener(b.driver, b.times);
    Times own;
    const async::BackgroundTask task(b.driver, yieldOften(b.driver, own, 300));
    b.eventQueue.add(Moment(5us), [&] { b.driver.deliver(listener, store::Reply()); });
    b.eventQueue.runUntil(Moment(10ms));
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
    b.eventQueue.runUntil(Moment(1s));
    // It fell asleep after a round and two steps, of which its own was the second; then the system
    // wakes the thread, one round wakes the sleeper and the next one goes on.
    QCOMPARE(b.times, Times{12 + 2000 + 90 + 10 + 10 + 1});
    QCOMPARE(late, Times{11 + 3000 + 90 + 10 + 10 + 1});
}

void TestModelDriver::timersAreLookedAtInEveryRound()
{
    Bench b;
    Times busy;
    const async::BackgroundTask sleeper(b.driver, sleepFor(b.driver, b.times, 50us));
    const async::BackgroundTask other(b.driver, yieldOften(b.driver, busy, 500));
    b.eventQueue.runUntil(Moment(10ms));
    // The first round ends after 100 steps; in the second one the other goes first.
    QCOMPARE(b.times, Times{10 + 100 + 10 + 2});
    QVERIFY(busy.back() > b.times.front());
}

void TestModelDriver::whoeverIsDueMeanwhileWakesAtTheSameTime()
{
    Bench b;
    Times others;
    const async::BackgroundTask first(b.driver, sleepFor(b.driver, b.times, 1ms));
    const async::BackgroundTask second(b.driver, sleepFor(b.driver, others, 1050us));
    const async::BackgroundTask third(b.driver, sleepFor(b.driver, others, 1500us));
    b.eventQueue.runUntil(Moment(1s));
    // The second one was due before the system had woken the thread.
    QCOMPARE(b.times, Times{11 + 1000 + 90 + 10 + 10 + 1});
    QCOMPARE(others, (Times{b.times.front() + 1, 13 + 1500 + 90 + 10 + 10 + 1}));
}

void TestModelDriver::whoeverIsDueSoonAfterwardsWaits()
{
    Bench b;
    Times later;
    const async::BackgroundTask first(b.driver, sleepFor(b.driver, b.times, 1ms));
    const async::BackgroundTask second(b.driver, sleepFor(b.driver, later, 1200us));
    b.eventQueue.runUntil(Moment(1s));
    QCOMPARE(b.times, Times{11 + 1000 + 90 + 10 + 10 + 1});
    // Sleepers were woken at 1111 µs, and 200 µs later is the next time for it.
    QCOMPARE(later, Times{1111 + 200 + 90 + 10 + 10 + 1});
}

void TestModelDriver::sleepingCosts()
{
    Bench b;
    b.costs.driver.sleep = 3us;
    Times yielded;
    const async::BackgroundTask sleeper(b.driver, sleepFor(b.driver, b.times, 1ms));
    const async::BackgroundTask other(b.driver, yieldOften(b.driver, yielded, 1));
    b.eventQueue.runUntil(Moment(1s));
    QCOMPARE(yielded, Times{11 + 3 + 1});
    QCOMPARE(b.times, Times{11 + 1000 + 90 + 10 + 10 + 1}); // it asked before that
}

/// Several at once cost what one costs.
void TestModelDriver::tellingAServerThatSleepsTakesLonger()
{
    Bench b;
    b.costs.driver.send = 2us;
    b.costs.rouse = 15us;
    sim::LuaEngine lua;
    ModelServer server(b.eventQueue, b.costs, lua);
    const async::BackgroundTask task(b.driver, sendOften(b.driver, server, b.times, 3));
    b.eventQueue.runUntil(Moment(100ms));
    QCOMPARE(b.times, (Times{11 + 2 + 15, 28 + 2, 30 + 2}));
    QCOMPARE(server.commandCount(), 6u);
}

void TestModelDriver::whatArrivesIsReadOneAfterTheOther()
{
    Bench b;
    Listener listener(b.driver, b.times);
    b.eventQueue.add(Moment(100us), [&] {
        b.driver.deliver(listener, store::Reply());
        b.driver.deliver(listener, store::Reply());
    });
    b.eventQueue.runUntil(Moment(1ms));
    QCOMPARE(b.times, (Times{100 + 7 + 10 + 4, 100 + 7 + 10 + 8}));
}

void TestModelDriver::wakingFromADeepSleepTakesLonger()
{
    Bench b;
    Listener listener(b.driver, b.times);
    b.eventQueue.add(Moment(100us), [&] { b.driver.deliver(listener, store::Reply()); });
    b.eventQueue.add(Moment(500us), [&] { b.driver.deliver(listener, store::Reply()); });
    b.eventQueue.runUntil(Moment(1ms));
    QCOMPARE(b.times, (Times{100 + 7 + 10 + 4, 500 + 50 + 10 + 4}));
}

void TestModelDriver::afterADeepSleepWorkTakesLongerForAWhile()
{
    Bench b;
    b.costs.coldFactor = 3;
    b.costs.coldFor = 35us;
    Listener listener(b.driver, b.times);
    b.eventQueue.add(Moment(500us), [&] {
        for (int i = 0; i < 3; ++i) {
            b.driver.deliver(listener, store::Reply());
        }
    });
    b.eventQueue.runUntil(Moment(1ms));
    // The round and one answer begin cold.
    QCOMPARE(b.times, (Times{550 + 30 + 12, 550 + 30 + 12 + 4, 550 + 30 + 12 + 8}));
}

void TestModelDriver::whatIsForgottenIsNotHeard()
{
    Bench b;
    Listener listener(b.driver, b.times);
    Listener gone(b.driver, b.times);
    b.eventQueue.add(Moment(100us), [&] {
        b.driver.deliver(gone, store::Reply());
        b.driver.deliver(listener, store::Reply());
        b.driver.forget(gone);
    });
    b.eventQueue.runUntil(Moment(1ms));
    QCOMPARE(b.times, Times{100 + 7 + 10 + 4});
}

void TestModelDriver::workIsCounted()
{
    Bench b;
    const async::BackgroundTask task(b.driver, sleepFor(b.driver, b.times, 1ms));
    b.eventQueue.runUntil(Moment(1s));
    // The beginning, the round in which the timer is found, and the one that goes on with the task
    // and with who waits for it.
    QCOMPARE(b.driver.busyTime(), Work(11us + 10us + 12us));
}

LOCKSCOPE_TEST(TestModelDriver, Core)

} // namespace lockscope::tst_model_driver

#include "tst_model_driver.moc"
