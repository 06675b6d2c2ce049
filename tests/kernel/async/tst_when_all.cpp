#include "core/kernel/async/when_all.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::tst_when_all {

using namespace lockscope::async;

namespace {

Task<int> valueOf(Pending<int> pending)
{
    co_return co_await std::move(pending);
}

Task<std::unique_ptr<int>> owned(int value)
{
    co_return std::make_unique<int>(value);
}

std::vector<Task<int>> tasksWaitingFor(const std::vector<Completer<int>>& completers)
{
    std::vector<Task<int>> tasks;
    for (const Completer<int>& completer : completers) {
        tasks.push_back(valueOf(completer.pending()));
    }
    return tasks;
}

Task<void> gather(Executor& executor, std::vector<Task<int>> tasks,
                  std::optional<std::vector<int>>& results)
{
    results = co_await whenAll(executor, std::move(tasks));
}

Task<void> gatherOwned(Executor& executor, std::vector<Task<std::unique_ptr<int>>> tasks, int& sum)
{
    for (const std::unique_ptr<int>& value : co_await whenAll(executor, std::move(tasks))) {
        sum += *value;
    }
}

} // namespace

class TestWhenAll : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void resultsHaveTheOrderOfTheTasks();
    void allTasksRunSideBySide();
    void theLastOneDecides();
    void noTasksMeansNoWait();
    void tasksThatNeverSuspendAreFine();
    void droppingItDropsEveryTask();
    void resultsMayBeMoveOnly();
};

void TestWhenAll::resultsHaveTheOrderOfTheTasks()
{
    ReadyQueue queue;
    std::vector<Completer<int>> completers(4);
    std::optional<std::vector<int>> results;
    const BackgroundTask task(queue, gather(queue, tasksWaitingFor(completers), results));
    queue.runAll();
    for (const std::size_t i : {2U, 0U, 3U, 1U}) {
        completers[i].complete(static_cast<int>(i) * 10);
        queue.runAll();
    }
    QVERIFY(results.has_value());
    QCOMPARE(*results, (std::vector<int>{0, 10, 20, 30}));
}

void TestWhenAll::allTasksRunSideBySide()
{
    ReadyQueue queue;
    std::vector<Completer<int>> completers(3);
    std::optional<std::vector<int>> results;
    const BackgroundTask task(queue, gather(queue, tasksWaitingFor(completers), results));
    queue.runAll();
    // Each of them is suspended at its own wait: completing all before draining loses none.
    for (Completer<int>& completer : completers) {
        completer.complete(1);
    }
    queue.runAll();
    QCOMPARE(results.value_or(std::vector<int>{}), (std::vector<int>{1, 1, 1}));
}

void TestWhenAll::theLastOneDecides()
{
    ReadyQueue queue;
    std::vector<Completer<int>> completers(3);
    std::optional<std::vector<int>> results;
    const BackgroundTask task(queue, gather(queue, tasksWaitingFor(completers), results));
    queue.runAll();
    completers[0].complete(1);
    completers[1].complete(1);
    queue.runAll();
    QVERIFY(!results);
    completers[2].complete(1);
    QVERIFY(!results);
    queue.runAll();
    QVERIFY(results);
    QVERIFY(task.isFinished());
}

void TestWhenAll::noTasksMeansNoWait()
{
    ReadyQueue queue;
    std::optional<std::vector<int>> results;
    const BackgroundTask task(queue, gather(queue, {}, results));
    queue.runAll();
    QVERIFY(results.has_value() && results->empty());
}

void TestWhenAll::tasksThatNeverSuspendAreFine()
{
    ReadyQueue queue;
    std::vector<Task<int>> tasks;
    for (int i = 0; i < 1000; ++i) {
        tasks.push_back(valueOf(Pending<int>::ready(i)));
    }
    std::optional<std::vector<int>> results;
    const BackgroundTask task(queue, gather(queue, std::move(tasks), results));
    queue.runAll();
    QVERIFY(results.has_value());
    QCOMPARE(results->size(), 1000U);
    QCOMPARE(results->back(), 999);
}

void TestWhenAll::droppingItDropsEveryTask()
{
    ReadyQueue queue;
    std::vector<Completer<int>> completers(3);
    std::optional<std::vector<int>> results;
    std::optional<BackgroundTask> task(std::in_place, queue,
                                       gather(queue, tasksWaitingFor(completers), results));
    queue.runAll();
    completers[1].complete(1);
    task.reset();
    QVERIFY(queue.isEmpty());
    QVERIFY(completers[0].isAbandoned() && completers[2].isAbandoned());
    completers[0].complete(1);
    queue.runAll();
    QVERIFY(!results);
}

void TestWhenAll::resultsMayBeMoveOnly()
{
    ReadyQueue queue;
    std::vector<Task<std::unique_ptr<int>>> tasks;
    tasks.push_back(owned(1));
    tasks.push_back(owned(2));
    int sum = 0;
    const BackgroundTask task(queue, gatherOwned(queue, std::move(tasks), sum));
    queue.runAll();
    QCOMPARE(sum, 3);
}

LOCKSCOPE_TEST(TestWhenAll, Core)

} // namespace lockscope::tst_when_all

#include "tst_when_all.moc"
