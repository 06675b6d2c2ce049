#include "core/kernel/async/task.h"
#include "core/wire/loop_executor.h"
#include "tests/support/test_program.h"

#include <QTest>
#include <QTimer>

#include <memory>

namespace lockscope::tst_loop_executor {

using wire::LoopExecutor;

namespace {

struct Note final : async::Continuation {
    std::vector<int>& notes;
    int number;
    Note(std::vector<int>& all, int n) : notes(all), number(n) {}
    void run() override { notes.push_back(number); }
};

/// Posts itself again and again.
struct Restless final : async::Continuation {
    LoopExecutor& executor;
    int count = 0;
    explicit Restless(LoopExecutor& e) : executor(e) {}
    void run() override
    {
        ++count;
        executor.post(*this);
    }
};

} // namespace

class TestLoopExecutor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void continuationsRunFromTheLoopInOrder();
    void postingTwiceRunsOnce();
    void aDroppedContinuationDoesNotRun();
    void aLongChainLeavesTheLoopItsTurn();
    void moreThanOneTurnIsFinished();
    void anExecutorMayDieWithWorkLeft();
};

void TestLoopExecutor::continuationsRunFromTheLoopInOrder()
{
    LoopExecutor executor;
    std::vector<int> notes;
    Note first(notes, 1);
    Note second(notes, 2);
    executor.post(first);
    executor.post(second);
    QVERIFY(notes.empty());
    QTRY_COMPARE(notes, (std::vector<int>{1, 2}));
    executor.post(first);
    QTRY_COMPARE(notes, (std::vector<int>{1, 2, 1}));
}

void TestLoopExecutor::postingTwiceRunsOnce()
{
    LoopExecutor executor;
    std::vector<int> notes;
    Note first(notes, 1);
    Note second(notes, 2);
    executor.post(first);
    executor.post(first);
    executor.post(second);
    QTRY_COMPARE(notes, (std::vector<int>{1, 2}));
}

void TestLoopExecutor::aDroppedContinuationDoesNotRun()
{
    LoopExecutor executor;
    std::vector<int> notes;
    Note last(notes, 2);
    {
        Note dropped(notes, 1);
        executor.post(dropped);
    }
    executor.post(last);
    QTRY_COMPARE(notes, (std::vector<int>{2}));
}

void TestLoopExecutor::aLongChainLeavesTheLoopItsTurn()
{
    LoopExecutor executor;
    Restless restless(executor);
    executor.post(restless);
    bool hasRung = false;
    QTimer::singleShot(1, this, [&hasRung] { hasRung = true; });
    QTRY_VERIFY(hasRung);
    QVERIFY(restless.count > 0);
}

void TestLoopExecutor::moreThanOneTurnIsFinished()
{
    LoopExecutor executor;
    std::vector<int> notes;
    std::vector<std::unique_ptr<Note>> all;
    for (int i = 0; i < 1000; ++i) {
        executor.post(*all.emplace_back(std::make_unique<Note>(notes, i)));
    }
    QTRY_COMPARE(notes.size(), std::size_t(1000));
    QVERIFY(std::is_sorted(notes.begin(), notes.end()));
}

void TestLoopExecutor::anExecutorMayDieWithWorkLeft()
{
    std::vector<int> notes;
    Note note(notes, 1);
    {
        LoopExecutor executor;
        executor.post(note);
    }
    QVERIFY(!note.isQueued());
    QVERIFY(notes.empty());
}

LOCKSCOPE_TEST(TestLoopExecutor, Core)

} // namespace lockscope::tst_loop_executor

#include "tst_loop_executor.moc"
