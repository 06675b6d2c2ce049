#include "core/kernel/inspect/watch/lock_watcher.h"
#include "tests/support/test_program.h"
#include "tests/support/watcher_bench.h"

#include <QTest>

// A lock was taken just now only if it was known to be free. Otherwise it may have been there all
// along, however long the server has been watched.
namespace lockscope::tst_taken_or_there {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;

using Bench = WatcherBench;

class TestTakenOrThere : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aNameThatOnlyItsWaitersLeadTo();
    void aQueueLeadsToAHoldThatWasThere();
    void aNewPatternFindsWhatWasThere();
    void aDeepLookFindsWhatWasThere();
    void whatChangesHandsIsSeen();
    void newsOfASweptNameAreSeen();
    void aRepairDoesNotKnowWhen();
    void lostNewsAreFollowedByDoubt();
    void sweepsThatFollowSoonSeeNewcomers();
};

void TestTakenOrThere::aNameThatOnlyItsWaitersLeadTo()
{
    Bench bench;
    bench.keyspace.setString("orders", "0");
    bench.watch();
    bench.loop.advance(5s);
    bench.keyspace.setSubscribers("redisson_sc:{orders}", 3);
    bench.loop.advance(5s);
    QVERIFY(bench.row("orders") != nullptr);
    QVERIFY(!bench.row("orders")->isTakenWhileWatching);
}

void TestTakenOrThere::aQueueLeadsToAHoldThatWasThere()
{
    Bench bench;
    bench.keyspace.setHash("order:1", {{kAlice + ":63", "1"}}, 1h);
    bench.watch();
    QVERIFY(!bench.row("order:1"));
    bench.loop.advance(60s);
    bench.keyspace.setList("redisson_lock_queue:{order:1}", {kBob + ":1"});
    bench.push("redisson_lock_queue:{order:1}");
    bench.keyspace.setSubscribers("redisson_lock__channel:{order:1}", 1);
    bench.loop.advance(5s);
    QVERIFY(bench.row("order:1") != nullptr);
    QVERIFY(!bench.row("order:1")->isTakenWhileWatching);
    QVERIFY(!bench.row("order:1")->queue()->front().isNew);
}

void TestTakenOrThere::aNewPatternFindsWhatWasThere()
{
    Bench bench;
    bench.keyspace.setString("nightly-report", kAlice, 1h);
    bench.watch();
    bench.loop.advance(60s);
    bench.watcher->setPatterns({"nightly-*"});
    bench.loop.settle();
    QVERIFY(bench.row("nightly-report") != nullptr);
    QVERIFY(!bench.row("nightly-report")->isTakenWhileWatching);
    bench.keyspace.setString("nightly-backup", kBob, 1h);
    bench.push("nightly-backup");
    QVERIFY(bench.row("nightly-backup")->isTakenWhileWatching);
}

void TestTakenOrThere::aDeepLookFindsWhatWasThere()
{
    Bench bench;
    bench.keyspace.setString("plain", kAlice, 1h);
    bench.watch();
    bench.watcher->resweep(true);
    bench.loop.settle();
    QVERIFY(!bench.row("plain")->isTakenWhileWatching);
}

void TestTakenOrThere::whatChangesHandsIsSeen()
{
    Bench bench;
    bench.keyspace.setString("nightly-report", kAlice, 1h);
    WatchSettings settings = Bench::push();
    settings.patterns = {"nightly-*"};
    bench.watch(std::move(settings));
    QVERIFY(!bench.row("nightly-report")->isTakenWhileWatching);
    bench.keyspace.setString("nightly-report", kBob, 1h);
    bench.push("nightly-report");
    QVERIFY(bench.row("nightly-report")->isTakenWhileWatching);
}

void TestTakenOrThere::newsOfASweptNameAreSeen()
{
    Bench bench;
    bench.watch();
    bench.loop.advance(90s);
    bench.keyspace.setString("order:lock", kAlice, 1h);
    bench.push("order:lock");
    QVERIFY(bench.row("order:lock")->isTakenWhileWatching);
}

void TestTakenOrThere::aRepairDoesNotKnowWhen()
{
    Bench bench;
    bench.watch();
    bench.loop.advance(30s);
    bench.keyspace.setString("order:lock", kAlice, 1h); // and no news of it arrive
    bench.loop.advance(120s);
    QVERIFY(bench.row("order:lock") != nullptr);
    QVERIFY(!bench.row("order:lock")->isTakenWhileWatching);
}

void TestTakenOrThere::lostNewsAreFollowedByDoubt()
{
    Bench bench;
    bench.watch();
    bench.loop.advance(30s);
    bench.keyspace.setString("order:lock", kAlice, 1h);
    bench.store.hold();
    bench.watcher->everythingChanged();
    bench.push("order:lock"); // a renewal is told of before the sweep comes to the key
    bench.store.answerAll();
    bench.loop.settle();
    QVERIFY(!bench.row("order:lock")->isTakenWhileWatching);
    bench.keyspace.setString("new:lock", kBob, 1h);
    bench.push("new:lock");
    QVERIFY(bench.row("new:lock")->isTakenWhileWatching);
}

void TestTakenOrThere::sweepsThatFollowSoonSeeNewcomers()
{
    Bench bench;
    WatchSettings settings = Bench::push();
    settings.hasGaps = true;
    bench.watch(std::move(settings));
    bench.loop.advance(10s);
    bench.keyspace.setString("order:lock", kAlice, 1h);
    bench.loop.advance(2s);
    QVERIFY(bench.row("order:lock") != nullptr);
    QVERIFY(bench.row("order:lock")->isTakenWhileWatching);
}

LOCKSCOPE_TEST(TestTakenOrThere, Core)

} // namespace lockscope::tst_taken_or_there

#include "tst_taken_or_there.moc"
