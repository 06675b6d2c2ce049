#include "core/kernel/inspect/watch/lock_watcher.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"
#include "tests/support/watcher_bench.h"

#include <QTest>

#include <algorithm>
#include <memory>

namespace lockscope::tst_lock_watcher {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Problem;

namespace {

const std::string kNoMemoryUsage =
    "NOPERM User watcher has no permissions to run the 'memory|usage' command";

using Bench = WatcherBench;
using News = std::vector<std::string>;

} // namespace

class TestLockWatcher : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFirstSweepFindsWhatIsThere();
    void locksOfTheFirstSweepWereNotTakenJustNow();
    void aPushedKeyIsReadAgain();
    void numberedKeysWithOneTokenAreOneLock();
    void aHundredPushesOfOneKeyAreOneLook();
    void keysThatAreNoLocksAreNotLookedAt();
    void aDeepWatchLooksAtEveryChangedKey();
    void aKeyThatTheUserCallsALockIsOne();
    void anExpiryIsShownRightAfterItIsTrue();
    void aRenewalThatNobodyToldAboutIsNotAnExpiry();
    void aServerWhoseClockRunsSlowIsNotAskedInATightLoop();
    void withoutPushKnownLocksArePolled();
    void withoutPushNewLocksAreFoundByTheNextSweep();
    void theResweepRepairsWhatPushMissed();
    void aResweepOnRequestMayGoDeep();
    void flushingEverythingEmptiesTheTable();
    void waitersAreCounted();
    void waitersLeadToALockUnderAnyName();
    void waitersStayUnknownWhereTheyMayNotBeCounted();
    void waitersOfAFairLockAreThoseInItsQueue();
    void holdersAreFoundAmongTheClients();
    void aForbiddenValueCommandIsReported();
    void aPermissionGrantedLaterClearsTheReport();
    void aForbiddenScanIsReported();
    void aFailedSweepIsTriedAgainSoon();
    void aBusyServerReleasesNothing();
    void whatTheNewsOfASilenceNamedIsReadBeforeTheRestIsConfirmed();
    void aSilenceThatCutASweepShortIsFollowedByAnother();
    void whereTheNewsHaveGapsSweepsFollowSoon();
    void sweepsThatFillGapsLeaveKnownLocksAlone();
    void sweepsThatFillGapsStillSayWhatCannotBeRead();
    void withoutGapsSweepsAreRareAgain();
    void keysThatMayBeReadAgainAreFoundAtOnce();
    void aLostLinkReleasesNothing();
    void theNextWatcherConfirmsWhatIsStillThere();
    void droppingItAtAnyMomentIsClean();
};

void TestLockWatcher::theFirstSweepFindsWhatIsThere()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 30s);
    bench.keyspace.setString("user:7", "Alice");
    bench.watch();
    QCOMPARE(bench.observer.sweepsDone, 1);
    QCOMPARE(bench.observer.scanned, std::uint64_t(2));
    QVERIFY(!bench.observer.wasDeep);
    QCOMPARE(bench.news(), (News{"appeared order:lock"}));
    QVERIFY(bench.observer.newsCount > 0);
    QVERIFY(bench.observer.limits.empty());
}

void TestLockWatcher::locksOfTheFirstSweepWereNotTakenJustNow()
{
    Bench bench;
    bench.keyspace.setString("old:lock", kAlice, 30s);
    bench.watch();
    bench.keyspace.setString("new:lock", kBob, 30s);
    bench.push("new:lock");
    QVERIFY(!bench.row("old:lock")->isTakenWhileWatching);
    QVERIFY(bench.row("new:lock")->isTakenWhileWatching);
}

void TestLockWatcher::aPushedKeyIsReadAgain()
{
    Bench bench;
    bench.watch();
    bench.keyspace.setString("order:lock", kAlice, 30s);
    bench.push("order:lock");
    QCOMPARE(bench.news(), (News{"appeared order:lock"}));
    bench.keyspace.remove("order:lock");
    bench.push("order:lock");
    QCOMPARE(bench.news(), (News{"released order:lock"}));
    QCOMPARE(bench.watcher->changeCount(), std::uint64_t(2));
}

void TestLockWatcher::numberedKeysWithOneTokenAreOneLock()
{
    Bench bench;
    const Bytes token(24, '\x01');
    for (const char* const key : {"jobs:0:lock", "jobs:1:lock", "jobs:2:lock"}) {
        bench.keyspace.setString(key, token, 30s);
    }
    bench.watch();
    QCOMPARE(bench.news(), (News{"appeared jobs:0:lock"}));
    // The holder has the majority without the key that gives the lock its name.
    bench.keyspace.remove("jobs:0:lock");
    bench.push("jobs:0:lock");
    QVERIFY(bench.book.rows().size() == 1);
    for (const std::string& news : bench.news()) {
        QCOMPARE(news, std::string("changed jobs:0:lock"));
    }
    bench.keyspace.remove("jobs:1:lock");
    bench.keyspace.remove("jobs:2:lock");
    bench.push("jobs:2:lock");
    QCOMPARE(bench.news(), (News{"released jobs:0:lock"}));
}

void TestLockWatcher::aHundredPushesOfOneKeyAreOneLook()
{
    Bench bench;
    bench.watch();
    bench.keyspace.setString("order:lock", kAlice, 30s);
    bench.store.forgetAsked();
    for (int i = 0; i < 100; ++i) {
        bench.watcher->keyChanged("order:lock");
    }
    bench.loop.settle();
    QCOMPARE(bench.store.askedCount("TYPE order:lock"), std::size_t(1));
    QCOMPARE(bench.watcher->changeCount(), std::uint64_t(100));
}

void TestLockWatcher::keysThatAreNoLocksAreNotLookedAt()
{
    Bench bench;
    bench.watch();
    bench.store.forgetAsked();
    bench.push("user:7:name");
    bench.push("redisson_unlock_latch:{lock}:1");
    QVERIFY(bench.store.asked().empty());
    QCOMPARE(bench.watcher->changeCount(), std::uint64_t(0));
}

void TestLockWatcher::aDeepWatchLooksAtEveryChangedKey()
{
    Bench bench;
    WatchSettings settings = Bench::push();
    settings.isDeep = true;
    bench.watch(settings);
    bench.store.forgetAsked();
    bench.push("user:7:name");
    QCOMPARE(bench.store.askedCount("TYPE user:7:name"), std::size_t(1));
}

void TestLockWatcher::aKeyThatTheUserCallsALockIsOne()
{
    Bench bench;
    bench.keyspace.setString("job:sync", "1", 30s);
    bench.keyspace.setString("thing:sync", "1", 30s);
    WatchSettings settings = Bench::push();
    settings.patterns = {"job:*"};
    bench.watch(settings);
    QCOMPARE(bench.news(), (News{"appeared job:sync"}));
}

void TestLockWatcher::anExpiryIsShownRightAfterItIsTrue()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 30s);
    bench.watch();
    bench.loop.advance(29s + 999ms);
    QVERIFY(bench.row("order:lock") != nullptr);
    bench.loop.advance(5ms);
    QVERIFY(bench.row("order:lock") == nullptr);
    QCOMPARE(bench.news(), (News{"appeared order:lock", "expired order:lock"}));
}

void TestLockWatcher::aRenewalThatNobodyToldAboutIsNotAnExpiry()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 30s);
    bench.watch();
    bench.loop.advance(20s);
    bench.keyspace.expire("order:lock", 30s);
    bench.loop.advance(15s);
    QCOMPARE(bench.news(), (News{"appeared order:lock", "renewed order:lock"}));
    QVERIFY(bench.row("order:lock")->expiresAt == bench.loop.now() + 15s);
}

void TestLockWatcher::aServerWhoseClockRunsSlowIsNotAskedInATightLoop()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 30s);
    bench.watch();
    bench.loop.advance(29s);
    bench.keyspace.expire("order:lock", 1050ms); // 50 ms more than it was: no renewal, only another
                                                 // clock
    bench.store.forgetAsked();
    bench.loop.advance(2s);
    QVERIFY(bench.row("order:lock") == nullptr);
    QVERIFY(bench.store.askedCount("TYPE order:lock") <= 60);
}

void TestLockWatcher::withoutPushKnownLocksArePolled()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 30s);
    bench.watch(Bench::polling());
    static_cast<void>(bench.news());
    bench.keyspace.remove("order:lock");
    bench.loop.advance(1s);
    QCOMPARE(bench.news(), (News{"released order:lock"}));
}

void TestLockWatcher::withoutPushNewLocksAreFoundByTheNextSweep()
{
    Bench bench;
    bench.watch(Bench::polling());
    bench.keyspace.setString("order:lock", kAlice, 30s);
    bench.loop.advance(1s); // a sweep of so few keys costs nothing
    QCOMPARE(bench.news(), (News{"appeared order:lock"}));
    QCOMPARE(bench.observer.sweepsDone, 2);
}

void TestLockWatcher::theResweepRepairsWhatPushMissed()
{
    Bench bench;
    bench.keyspace.setString("gone:lock", kAlice);
    bench.watch();
    bench.keyspace.remove("gone:lock");
    bench.keyspace.setString("new:lock", kBob);
    bench.loop.advance(119s);
    QCOMPARE(bench.news(), (News{"appeared gone:lock"}));
    bench.loop.advance(2s);
    QCOMPARE(bench.news(), (News{"appeared new:lock", "released gone:lock"}));
}

void TestLockWatcher::aResweepOnRequestMayGoDeep()
{
    Bench bench;
    bench.keyspace.setString("session", kAlice, 30s);
    bench.keyspace.setString("plain", kAlice, 30s);
    bench.watch();
    QVERIFY(bench.news().empty());
    bench.watcher->resweep(true);
    bench.loop.settle();
    QCOMPARE(bench.observer.sweepsDone, 2);
    QVERIFY(bench.observer.wasDeep);
    QCOMPARE(bench.news(), (News{"appeared plain"}));
}

void TestLockWatcher::flushingEverythingEmptiesTheTable()
{
    Bench bench;
    for (int i = 0; i < 300; ++i) {
        bench.keyspace.setString("lock:" + std::to_string(i), kAlice, 30s);
    }
    bench.watch();
    QCOMPARE(bench.book.rowCount(), std::size_t(300));
    bench.keyspace.clear();
    bench.watcher->everythingChanged();
    bench.loop.settle();
    QCOMPARE(bench.book.rowCount(), std::size_t(0));
}

void TestLockWatcher::waitersAreCounted()
{
    Bench bench;
    bench.keyspace.setHash("order:lock", {{kAlice + ":63", "1"}}, 1h);
    bench.keyspace.setSubscribers("redisson_lock__channel:{order:lock}", 3);
    bench.watch();
    bench.loop.advance(2s);
    QVERIFY(bench.row("order:lock")->waiters == 3);
    bench.keyspace.setSubscribers("redisson_lock__channel:{order:lock}", 0);
    bench.loop.advance(2s);
    QVERIFY(!bench.row("order:lock")->waiters); // who waits for a spin lock does not listen
}

void TestLockWatcher::waitersLeadToALockUnderAnyName()
{
    Bench bench;
    bench.keyspace.setString("orders", "0");
    bench.watch();
    bench.loop.advance(2s);
    QVERIFY(!bench.row("orders"));
    bench.keyspace.setSubscribers("redisson_sc:{orders}", 3);
    bench.loop.advance(5s);
    QVERIFY(bench.row("orders") != nullptr);
    QCOMPARE(std::string(bench.row("orders")->format()), std::string("redisson-semaphore"));
    QVERIFY(bench.row("orders")->waiters == 3);
}

void TestLockWatcher::waitersStayUnknownWhereTheyMayNotBeCounted()
{
    Bench bench;
    bench.keyspace.setHash("order:lock", {{kAlice + ":63", "1"}}, 1h);
    bench.keyspace.refuse("PUBSUB",
                          "NOPERM this user has no permissions to run the 'pubsub' command");
    bench.watch();
    bench.loop.advance(5s);
    const std::size_t askedCount = bench.store.askedCount("PUBSUB");
    bench.loop.advance(30s);
    QVERIFY(!bench.row("order:lock")->waiters);
    QCOMPARE(bench.store.askedCount("PUBSUB"), askedCount); // asking again would not help
}

void TestLockWatcher::waitersOfAFairLockAreThoseInItsQueue()
{
    Bench bench;
    bench.keyspace.setHash("fair", {{kAlice + ":63", "1"}}, 1h);
    bench.keyspace.setList("redisson_lock_queue:{fair}", {kBob + ":1"});
    WatchSettings settings = Bench::push();
    settings.patterns = {"fair"};
    bench.watch(std::move(settings));
    QVERIFY(bench.row("fair")->waiters == 1);
    bench.loop.advance(10s); // no client listens on the channel of locks that are not fair
    QVERIFY(bench.row("fair")->waiters == 1);
    bench.keyspace.setList("redisson_lock_queue:{fair}", {kBob + ":1", kBob + ":2"});
    bench.push("redisson_lock_queue:{fair}");
    QVERIFY(bench.row("fair")->waiters == 2);
    bench.keyspace.remove("redisson_lock_queue:{fair}");
    bench.push("redisson_lock_queue:{fair}");
    QVERIFY(bench.row("fair")->waiters != 2);
}

void TestLockWatcher::holdersAreFoundAmongTheClients()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 1h);
    bench.watch();
    bench.keyspace.setClientList("id=3 addr=10.0.0.7:51622 fd=8 name=" + kAlice + " age=5\n");
    bench.loop.advance(5s);
    QCOMPARE(bench.row("order:lock")->holders.front().client()->address,
             std::string("10.0.0.7:51622"));
}

void TestLockWatcher::aForbiddenValueCommandIsReported()
{
    Bench bench;
    bench.keyspace.setHash("order:lock", {{"worker-17:a", "1"}});
    bench.keyspace.setString("other:lock", kAlice, 30s);
    bench.keyspace.refuse("MEMORY", kNoMemoryUsage);
    bench.watch();
    QCOMPARE(bench.news(), (News{"appeared other:lock"}));
    QCOMPARE(bench.observer.limits.size(), std::size_t(1));
    QVERIFY(bench.observer.limits.front().kind == Problem::Kind::NoPermission);
    QCOMPARE(bench.observer.limits.front().rule, std::string("+memory|usage"));
    QCOMPARE(bench.observer.sweepsDone, 1);
    bench.loop.advance(121s);
    QCOMPARE(bench.observer.limits.size(), std::size_t(1)); // said once
}

void TestLockWatcher::aPermissionGrantedLaterClearsTheReport()
{
    Bench bench;
    bench.keyspace.setHash("order:lock", {{"worker-17:a", "1"}});
    bench.keyspace.refuse("MEMORY", kNoMemoryUsage);
    bench.watch();
    bench.keyspace.refuse("MEMORY", {});
    bench.loop.advance(121s);
    QCOMPARE(bench.observer.limits.size(), std::size_t(2));
    QVERIFY(bench.observer.limits.back().kind == Problem::Kind::None);
    QVERIFY(bench.row("order:lock") != nullptr);
}

void TestLockWatcher::aForbiddenScanIsReported()
{
    Bench bench;
    bench.keyspace.refuse("SCAN",
                          "NOPERM User watcher has no permissions to run the 'scan' command");
    bench.watch();
    QCOMPARE(bench.observer.sweepsDone, 0);
    QCOMPARE(bench.observer.limits.size(), std::size_t(1));
    QCOMPARE(bench.observer.limits.front().rule, std::string("+scan"));
}

void TestLockWatcher::aFailedSweepIsTriedAgainSoon()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice);
    bench.keyspace.refuse("SCAN", "LOADING Redis is loading the dataset in memory");
    bench.watch();
    QVERIFY(bench.observer.limits.back().kind == Problem::Kind::Loading);
    bench.keyspace.refuse("SCAN", {});
    bench.loop.advance(5s);
    QCOMPARE(bench.observer.sweepsDone, 1);
    QVERIFY(bench.observer.limits.back().kind == Problem::Kind::None);
    QVERIFY(bench.row("order:lock") != nullptr);
}

void TestLockWatcher::whatTheNewsOfASilenceNamedIsReadBeforeTheRestIsConfirmed()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 300s);
    bench.keyspace.setString("other:lock", kBob, 300s);
    bench.watch();
    bench.book.markUnconfirmed(0, bench.loop.clock().now());
    bench.keyspace.remove("order:lock");
    static_cast<void>(bench.news());
    bench.watcher->keyChanged("order:lock");
    bench.watcher->resume();
    bench.loop.settle();
    QCOMPARE(bench.news(), (News{"released order:lock", "changed other:lock"}));
    QVERIFY(bench.row("other:lock")->isConfirmed);
    QCOMPARE(bench.observer.sweepsDone, 1); // nothing had to be looked for
}

void TestLockWatcher::aSilenceThatCutASweepShortIsFollowedByAnother()
{
    Bench bench;
    bench.keyspace.refuse("SCAN", "BUSY Redis is busy running a script.");
    bench.watch();
    QCOMPARE(bench.observer.sweepsDone, 0);
    bench.keyspace.refuse("SCAN", {});
    bench.keyspace.setString("order:lock", kAlice, 300s);
    bench.watcher->resume();
    bench.loop.settle();
    QCOMPARE(bench.observer.sweepsDone, 1);
    QVERIFY(bench.row("order:lock"));
}

void TestLockWatcher::whereTheNewsHaveGapsSweepsFollowSoon()
{
    Bench bench;
    bench.watch();
    bench.loop.advance(10s);
    QCOMPARE(bench.observer.sweepsDone, 1);
    bench.watcher->setGaps(true);
    bench.loop.settle();
    QCOMPARE(bench.observer.sweepsDone, 2);
    bench.keyspace.setString("zebra:lock", kAlice, 300s);
    bench.loop.advance(2s);
    QVERIFY(bench.row("zebra:lock"));
}

/// What becomes of known locks the news tell; but the news may have missed something.
void TestLockWatcher::sweepsThatFillGapsLeaveKnownLocksAlone()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 3600s);
    WatchSettings settings = Bench::push();
    settings.hasGaps = true;
    bench.watch(settings);
    bench.loop.advance(60s);
    QVERIFY(bench.observer.sweepsDone > 10);
    QCOMPARE(bench.store.askedCount("GETRANGE order:lock"), std::size_t(1));
    QVERIFY(bench.row("order:lock"));
    bench.keyspace.remove("order:lock");
    bench.loop.advance(30s);
    QVERIFY(bench.row("order:lock"));
    bench.loop.advance(60s);
    QVERIFY(!bench.row("order:lock"));
}

void TestLockWatcher::sweepsThatFillGapsStillSayWhatCannotBeRead()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 3600s);
    WatchSettings settings = Bench::push();
    settings.hasGaps = true;
    bench.watch(settings);
    bench.keyspace.refuse("GETRANGE", "NOPERM User watcher has no permissions to run 'getrange'");
    bench.push("order:lock");
    const int before = bench.observer.sweepsDone;
    bench.loop.advance(5s);
    QVERIFY(bench.observer.sweepsDone > before);
    QCOMPARE(bench.observer.findings->unreadCount(), std::uint64_t(1));
    QVERIFY(bench.observer.limits.back().kind == Problem::Kind::NoPermission);
}

void TestLockWatcher::withoutGapsSweepsAreRareAgain()
{
    Bench bench;
    WatchSettings settings = Bench::push();
    settings.hasGaps = true;
    bench.watch(settings);
    bench.watcher->setGaps(false);
    bench.loop.settle();
    const int before = bench.observer.sweepsDone;
    bench.loop.advance(60s);
    QCOMPARE(bench.observer.sweepsDone, before);
}

void TestLockWatcher::keysThatMayBeReadAgainAreFoundAtOnce()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 300s);
    bench.keyspace.refuse("PTTL", "NOPERM User watcher has no permissions to run 'pttl'");
    bench.watch();
    QVERIFY(!bench.row("order:lock"));
    bench.keyspace.refuse("PTTL", {});
    bench.loop.advance(2s);
    QVERIFY(bench.row("order:lock"));
}

void TestLockWatcher::aBusyServerReleasesNothing()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 60s);
    bench.watch(Bench::polling());
    bench.loop.advance(3s);
    static_cast<void>(bench.news());
    bench.keyspace.refuse("TYPE", "BUSY Redis is busy running a script.");
    bench.loop.advance(5s);
    QVERIFY(bench.news().empty());
    bench.keyspace.refuse("TYPE", {});
    bench.keyspace.remove("order:lock");
    bench.loop.advance(2s);
    QCOMPARE(bench.news(), (News{"released order:lock"}));
}

void TestLockWatcher::aLostLinkReleasesNothing()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 30s);
    bench.watch();
    static_cast<void>(bench.news());
    bench.store.breakLink();
    bench.push("order:lock");
    bench.loop.advance(1h); // the watcher does not loop either
    QVERIFY(bench.news().empty());
}

void TestLockWatcher::theNextWatcherConfirmsWhatIsStillThere()
{
    Bench bench;
    bench.keyspace.setString("stays:lock", kAlice, 1h);
    bench.keyspace.setString("goes:lock", kBob, 1h);
    bench.watch();
    bench.watcher.reset();
    bench.book.markUnconfirmed(0, bench.loop.now());
    bench.keyspace.remove("goes:lock");
    static_cast<void>(bench.news());
    bench.watch();
    const News news = bench.news();
    QCOMPARE(news, (News{"changed stays:lock", "released goes:lock"}));
    QVERIFY(bench.row("stays:lock")->isConfirmed);
}

void TestLockWatcher::droppingItAtAnyMomentIsClean()
{
    for (int answered = 0; answered < 16; ++answered) {
        Bench bench;
        for (int i = 0; i < 1500; ++i) {
            bench.keyspace.setString("lock:" + std::to_string(i), kAlice, 30s);
        }
        bench.store.hold();
        bench.watch(Bench::polling());
        bench.push("lock:7");
        for (int i = 0; i < answered; ++i) {
            bench.store.answerOne();
            bench.loop.settle();
        }
        bench.watcher.reset();
        bench.store.answerAll();
        bench.loop.advance(1min);
        QVERIFY(bench.book.rowCount() <= 1500);
    }
}

LOCKSCOPE_TEST(TestLockWatcher, Core)

} // namespace lockscope::tst_lock_watcher

#include "tst_lock_watcher.moc"
