#include "core/kernel/async/executor.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <functional>
#include <memory>
#include <vector>

namespace lockscope::tst_executor {

using namespace lockscope::async;

namespace {

/// Writes its number down when it runs, and then does what the test gave it.
class Note final : public Continuation {
public:
    Note(int number, std::vector<int>& log) : m_number(number), m_log(log) {}

    std::function<void()> andThen;

    void run() override
    {
        m_log.push_back(m_number);
        if (andThen) {
            andThen();
        }
    }

private:
    int m_number;
    std::vector<int>& m_log;
};

} // namespace

class TestExecutor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void continuationsRunInTheOrderOfPosting();
    void postingNeverRunsAnything();
    void postingTwiceRunsOnce();
    void aContinuationMayPostItselfAgain();
    void whatIsPostedWhileRunningRunsAfterTheRest();
    void destroyingTheOwnerCancelsThePostedContinuation();
    void destroyingAnyOfManyLeavesTheOthersInOrder();
    void aContinuationMayDestroyTheOneBehindIt();
    void aContinuationMayOutliveItsQueue();
};

void TestExecutor::continuationsRunInTheOrderOfPosting()
{
    std::vector<int> log;
    ReadyQueue queue;
    Note first(1, log);
    Note second(2, log);
    Note third(3, log);
    queue.post(second);
    queue.post(third);
    queue.post(first);
    QVERIFY(queue.runOne());
    QCOMPARE(log, (std::vector<int>{2}));
    queue.runAll();
    QCOMPARE(log, (std::vector<int>{2, 3, 1}));
    QVERIFY(queue.isEmpty());
    QVERIFY(!queue.runOne());
}

void TestExecutor::postingNeverRunsAnything()
{
    std::vector<int> log;
    ReadyQueue queue;
    Note note(1, log);
    queue.post(note);
    QVERIFY(log.empty());
    QVERIFY(note.isQueued());
    QVERIFY(!queue.isEmpty());
}

void TestExecutor::postingTwiceRunsOnce()
{
    std::vector<int> log;
    ReadyQueue queue;
    Note first(1, log);
    Note second(2, log);
    queue.post(first);
    queue.post(second);
    queue.post(first);
    queue.runAll();
    QCOMPARE(log, (std::vector<int>{1, 2}));
}

void TestExecutor::aContinuationMayPostItselfAgain()
{
    std::vector<int> log;
    ReadyQueue queue;
    Note note(1, log);
    int remaining = 2;
    note.andThen = [&] {
        if (remaining-- > 0) {
            queue.post(note);
        }
    };
    queue.post(note);
    queue.runAll();
    QCOMPARE(log, (std::vector<int>{1, 1, 1}));
}

void TestExecutor::whatIsPostedWhileRunningRunsAfterTheRest()
{
    std::vector<int> log;
    ReadyQueue queue;
    Note first(1, log);
    Note second(2, log);
    Note late(3, log);
    first.andThen = [&] {
        queue.post(late);
        log.push_back(10); // posting did not run it
    };
    queue.post(first);
    queue.post(second);
    queue.runAll();
    QCOMPARE(log, (std::vector<int>{1, 10, 2, 3}));
}

void TestExecutor::destroyingTheOwnerCancelsThePostedContinuation()
{
    std::vector<int> log;
    ReadyQueue queue;
    auto note = std::make_unique<Note>(1, log);
    queue.post(*note);
    note.reset();
    QVERIFY(queue.isEmpty());
    queue.runAll();
    QVERIFY(log.empty());
}

void TestExecutor::destroyingAnyOfManyLeavesTheOthersInOrder()
{
    for (std::size_t victim = 0; victim < 4; ++victim) {
        std::vector<int> log;
        std::vector<int> expected;
        ReadyQueue queue;
        std::vector<std::unique_ptr<Note>> notes;
        for (int i = 0; i < 4; ++i) {
            notes.push_back(std::make_unique<Note>(i, log));
            queue.post(*notes.back());
            if (static_cast<std::size_t>(i) != victim) {
                expected.push_back(i);
            }
        }
        notes[victim].reset();
        queue.runAll();
        QCOMPARE(log, expected);
    }
}

void TestExecutor::aContinuationMayDestroyTheOneBehindIt()
{
    std::vector<int> log;
    ReadyQueue queue;
    Note first(1, log);
    auto second = std::make_unique<Note>(2, log);
    Note third(3, log);
    first.andThen = [&] { second.reset(); };
    queue.post(first);
    queue.post(*second);
    queue.post(third);
    queue.runAll();
    QCOMPARE(log, (std::vector<int>{1, 3}));
}

void TestExecutor::aContinuationMayOutliveItsQueue()
{
    std::vector<int> log;
    Note note(1, log);
    {
        ReadyQueue queue;
        queue.post(note);
    }
    QVERIFY(!note.isQueued());
    ReadyQueue other;
    other.post(note);
    other.runAll();
    QCOMPARE(log, (std::vector<int>{1}));
}

LOCKSCOPE_TEST(TestExecutor, Core)

} // namespace lockscope::tst_executor

#include "tst_executor.moc"
