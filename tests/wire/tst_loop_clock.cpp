#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "tests/support/started_task.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <deque>

namespace lockscope::tst_loop_clock {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using wire::LoopClock;
using wire::LoopExecutor;

class TestLoopClock : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void timeGoesOn();
    void nobodyWakesEarly();
    void sleepersWakeInTheOrderOfTheirInstants();
    void theDroppedDoNotWakeAndDoNotDelayOthers();
    void anInstantThatIsPastWakesSoon();
    void manyDroppedSleepersAreForgotten();
    void aLaterSleeperDoesNotPostponeAnEarlierOne();
    void thoseWhoAreDueSoonAfterEachOtherWakeTogether();
    void theWallClockIsThatOfThisMachine();
};

void TestLoopClock::timeGoesOn()
{
    LoopClock clock;
    const Instant before = clock.now();
    QTRY_VERIFY(clock.now() > before);
    QVERIFY(LoopClock::present() >= clock.now() - 1s);
}

void TestLoopClock::nobodyWakesEarly()
{
    LoopExecutor executor;
    LoopClock clock;
    const Instant wanted = clock.now() + 20ms;
    const StartedTask<Instant> task(executor, resultOf(clock.wakeAt(wanted)));
    QTRY_VERIFY(task.isFinished());
    QVERIFY(task.result() >= wanted);
    QVERIFY(clock.now() >= wanted);
}

void TestLoopClock::sleepersWakeInTheOrderOfTheirInstants()
{
    LoopExecutor executor;
    LoopClock clock;
    const Instant start = clock.now();
    const StartedTask<Instant> late(executor, resultOf(clock.wakeAt(start + 60ms)));
    const StartedTask<Instant> early(executor, resultOf(clock.wakeAt(start + 10ms)));
    QTRY_VERIFY(early.isFinished());
    QTRY_VERIFY(late.isFinished());
    QVERIFY(early.result() <= late.result());
    QVERIFY(late.result() >= start + 60ms);
}

void TestLoopClock::theDroppedDoNotWakeAndDoNotDelayOthers()
{
    LoopExecutor executor;
    LoopClock clock;
    const Instant start = clock.now();
    {
        const StartedTask<Instant> dropped(executor, resultOf(clock.wakeAt(start + 10ms)));
    }
    const StartedTask<Instant> kept(executor, resultOf(clock.wakeAt(start + 30ms)));
    QTRY_VERIFY(kept.isFinished());
}

void TestLoopClock::anInstantThatIsPastWakesSoon()
{
    LoopExecutor executor;
    LoopClock clock;
    const StartedTask<Instant> task(executor, resultOf(clock.wakeAt(clock.now() - 1h)));
    QTRY_VERIFY(task.isFinished());
}

void TestLoopClock::manyDroppedSleepersAreForgotten()
{
    LoopExecutor executor;
    LoopClock clock;
    for (int i = 0; i < 20'000; ++i) {
        static_cast<void>(clock.wakeAt(clock.now() + 1h)); // dropped at once
    }
    const StartedTask<Instant> task(executor, resultOf(clock.wakeAt(clock.now() + 1ms)));
    QTRY_VERIFY(task.isFinished());
}

void TestLoopClock::aLaterSleeperDoesNotPostponeAnEarlierOne()
{
    LoopExecutor executor;
    LoopClock clock;
    const StartedTask<Instant> task(executor, resultOf(clock.wakeAt(clock.now() + 20ms)));
    std::deque<StartedTask<Instant>> others;
    for (int i = 0; i < 50; ++i) {
        others.emplace_back(executor, resultOf(clock.wakeAt(clock.now() + 1h)));
    }
    QTRY_VERIFY(task.isFinished());
    QVERIFY(!others.front().isFinished());
}

void TestLoopClock::thoseWhoAreDueSoonAfterEachOtherWakeTogether()
{
    LoopExecutor executor;
    LoopClock clock;
    const Instant begin = clock.now() + 5ms;
    std::deque<StartedTask<Instant>> tasks;
    for (int i = 0; i < 200; ++i) {
        tasks.emplace_back(executor, resultOf(clock.wakeAt(begin + i * 30us)));
    }
    QTRY_VERIFY(std::ranges::all_of(tasks, &StartedTask<Instant>::isFinished));
    for (std::size_t i = 1; i < tasks.size(); ++i) {
        const Duration gap = tasks[i].result() - tasks[i - 1].result();
        QVERIFY2(gap == 0us || gap >= 200us, qPrintable(QString::number(gap.count())));
    }
}

void TestLoopClock::theWallClockIsThatOfThisMachine()
{
    const LoopClock clock;
    QVERIFY(clock.wallNow() > WallTime(std::chrono::sys_days(std::chrono::January / 1 / 2024)));
}

LOCKSCOPE_TEST(TestLoopClock, Core)

} // namespace lockscope::tst_loop_clock

#include "tst_loop_clock.moc"
