#include "core/kernel/async/turns.h"
#include "tests/support/test_program.h"
#include "tests/support/virtual_loop.h"

#include <QTest>

#include <optional>
#include <string>

namespace lockscope::tst_turns {

using namespace lockscope::testing;
using namespace std::chrono_literals;

namespace {

/// Works for a second in its turn, and notes when it begins and ends.
async::Task<void> work(async::Turns& turns, VirtualLoop& loop, char name, std::string& notes)
{
    const async::Turns::Turn turn = co_await turns.next();
    notes += name;
    co_await loop.clock().wakeAt(loop.now() + 1s);
    notes += static_cast<char>(name - 'a' + 'A');
}

} // namespace

class TestTurns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theyGoOneAfterTheOtherInTheirOrder();
    void aTaskThatIsDroppedWhileItWaitsIsPassedOver();
    void aTaskThatIsDroppedInItsTurnPassesItOn();
    void aTurnThatWasGivenToADroppedTaskIsPassedOn();
};

void TestTurns::theyGoOneAfterTheOtherInTheirOrder()
{
    VirtualLoop loop;
    async::Turns turns;
    std::string notes;
    const async::BackgroundTask a(loop.executor(), work(turns, loop, 'a', notes));
    const async::BackgroundTask b(loop.executor(), work(turns, loop, 'b', notes));
    const async::BackgroundTask c(loop.executor(), work(turns, loop, 'c', notes));
    loop.advance(5s);
    QCOMPARE(notes, std::string("aAbBcC"));
    const async::BackgroundTask d(loop.executor(), work(turns, loop, 'd', notes));
    loop.advance(2s);
    QCOMPARE(notes, std::string("aAbBcCdD"));
}

void TestTurns::aTaskThatIsDroppedWhileItWaitsIsPassedOver()
{
    VirtualLoop loop;
    async::Turns turns;
    std::string notes;
    const async::BackgroundTask a(loop.executor(), work(turns, loop, 'a', notes));
    std::optional<async::BackgroundTask> b;
    b.emplace(loop.executor(), work(turns, loop, 'b', notes));
    const async::BackgroundTask c(loop.executor(), work(turns, loop, 'c', notes));
    loop.advance(500ms);
    b.reset();
    loop.advance(5s);
    QCOMPARE(notes, std::string("aAcC"));
}

void TestTurns::aTaskThatIsDroppedInItsTurnPassesItOn()
{
    VirtualLoop loop;
    async::Turns turns;
    std::string notes;
    std::optional<async::BackgroundTask> a;
    a.emplace(loop.executor(), work(turns, loop, 'a', notes));
    const async::BackgroundTask b(loop.executor(), work(turns, loop, 'b', notes));
    loop.advance(500ms);
    a.reset();
    loop.advance(5s);
    QCOMPARE(notes, std::string("abB"));
}

/// Between the end of one turn and the beginning of the next one.
void TestTurns::aTurnThatWasGivenToADroppedTaskIsPassedOn()
{
    VirtualLoop loop;
    async::Turns turns;
    std::string notes;
    std::optional<async::BackgroundTask> a;
    a.emplace(loop.executor(), work(turns, loop, 'a', notes));
    std::optional<async::BackgroundTask> b;
    b.emplace(loop.executor(), work(turns, loop, 'b', notes));
    const async::BackgroundTask c(loop.executor(), work(turns, loop, 'c', notes));
    loop.advance(500ms);
    a.reset(); // the turn is b's, which has not gone on yet
    b.reset();
    loop.advance(5s);
    QCOMPARE(notes, std::string("acC"));
}

LOCKSCOPE_TEST(TestTurns, Core)

} // namespace lockscope::tst_turns

#include "tst_turns.moc"
