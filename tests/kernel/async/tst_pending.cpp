#include "core/kernel/async/pending.h"
#include "core/kernel/async/task.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::tst_pending {

using namespace lockscope::async;

namespace {

Task<void> writeDown(Pending<int> pending, std::vector<int>& log)
{
    log.push_back(co_await std::move(pending));
}

Task<void> writeDownWhatIsOwned(Pending<std::unique_ptr<int>> pending, std::vector<int>& log)
{
    const std::unique_ptr<int> number = co_await std::move(pending);
    log.push_back(*number);
}

struct CountedCall final : Continuation {
    int count = 0;
    void run() override { ++count; }
};

} // namespace

class TestPending : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aReadyValueDoesNotSuspend();
    void aValueThatIsThereBeforeTheWaitIsTaken();
    void resumingNeverHappensInsideOfComplete();
    void onlyTheFirstCompletionCounts();
    void aSecondCompletionAfterTheWaitIsHarmless();
    void completingAfterTheWaiterIsGoneIsHarmless();
    void droppingTheWaiterAfterCompletionCancelsItsResumption();
    void droppingAPendingThatNobodyAwaitsIsSeen();
    void assigningOverAPendingAbandonsIt();
    void movingAPendingDoesNotAbandonIt();
    void copiesOfACompleterShareOneWait();
    void theCompleterMayDieBeforeTheWaiterResumes();
    void valuesAreMovedThrough();
    void aWaiterForSeveralThingsIsWokenOnce();
    void aWaiterIsNotWokenByWhatIsDropped();
};

void TestPending::aReadyValueDoesNotSuspend()
{
    std::vector<int> log;
    ReadyQueue queue;
    const BackgroundTask task(queue, writeDown(Pending<int>::ready(7), log));
    QVERIFY(queue.runOne());
    QCOMPARE(log, (std::vector<int>{7}));
}

void TestPending::aValueThatIsThereBeforeTheWaitIsTaken()
{
    std::vector<int> log;
    ReadyQueue queue;
    Completer<int> completer;
    const BackgroundTask task(queue, writeDown(completer.pending(), log));
    completer.complete(3);
    QVERIFY(completer.isCompleted());
    queue.runAll();
    QCOMPARE(log, (std::vector<int>{3}));
}

void TestPending::resumingNeverHappensInsideOfComplete()
{
    std::vector<int> log;
    ReadyQueue queue;
    Completer<int> completer;
    const BackgroundTask task(queue, writeDown(completer.pending(), log));
    queue.runAll();
    completer.complete(3);
    QVERIFY(log.empty());
    QVERIFY(!task.isFinished());
    queue.runAll();
    QCOMPARE(log, (std::vector<int>{3}));
    QVERIFY(task.isFinished());
}

void TestPending::onlyTheFirstCompletionCounts()
{
    std::vector<int> log;
    ReadyQueue queue;
    Completer<int> completer;
    const BackgroundTask task(queue, writeDown(completer.pending(), log));
    queue.runAll();
    completer.complete(1);
    completer.complete(2);
    queue.runAll();
    QCOMPARE(log, (std::vector<int>{1}));
}

void TestPending::aSecondCompletionAfterTheWaitIsHarmless()
{
    std::vector<int> log;
    ReadyQueue queue;
    Completer<int> completer;
    const BackgroundTask task(queue, writeDown(completer.pending(), log));
    queue.runAll();
    completer.complete(1);
    queue.runAll();
    completer.complete(2);
    queue.runAll();
    QCOMPARE(log, (std::vector<int>{1}));
}

void TestPending::completingAfterTheWaiterIsGoneIsHarmless()
{
    std::vector<int> log;
    ReadyQueue queue;
    Completer<int> completer;
    std::optional<BackgroundTask> task(std::in_place, queue, writeDown(completer.pending(), log));
    queue.runAll();
    QVERIFY(!completer.isAbandoned());
    task.reset();
    QVERIFY(completer.isAbandoned());
    completer.complete(1);
    QVERIFY(!completer.isCompleted());
    queue.runAll();
    QVERIFY(log.empty());
}

void TestPending::droppingTheWaiterAfterCompletionCancelsItsResumption()
{
    std::vector<int> log;
    ReadyQueue queue;
    Completer<int> completer;
    std::optional<BackgroundTask> task(std::in_place, queue, writeDown(completer.pending(), log));
    queue.runAll();
    completer.complete(1);
    QVERIFY(!queue.isEmpty());
    task.reset();
    QVERIFY(queue.isEmpty());
    QVERIFY(log.empty());
}

void TestPending::droppingAPendingThatNobodyAwaitsIsSeen()
{
    const Completer<int> completer;
    {
        const Pending<int> pending = completer.pending();
        QVERIFY(!pending.isReady());
        QVERIFY(!completer.isAbandoned());
    }
    QVERIFY(completer.isAbandoned());
}

void TestPending::assigningOverAPendingAbandonsIt()
{
    const Completer<int> first;
    const Completer<int> second;
    Pending<int> pending = first.pending();
    pending = second.pending();
    QVERIFY(first.isAbandoned());
    QVERIFY(!second.isAbandoned());
}

void TestPending::movingAPendingDoesNotAbandonIt()
{
    Completer<int> completer;
    Pending<int> here = completer.pending();
    const Pending<int> there = std::move(here);
    QVERIFY(!completer.isAbandoned());
    completer.complete(1);
    QVERIFY(there.isReady());
}

void TestPending::copiesOfACompleterShareOneWait()
{
    std::vector<int> log;
    ReadyQueue queue;
    Completer<int> reply;
    Completer<int> timeout = reply;
    const BackgroundTask task(queue, writeDown(reply.pending(), log));
    queue.runAll();
    timeout.complete(-1);
    reply.complete(1);
    queue.runAll();
    QCOMPARE(log, (std::vector<int>{-1}));
}

void TestPending::theCompleterMayDieBeforeTheWaiterResumes()
{
    std::vector<int> log;
    ReadyQueue queue;
    auto completer = std::make_unique<Completer<int>>();
    const BackgroundTask task(queue, writeDown(completer->pending(), log));
    queue.runAll();
    completer->complete(5);
    completer.reset();
    queue.runAll();
    QCOMPARE(log, (std::vector<int>{5}));
}

void TestPending::valuesAreMovedThrough()
{
    std::vector<int> log;
    ReadyQueue queue;
    Completer<std::unique_ptr<int>> completer;
    const BackgroundTask task(queue, writeDownWhatIsOwned(completer.pending(), log));
    queue.runAll();
    completer.complete(std::make_unique<int>(9));
    queue.runAll();
    QCOMPARE(log, (std::vector<int>{9}));
}

void TestPending::aWaiterForSeveralThingsIsWokenOnce()
{
    ReadyQueue queue;
    CountedCall call;
    const Completer<int> never;
    Completer<int> soon;
    const Pending<int> first = never.pending();
    const Pending<int> second = soon.pending();
    const Pending<int> third = Pending<int>::ready(1);
    first.wake(call, queue);
    second.wake(call, queue);
    queue.runAll();
    QCOMPARE(call.count, 0);
    soon.complete(1);
    third.wake(call, queue);
    QCOMPARE(call.count, 0); // not from inside
    queue.runAll();
    QCOMPARE(call.count, 1);
}

void TestPending::aWaiterIsNotWokenByWhatIsDropped()
{
    ReadyQueue queue;
    Completer<int> completer;
    {
        CountedCall call;
        const Pending<int> pending = completer.pending();
        pending.wake(call, queue);
    }
    QVERIFY(completer.isAbandoned());
    completer.complete(1);
    QVERIFY(queue.isEmpty());
}

LOCKSCOPE_TEST(TestPending, Core)

} // namespace lockscope::tst_pending

#include "tst_pending.moc"
