#include "core/kernel/async/gate.h"
#include "tests/support/test_program.h"
#include "tests/support/virtual_loop.h"

#include <QTest>

#include <memory>
#include <optional>
#include <vector>

namespace lockscope::tst_gate {

using namespace lockscope::testing;
using namespace std::chrono_literals;

namespace {

async::Task<void> passAndCount(async::Gate& gate, int& count)
{
    while (true) {
        co_await gate.pass();
        ++count;
    }
}

async::Task<Duration> timeToPass(async::Gate& gate, VirtualLoop& loop, Duration patience)
{
    const Instant begin = loop.now();
    co_await gate.passBefore(loop.clock(), begin + patience);
    co_return loop.now() - begin;
}

} // namespace

class TestGate : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aClosedGateStopsWhoeverComes();
    void anOpenGateLetsOnePassAndIsClosedAgain();
    void manyNewsCountAsOne();
    void newsThatComeWhileNobodyWaitsAreNotLost();
    void theDeadlinePassesWithoutNews();
    void newsPassBeforeTheDeadline();
    void theAlarmOfAnEarlierPassDoesNotOpenLater();
    void newsAtTheDeadlineCountAsOne();
    void aWaiterThatIsDroppedLeavesTheGateUsable();
    void aWaiterOutlivesItsGate();
};

void TestGate::aClosedGateStopsWhoeverComes()
{
    VirtualLoop loop;
    async::Gate gate;
    int count = 0;
    const async::BackgroundTask task(loop.executor(), passAndCount(gate, count));
    loop.advance(1h);
    QCOMPARE(count, 0);
}

void TestGate::anOpenGateLetsOnePassAndIsClosedAgain()
{
    VirtualLoop loop;
    async::Gate gate;
    int count = 0;
    const async::BackgroundTask task(loop.executor(), passAndCount(gate, count));
    loop.settle();
    for (int round = 1; round <= 3; ++round) {
        gate.open();
        loop.settle();
        QCOMPARE(count, round);
    }
}

void TestGate::manyNewsCountAsOne()
{
    VirtualLoop loop;
    async::Gate gate;
    int count = 0;
    const async::BackgroundTask task(loop.executor(), passAndCount(gate, count));
    loop.settle();
    for (int i = 0; i < 100; ++i) {
        gate.open();
    }
    loop.settle();
    QCOMPARE(count, 1);
}

void TestGate::newsThatComeWhileNobodyWaitsAreNotLost()
{
    VirtualLoop loop;
    async::Gate gate;
    gate.open();
    int count = 0;
    const async::BackgroundTask task(loop.executor(), passAndCount(gate, count));
    loop.settle();
    QCOMPARE(count, 1);
}

void TestGate::theDeadlinePassesWithoutNews()
{
    VirtualLoop loop;
    async::Gate gate;
    const auto passing = loop.start(timeToPass(gate, loop, 50ms));
    loop.advance(49ms);
    QVERIFY(!passing.isFinished());
    loop.advance(1ms);
    QVERIFY(passing.isFinished());
    QVERIFY(passing.result() == 50ms);
}

void TestGate::newsPassBeforeTheDeadline()
{
    VirtualLoop loop;
    async::Gate gate;
    const auto passing = loop.start(timeToPass(gate, loop, 50ms));
    loop.advance(10ms);
    gate.open();
    loop.settle();
    QVERIFY(passing.isFinished());
    QVERIFY(passing.result() == 10ms);
}

void TestGate::theAlarmOfAnEarlierPassDoesNotOpenLater()
{
    VirtualLoop loop;
    async::Gate gate;
    const auto first = loop.start(timeToPass(gate, loop, 50ms));
    gate.open();
    loop.settle();
    QVERIFY(first.isFinished());
    int count = 0;
    const async::BackgroundTask task(loop.executor(), passAndCount(gate, count));
    loop.advance(1s);
    QCOMPARE(count, 0);
}

void TestGate::newsAtTheDeadlineCountAsOne()
{
    VirtualLoop loop;
    async::Gate gate;
    const auto passing = loop.start(timeToPass(gate, loop, 50ms));
    loop.clock().moveBy(50ms); // the alarm wakes the waiter, who has not run yet
    gate.open();
    loop.settle();
    QVERIFY(passing.isFinished());
    int count = 0;
    const async::BackgroundTask task(loop.executor(), passAndCount(gate, count));
    loop.settle();
    QCOMPARE(count, 0);
}

void TestGate::aWaiterThatIsDroppedLeavesTheGateUsable()
{
    VirtualLoop loop;
    async::Gate gate;
    int count = 0;
    {
        const async::BackgroundTask dropped(loop.executor(), passAndCount(gate, count));
        loop.settle();
    }
    gate.open();
    loop.settle();
    QCOMPARE(count, 0);
    const async::BackgroundTask task(loop.executor(), passAndCount(gate, count));
    loop.settle();
    QCOMPARE(count, 1);
}

void TestGate::aWaiterOutlivesItsGate()
{
    VirtualLoop loop;
    auto gate = std::make_unique<async::Gate>();
    int count = 0;
    const async::BackgroundTask inVain(loop.executor(), passAndCount(*gate, count));
    loop.settle();
    gate = std::make_unique<async::Gate>();
    const auto passing = loop.start(timeToPass(*gate, loop, 50ms));
    gate.reset();
    loop.advance(50ms);
    QVERIFY(passing.isFinished());
    QVERIFY(passing.result() == 50ms);
    QCOMPARE(count, 0);
}

LOCKSCOPE_TEST(TestGate, Core)

} // namespace lockscope::tst_gate

#include "tst_gate.moc"
