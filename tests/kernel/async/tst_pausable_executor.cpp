#include "core/kernel/async/pausable_executor.h"
#include "core/kernel/async/task.h"
#include "core/kernel/async/yield.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_pausable_executor {

using namespace lockscope::async;

namespace {

Task<void> countUp(int& count)
{
    while (true) {
        ++count;
        co_await yield();
    }
}

} // namespace

class TestPausableExecutor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsPostedRunsBelow();
    void nothingRunsWhilePaused();
    void whatWasPostedWhilePausedRunsAfterwardsInOrder();
    void aTurnThatWasAskedForBeforeThePauseRunsNothing();
};

void TestPausableExecutor::whatIsPostedRunsBelow()
{
    ReadyQueue below;
    PausableExecutor executor(below);
    int count = 0;
    const BackgroundTask task(executor, countUp(count));
    for (int i = 1; i <= 3; ++i) {
        QVERIFY(below.runOne());
        QCOMPARE(count, i); // one continuation a turn: the others below have theirs
    }
}

void TestPausableExecutor::nothingRunsWhilePaused()
{
    ReadyQueue below;
    PausableExecutor executor(below);
    int count = 0;
    const BackgroundTask task(executor, countUp(count));
    below.runOne();
    executor.pause();
    below.runAll();
    QCOMPARE(count, 1);
    executor.resume();
    below.runOne();
    QCOMPARE(count, 2);
}

void TestPausableExecutor::whatWasPostedWhilePausedRunsAfterwardsInOrder()
{
    struct Note final : Continuation {
        Note(std::string& sink, char mark) : text(sink), letter(mark) {}
        void run() override { text += letter; }
        std::string& text;
        char letter;
    };
    ReadyQueue below;
    PausableExecutor executor(below);
    std::string text;
    Note first(text, 'a');
    Note second(text, 'b');
    executor.pause();
    executor.post(first);
    executor.post(second);
    below.runAll();
    QCOMPARE(text, std::string());
    executor.resume();
    below.runAll();
    QCOMPARE(text, std::string("ab"));
}

void TestPausableExecutor::aTurnThatWasAskedForBeforeThePauseRunsNothing()
{
    ReadyQueue below;
    PausableExecutor executor(below);
    int count = 0;
    const BackgroundTask task(executor, countUp(count));
    executor.pause(); // the turn is in the queue below already
    below.runAll();
    QCOMPARE(count, 0);
}

LOCKSCOPE_TEST(TestPausableExecutor, Core)

} // namespace lockscope::tst_pausable_executor

#include "tst_pausable_executor.moc"
