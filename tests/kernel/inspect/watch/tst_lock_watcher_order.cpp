#include "core/kernel/inspect/watch/lock_watcher.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"
#include "tests/support/watcher_bench.h"

#include <QTest>

// When changed keys are looked at, and which look counts: of those that overlap, the newest,
// whichever is finished last.
namespace lockscope::tst_lock_watcher_order {

using namespace lockscope::testing;
using namespace std::chrono_literals;

namespace {

using Bench = WatcherBench;

} // namespace

class TestLockWatcherOrder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void changesThatComeCloseTogetherShareALook();
    void whatChangesAllTheTimeDoesNotPutOffAConfirmation();
    void pushesDuringALookAreNotLost();
    void aSweepDoesNotBringBackWhatItReadEarlier();
};

void TestLockWatcherOrder::changesThatComeCloseTogetherShareALook()
{
    Bench bench;
    bench.watch();
    for (const char* const key : {"first:lock", "second:lock", "third:lock"}) {
        bench.keyspace.setString(key, kAlice, 30s);
    }
    bench.watcher->keyChanged("first:lock");
    bench.loop.settle();
    QVERIFY(bench.row("first:lock") != nullptr); // after a pause, at once
    bench.store.forgetAsked();
    bench.watcher->keyChanged("second:lock");
    bench.loop.advance(10ms);
    bench.watcher->keyChanged("third:lock");
    bench.loop.advance(inspect::LockWatcher::kLookInterval - 11ms);
    QVERIFY(bench.store.asked().empty());
    bench.loop.advance(1ms);
    QVERIFY(bench.row("second:lock") != nullptr);
    QVERIFY(bench.row("third:lock") != nullptr);
}

/// After a silence, rows are confirmed once what the news of that time named was read, although
/// other news come meanwhile.
void TestLockWatcherOrder::whatChangesAllTheTimeDoesNotPutOffAConfirmation()
{
    Bench bench;
    bench.keyspace.setString("quiet:lock", kAlice, 30s);
    bench.keyspace.setString("busy:lock", kAlice, 30s);
    bench.watch();
    bench.book.markUnconfirmed(0, bench.loop.now());
    bench.store.hold();
    bench.watcher->keyChanged("busy:lock");
    bench.watcher->resume();
    bench.loop.settle();
    bench.watcher->keyChanged("busy:lock");
    bench.store.answerAll();
    bench.loop.settle();
    QVERIFY(bench.row("quiet:lock")->isConfirmed);
}

void TestLockWatcherOrder::pushesDuringALookAreNotLost()
{
    Bench bench;
    bench.watch();
    bench.keyspace.setString("order:lock", kAlice, 30s);
    bench.store.hold();
    bench.push("order:lock");
    bench.store.answerOne(); // it read Alice's value …
    bench.keyspace.setString("order:lock", kBob, 30s);
    bench.watcher->keyChanged("order:lock"); // … and Bob came before it could say so
    bench.store.answerAll();
    bench.loop.settle();
    QCOMPARE(bench.row("order:lock")->holders.front().owner, kBob);
}

/// A hash takes the sweep a second question, and what it has read of the other keys waits for the
/// answer.
void TestLockWatcherOrder::aSweepDoesNotBringBackWhatItReadEarlier()
{
    Bench bench;
    bench.keyspace.setHash("hash:lock", {{kAlice + ":1", "1"}}, 30s);
    bench.keyspace.setString("changed:lock", kAlice, 30s);
    bench.keyspace.setString("gone:lock", kAlice, 30s);
    bench.watch();
    bench.store.forgetAsked();
    bench.store.hold();
    bench.watcher->resweep(false);
    const auto answerUntilAsked = [&bench](const char* command) {
        bench.loop.settle();
        while (bench.store.askedCount(command) == 0 && bench.store.heldCount() > 0) {
            bench.store.answerOne();
            bench.loop.settle();
        }
    };
    answerUntilAsked("TYPE hash:lock");        // the sweep's first question
    bench.watcher->keyChanged("changed:lock"); // which is told before it is answered
    bench.watcher->keyChanged("gone:lock");
    answerUntilAsked("HLEN hash:lock"); // the sweep's second question, asked behind these two
    bench.keyspace.setString("changed:lock", kBob, 30s);
    bench.keyspace.remove("gone:lock");
    bench.loop.advance(1ms);
    bench.store.answerAll();
    bench.loop.settle();
    QCOMPARE(bench.row("changed:lock")->holders.front().owner, kBob);
    QVERIFY(bench.row("gone:lock") == nullptr);
    QVERIFY(bench.row("hash:lock") != nullptr);
}

LOCKSCOPE_TEST(TestLockWatcherOrder, Core)

} // namespace lockscope::tst_lock_watcher_order

#include "tst_lock_watcher_order.moc"
