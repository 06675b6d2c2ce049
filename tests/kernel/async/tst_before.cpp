#include "core/kernel/async/before.h"
#include "tests/support/test_program.h"
#include "tests/support/virtual_loop.h"

#include <QTest>

namespace lockscope::tst_before {

using namespace lockscope::testing;
using namespace std::chrono_literals;

namespace {

async::Task<std::optional<int>> valueBefore(VirtualLoop& loop, Duration patience,
                                            async::Pending<int> pending)
{
    return async::before(loop.executor(), loop.clock(), loop.now() + patience, std::move(pending));
}

} // namespace

class TestBefore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aValueThatIsThereIsGivenAtOnce();
    void aValueThatIsThereIsGivenAfterTheDeadlineToo();
    void aValueThatComesInTimeIsGiven();
    void atTheDeadlineThereIsNone();
    void whatIsNotWaitedForAnyMoreIsAbandoned();
    void afterTheValueNoAlarmIsLeft();
    void droppingTheTaskAbandonsWhatItWaitsFor();
};

void TestBefore::aValueThatIsThereIsGivenAtOnce()
{
    VirtualLoop loop;
    QCOMPARE(loop.run(valueBefore(loop, 1s, async::Pending<int>::ready(7))), std::optional(7));
}

void TestBefore::aValueThatIsThereIsGivenAfterTheDeadlineToo()
{
    VirtualLoop loop;
    QCOMPARE(loop.run(valueBefore(loop, -1s, async::Pending<int>::ready(7))), std::optional(7));
}

void TestBefore::aValueThatComesInTimeIsGiven()
{
    VirtualLoop loop;
    async::Completer<int> completer;
    const auto task = loop.start(valueBefore(loop, 1s, completer.pending()));
    loop.advance(1s - 1us);
    QVERIFY(!task.isFinished());
    completer.complete(7);
    loop.settle();
    QCOMPARE(task.result(), std::optional(7));
}

void TestBefore::atTheDeadlineThereIsNone()
{
    VirtualLoop loop;
    async::Completer<int> completer;
    const auto task = loop.start(valueBefore(loop, 1s, completer.pending()));
    loop.advance(1s);
    QCOMPARE(task.result(), std::optional<int>());
}

void TestBefore::whatIsNotWaitedForAnyMoreIsAbandoned()
{
    VirtualLoop loop;
    async::Completer<int> completer;
    const auto task = loop.start(valueBefore(loop, 1s, completer.pending()));
    QVERIFY(!completer.isAbandoned());
    loop.advance(1s);
    QVERIFY(task.isFinished());
    QVERIFY(completer.isAbandoned());
}

void TestBefore::afterTheValueNoAlarmIsLeft()
{
    VirtualLoop loop;
    async::Completer<int> completer;
    const auto task = loop.start(valueBefore(loop, 1s, completer.pending()));
    completer.complete(7);
    loop.settle();
    QVERIFY(task.isFinished());
    QVERIFY(!loop.clock().nextWake());
}

void TestBefore::droppingTheTaskAbandonsWhatItWaitsFor()
{
    VirtualLoop loop;
    async::Completer<int> completer;
    {
        const auto task = loop.start(valueBefore(loop, 1s, completer.pending()));
        QVERIFY(!task.isFinished());
    }
    QVERIFY(completer.isAbandoned());
    QVERIFY(!loop.clock().nextWake());
}

LOCKSCOPE_TEST(TestBefore, Core)

} // namespace lockscope::tst_before

#include "tst_before.moc"
