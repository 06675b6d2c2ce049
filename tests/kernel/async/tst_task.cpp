#include "core/kernel/async/pending.h"
#include "core/kernel/async/task.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace lockscope::tst_task {

using namespace lockscope::async;

namespace {

using Log = std::vector<std::string>;

/// Tells when the frame that holds it unwinds.
class Guard {
public:
    Guard(std::string name, Log& log) : m_name(std::move(name)), m_log(&log) {}
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    ~Guard() { m_log->push_back("~" + m_name); }

private:
    std::string m_name;
    Log* m_log;
};

Task<int> answer()
{
    co_return 42;
}

Task<void> note(std::string text, Log& log)
{
    log.push_back(std::move(text));
    co_return;
}

Task<void> addAnswers(int count, long long& sum)
{
    for (int i = 0; i < count; ++i) {
        sum += co_await answer();
    }
}

Task<void> addReadyValues(int count, long long& sum)
{
    for (int i = 0; i < count; ++i) {
        sum += co_await Pending<int>::ready(1);
    }
}

/// Suspends every time, and is woken by the test that drains the queue.
Task<void> addPosted(std::vector<Completer<int>>& completers, long long& sum)
{
    for (Completer<int>& completer : completers) {
        sum += co_await completer.pending();
    }
}

Task<int> failing(Pending<int> pending)
{
    const int value = co_await std::move(pending);
    throw std::runtime_error("failed at " + std::to_string(value));
}

Task<int> middle(Pending<int> pending, Log& log)
{
    const Guard guard("middle", log);
    const int value = co_await failing(std::move(pending));
    log.push_back("never reached");
    co_return value;
}

Task<void> outer(Pending<int> pending, Log& log)
{
    try {
        co_await middle(std::move(pending), log);
    } catch (const std::runtime_error& error) {
        log.push_back(error.what());
    }
}

Task<int> leaf(std::string name, Pending<int> pending, Log& log)
{
    const Guard guard(std::move(name), log);
    co_return co_await std::move(pending);
}

Task<void> waitingParent(std::string name, Pending<int> pending, Log& log)
{
    const Guard guard(name, log);
    const int value = co_await leaf(name + ".leaf", std::move(pending), log);
    log.push_back(name + " got " + std::to_string(value));
}

/// Five background tasks that live exactly as long as this frame.
Task<void> parentOfFive(Executor& executor, std::vector<Completer<int>>& completers,
                        Pending<int> wait, Log& log)
{
    TaskScope children(executor);
    for (std::size_t i = 0; i < 5; ++i) {
        children.start(waitingParent(std::to_string(i), completers[i].pending(), log));
    }
    co_await std::move(wait);
}

/// Parameters live as long as their frame: the number of owners of `token` tells the number of
/// frames.
Task<void> holding(std::shared_ptr<int> token, Pending<int> pending)
{
    *token += co_await std::move(pending);
}

} // namespace

class TestTask : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingRunsUntilATaskIsStarted();
    void startingRunsFromTheExecutorOnly();
    void aMillionSynchronousCompletionsDoNotGrowTheStack();
    void aMillionReadyValuesDoNotGrowTheStack();
    void manySuspensionsEndOneByOne();
    void valuesComeThroughNestedTasks();
    void anExceptionPassesThroughThreeLevels();
    void anExceptionPassesThroughThreeLevelsWithoutSuspending();
    void droppingASuspendedTaskUnwindsItsFrames();
    void droppingATaskThatNeverStartedRunsNothing();
    void droppingAParentDropsItsFiveChildren();
    void droppingAChildThatIsAboutToWakeItsParentIsHarmless();
    void assigningOverATaskDropsTheOldOne();
    void aFinishedTaskSaysSo();
    void aScopeThrowsFinishedTasksAwayWhenTheNextStarts();
    void aScopeCancelsEverythingAtOnce();
};

void TestTask::nothingRunsUntilATaskIsStarted()
{
    Log log;
    {
        const Task<void> task = note("ran", log);
        QVERIFY(task.isValid());
    }
    QVERIFY(log.empty());
    QVERIFY(!Task<void>().isValid());
}

void TestTask::startingRunsFromTheExecutorOnly()
{
    Log log;
    ReadyQueue queue;
    const BackgroundTask task(queue, note("ran", log));
    QVERIFY(log.empty());
    queue.runAll();
    QCOMPARE(log, (Log{"ran"}));
    QVERIFY(task.isFinished());
}

void TestTask::aMillionSynchronousCompletionsDoNotGrowTheStack()
{
    long long sum = 0;
    ReadyQueue queue;
    const BackgroundTask task(queue, addAnswers(1'000'000, sum));
    QVERIFY(queue.runOne());
    QCOMPARE(sum, 42'000'000);
}

void TestTask::aMillionReadyValuesDoNotGrowTheStack()
{
    long long sum = 0;
    ReadyQueue queue;
    const BackgroundTask task(queue, addReadyValues(1'000'000, sum));
    QVERIFY(queue.runOne());
    QCOMPARE(sum, 1'000'000);
}

void TestTask::manySuspensionsEndOneByOne()
{
    long long sum = 0;
    ReadyQueue queue;
    std::vector<Completer<int>> completers(10'000);
    const BackgroundTask task(queue, addPosted(completers, sum));
    queue.runAll();
    long long expected = 0;
    for (Completer<int>& completer : completers) {
        QCOMPARE(sum, expected);
        completer.complete(2);
        queue.runAll();
        expected += 2;
    }
    QCOMPARE(sum, expected);
    QVERIFY(task.isFinished());
}

void TestTask::valuesComeThroughNestedTasks()
{
    Log log;
    ReadyQueue queue;
    Completer<int> completer;
    const BackgroundTask task(queue, waitingParent("p", completer.pending(), log));
    queue.runAll();
    QVERIFY(log.empty());
    completer.complete(5);
    queue.runAll();
    QCOMPARE(log, (Log{"~p.leaf", "p got 5", "~p"}));
}

void TestTask::anExceptionPassesThroughThreeLevels()
{
    Log log;
    ReadyQueue queue;
    Completer<int> completer;
    const BackgroundTask task(queue, outer(completer.pending(), log));
    queue.runAll();
    completer.complete(3);
    queue.runAll();
    QCOMPARE(log, (Log{"~middle", "failed at 3"}));
    QVERIFY(task.isFinished());
}

void TestTask::anExceptionPassesThroughThreeLevelsWithoutSuspending()
{
    Log log;
    ReadyQueue queue;
    const BackgroundTask task(queue, outer(Pending<int>::ready(4), log));
    QVERIFY(queue.runOne());
    QCOMPARE(log, (Log{"~middle", "failed at 4"}));
}

void TestTask::droppingASuspendedTaskUnwindsItsFrames()
{
    Log log;
    ReadyQueue queue;
    Completer<int> completer;
    std::optional<BackgroundTask> task(std::in_place, queue,
                                       waitingParent("p", completer.pending(), log));
    queue.runAll();
    task.reset();
    QCOMPARE(log, (Log{"~p.leaf", "~p"}));
    QVERIFY(completer.isAbandoned());
    completer.complete(1);
    queue.runAll();
    QCOMPARE(log.size(), 2U);
}

void TestTask::droppingATaskThatNeverStartedRunsNothing()
{
    Log log;
    ReadyQueue queue;
    Completer<int> completer;
    {
        const BackgroundTask task(queue, waitingParent("p", completer.pending(), log));
        QVERIFY(!queue.isEmpty());
    }
    QVERIFY(queue.isEmpty());
    QVERIFY(log.empty());
    QVERIFY(completer.isAbandoned());
}

void TestTask::droppingAParentDropsItsFiveChildren()
{
    Log log;
    ReadyQueue queue;
    std::vector<Completer<int>> completers(5);
    Completer<int> wait;
    std::optional<BackgroundTask> task(std::in_place, queue,
                                       parentOfFive(queue, completers, wait.pending(), log));
    queue.runAll();
    completers[2].complete(7);
    queue.runAll();
    QCOMPARE(log, (Log{"~2.leaf", "2 got 7", "~2"}));
    log.clear();

    completers[4].complete(8); // its resumption is posted, and must not happen any more
    task.reset();
    QCOMPARE(log.size(), 8U);
    QVERIFY(queue.isEmpty());
    for (const std::size_t i : {0U, 1U, 3U}) {
        QVERIFY(completers[i].isAbandoned());
        completers[i].complete(1);
    }
    queue.runAll();
    QCOMPARE(log.size(), 8U);
}

void TestTask::droppingAChildThatIsAboutToWakeItsParentIsHarmless()
{
    Log log;
    ReadyQueue queue;
    Completer<int> completer;
    std::optional<BackgroundTask> task(std::in_place, queue,
                                       waitingParent("p", completer.pending(), log));
    queue.runAll();
    completer.complete(1);
    QVERIFY(queue.runOne()); // the leaf ends, and its parent is posted
    QCOMPARE(log, (Log{"~p.leaf"}));
    QVERIFY(!queue.isEmpty());
    task.reset();
    QVERIFY(queue.isEmpty());
    QCOMPARE(log, (Log{"~p.leaf", "~p"}));
}

void TestTask::assigningOverATaskDropsTheOldOne()
{
    Log log;
    ReadyQueue queue;
    Completer<int> first;
    BackgroundTask task(queue, waitingParent("first", first.pending(), log));
    queue.runAll();
    task = BackgroundTask(queue, note("second", log));
    QVERIFY(first.isAbandoned());
    queue.runAll();
    QCOMPARE(log, (Log{"~first.leaf", "~first", "second"}));
}

void TestTask::aFinishedTaskSaysSo()
{
    Log log;
    ReadyQueue queue;
    Completer<int> completer;
    const BackgroundTask task(queue, waitingParent("p", completer.pending(), log));
    QVERIFY(!task.isFinished());
    queue.runAll();
    QVERIFY(!task.isFinished());
    completer.complete(1);
    queue.runAll();
    QVERIFY(task.isFinished());
    QVERIFY(BackgroundTask().isFinished());
}

void TestTask::aScopeThrowsFinishedTasksAwayWhenTheNextStarts()
{
    ReadyQueue queue;
    TaskScope scope(queue);
    std::vector<Completer<int>> completers(3);
    const auto token = std::make_shared<int>(0);
    for (Completer<int>& completer : completers) {
        scope.start(holding(token, completer.pending()));
    }
    queue.runAll();
    QCOMPARE(token.use_count(), 4);
    completers[0].complete(1);
    completers[2].complete(1);
    queue.runAll();
    Completer<int> another;
    scope.start(holding(token, another.pending()));
    QCOMPARE(token.use_count(), 3);
    QVERIFY(!completers[1].isAbandoned());
}

void TestTask::aScopeCancelsEverythingAtOnce()
{
    Log log;
    ReadyQueue queue;
    TaskScope scope(queue);
    std::vector<Completer<int>> completers(3);
    for (Completer<int>& completer : completers) {
        scope.start(waitingParent("p", completer.pending(), log));
    }
    queue.runAll();
    scope.cancelAll();
    QCOMPARE(log.size(), 6U);
    for (const Completer<int>& completer : completers) {
        QVERIFY(completer.isAbandoned());
    }
}

LOCKSCOPE_TEST(TestTask, Core)

} // namespace lockscope::tst_task

#include "tst_task.moc"
