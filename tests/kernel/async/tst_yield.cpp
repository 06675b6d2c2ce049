#include "core/kernel/async/task.h"
#include "core/kernel/async/yield.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <string>

namespace lockscope::tst_yield {

using namespace lockscope::async;

namespace {

Task<void> writeTwice(std::string& text, char letter)
{
    text += letter;
    co_await yield();
    text += letter;
}

} // namespace

class TestYield : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void othersHaveTheirTurnFirst();
    void aTaskThatYieldedCanBeDropped();
};

void TestYield::othersHaveTheirTurnFirst()
{
    ReadyQueue queue;
    std::string text;
    const BackgroundTask a(queue, writeTwice(text, 'a'));
    const BackgroundTask b(queue, writeTwice(text, 'b'));
    queue.runAll();
    QCOMPARE(text, "abab");
}

void TestYield::aTaskThatYieldedCanBeDropped()
{
    ReadyQueue queue;
    std::string text;
    {
        const BackgroundTask a(queue, writeTwice(text, 'a'));
        QVERIFY(queue.runOne());
        QCOMPARE(text, "a");
        QVERIFY(!queue.isEmpty());
    }
    QVERIFY(queue.isEmpty());
    queue.runAll();
    QCOMPARE(text, "a");
}

LOCKSCOPE_TEST(TestYield, Core)

} // namespace lockscope::tst_yield

#include "tst_yield.moc"
