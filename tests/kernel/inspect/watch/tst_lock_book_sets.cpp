#include "core/kernel/inspect/watch/lock_book.h"
#include "tests/kernel/inspect/lock_book_bench.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <map>

namespace lockscope::tst_lock_book_sets {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;

namespace {

using Bench = LockBookBench;

} // namespace

/// The book of several servers that are one Redlock set.
class TestLockBookSets : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyServerHasItsOwnRowsExceptVotes();
    void votesFoldIntoOneRow_data();
    void votesFoldIntoOneRow();
    void aMinorityIsOnlySuspiciousAfterASecond();
    void rivalsAreSplitOwnersAfterASecond();
    void theRowOfASetChangesHandsWithItsMajority();
    void theRowOfASetEndsWithItsLastVote();
    void oneBrokenLinkMakesTheRowUnconfirmed();
    void aServerThatCannotBeReachedIsNoMissingVote();
    void aServerThatIsLostIsNoMissingVoteAnyMore();
    void aSplitWithALostServerIsUndecided();
    void aVoteThatMayNotBeReadIsNoMissingVote();
    void aVoteThatBecomesAHashLeavesTheRow();
    void serversThatAreNoSetAreShownApart();
    void aServerThatIsGivenTwiceHasOneVote();
    void locksThatShareTheirNameAreTwo();
    void theSameTokenOnTwoServersIsOneLock();
    void whatWasOneLockStaysOneUntilItEnds();
    void separateServersShareNothing();
    void theDeltaIsTheWholeStory();
};

void TestLockBookSets::locksThatShareTheirNameAreTwo()
{
    Bench bench(2, true, store::Folding::SameToken);
    bench.seeToken(kAlice, 30s, kStart, 0);
    bench.seeToken(kBob, 30s, kStart, 1);
    bench.book.tick(kStart + 5s);
    QCOMPARE(bench.book.rowCount(), std::size_t(2));
    for (const LockPtr& row : bench.book.rows()) {
        QVERIFY(row->id.server < 2);
        QCOMPARE(row->quorum().total, std::uint16_t(0));
        QVERIFY(row->flags.isEmpty());
    }
}

void TestLockBookSets::theSameTokenOnTwoServersIsOneLock()
{
    Bench bench(2, true, store::Folding::SameToken);
    bench.seeToken(kAlice, 30s, kStart, 0);
    QCOMPARE(bench.news(), (News{"appeared order:lock"}));
    bench.seeToken(kAlice, 30s, kStart, 1);
    QCOMPARE(bench.book.rowCount(), std::size_t(1));
    QVERIFY(bench.row()->id.server == LockId::kWholeSet);
    QVERIFY(bench.row()->quorum() == (Quorum{2, 2}));
    QCOMPARE(bench.news(), (News{"unwatched order:lock", "appeared order:lock"}));
}

void TestLockBookSets::whatWasOneLockStaysOneUntilItEnds()
{
    Bench bench(2, true, store::Folding::SameToken);
    bench.seeToken(kAlice, 30s, kStart, 0);
    bench.seeToken(kAlice, 30s, kStart, 1);
    bench.see(missing("order:lock", kStart + 1s), 1);
    bench.book.tick(kStart + 1s);
    bench.book.tick(kStart + 3s);
    QVERIFY(bench.row()->flags.has(Flag::Minority)); // a leftover
    bench.see(missing("order:lock", kStart + 4s), 0);
    QCOMPARE(bench.book.rowCount(), std::size_t(0));
    bench.seeToken(kBob, 30s, kStart + 5s, 0);
    QCOMPARE(bench.row()->id.server, std::uint16_t(0));
}

void TestLockBookSets::separateServersShareNothing()
{
    Bench bench(3, true, store::Folding::Never);
    for (const std::uint16_t server : {0, 1, 2}) {
        bench.seeToken(kAlice, 30s, kStart, server);
    }
    bench.book.tick(kStart + 5s);
    QCOMPARE(bench.book.rowCount(), std::size_t(3));
}

void TestLockBookSets::serversThatAreNoSetAreShownApart()
{
    Bench bench(3);
    bench.seeToken(kAlice, 30s, kStart, 0);
    bench.seeToken(kAlice, 30s, kStart, 1);
    QCOMPARE(bench.book.rowCount(), std::size_t(1));
    bench.book.keepApart(kStart + 1s);
    QCOMPARE(bench.book.rowCount(), std::size_t(2));
    for (const LockPtr& row : bench.book.rows()) {
        QVERIFY(row->id.server < 2);
        QCOMPARE(row->quorum().total, std::uint16_t(0));
    }
    bench.seeToken(kBob, 30s, kStart + 2s, 2);
    QCOMPARE(bench.book.rowCount(), std::size_t(3));
    bench.book.tick(kStart + 10s);
    QCOMPARE(bench.book.rowCount(), std::size_t(3));
}

void TestLockBookSets::aServerThatIsGivenTwiceHasOneVote()
{
    Bench bench(3);
    bench.book.meetServer(0, "run-1", false);
    bench.book.meetServer(1, "", false); // it does not tell
    bench.seeToken(kAlice, 30s, kStart, 0);
    bench.seeToken(kAlice, 30s, kStart, 2);
    QCOMPARE(bench.book.rowCount(), std::size_t(1));
    bench.book.meetServer(0, "run-1", false); // itself
    bench.book.tick(kStart + 1s);
    QCOMPARE(bench.book.rowCount(), std::size_t(1));
    static_cast<void>(bench.news());
    bench.book.meetServer(2, "run-1", false);
    bench.book.tick(kStart + 2s);
    QCOMPARE(bench.book.rowCount(), std::size_t(2));
    QCOMPARE(bench.row()->quorum().total, std::uint16_t(0));
    QCOMPARE(bench.news(), (News{"unwatched order:lock", "appeared order:lock",
                                 "appeared order:lock"})); // it was
                                                           // not
                                                           // released
}

void TestLockBookSets::everyServerHasItsOwnRowsExceptVotes()
{
    Bench bench(2);
    bench.see(hashKey("lock:h", "worker-17:a", 1, 30s), 0);
    bench.see(hashKey("lock:h", "worker-17:a", 1, 30s), 1);
    bench.seeToken(kAlice, 30s, kStart, 0);
    bench.seeToken(kAlice, 30s, kStart, 1);
    QCOMPARE(bench.book.rowCount(), std::size_t(3));
    QVERIFY(bench.row()->id.server == LockId::kWholeSet);
    QCOMPARE(bench.book.names(1).size(), std::size_t(2));
}

void TestLockBookSets::votesFoldIntoOneRow_data()
{
    QTest::addColumn<int>("serverCount");
    QTest::addColumn<int>("voteCount");
    for (const int serverCount : {2, 3, 5}) {
        for (int voteCount = 1; voteCount <= serverCount; ++voteCount) {
            QTest::addRow("%d of %d", voteCount, serverCount) << serverCount << voteCount;
        }
    }
}

void TestLockBookSets::votesFoldIntoOneRow()
{
    QFETCH(const int, serverCount);
    QFETCH(const int, voteCount);
    Bench bench(static_cast<std::uint16_t>(serverCount));
    for (int server = 0; server < voteCount; ++server) {
        bench.seeToken(kAlice, 30s, kStart, static_cast<std::uint16_t>(server));
    }
    QCOMPARE(bench.book.rowCount(), std::size_t(1));
    const LockPtr row = bench.row();
    QCOMPARE(int(row->quorum().held), voteCount);
    QCOMPARE(int(row->quorum().total), serverCount);
    QCOMPARE(row->quorum().isMajority(), 2 * voteCount > serverCount);
    QCOMPARE(std::string(row->format()), std::string(voteCount > 1 ? "redlock" : "token"));
    bench.book.tick(kStart + 2s);
    QCOMPARE(bench.row()->flags.has(Flag::Minority), 2 * voteCount <= serverCount);
    QVERIFY(bench.row()->firstSeen == kStart);
}

void TestLockBookSets::aMinorityIsOnlySuspiciousAfterASecond()
{
    Bench bench(3);
    bench.seeToken(kAlice, 30s, kStart, 0);
    bench.book.tick(kStart + 900ms);
    QVERIFY(!bench.row()->flags.has(Flag::Minority));
    bench.seeToken(kAlice, 29s, kStart + 950ms, 1); // now it is a majority
    bench.book.tick(kStart + 5s);
    QVERIFY(bench.row()->flags.isEmpty());
    bench.see(missing("order:lock", kStart + 6s), 1);
    bench.book.tick(kStart + 6500ms);
    QVERIFY(bench.row()->flags.isEmpty());
    static_cast<void>(bench.news());
    bench.book.tick(kStart + 7s);
    QVERIFY(bench.row()->flags.has(Flag::Minority));
    QCOMPARE(bench.news(), (News{"changed order:lock"}));
}

void TestLockBookSets::rivalsAreSplitOwnersAfterASecond()
{
    Bench bench(5);
    for (const std::uint16_t server : {0, 1, 2}) {
        bench.seeToken(kAlice, 30s, kStart, server);
    }
    bench.seeToken(kBob, 30s, kStart, 3);
    QVERIFY(bench.row()->flags.isEmpty());
    QCOMPARE(bench.row()->holders.size(), std::size_t(2));
    QCOMPARE(bench.row()->holders.front().owner, kAlice);
    bench.book.tick(kStart + 1s);
    QVERIFY(bench.row()->flags.has(Flag::SplitOwners));
    QVERIFY(!bench.row()->flags.has(Flag::Minority));
}

void TestLockBookSets::theRowOfASetChangesHandsWithItsMajority()
{
    Bench bench(3);
    for (const std::uint16_t server : {0, 1, 2}) {
        bench.seeToken(kBob, 30s, kStart, server);
    }
    static_cast<void>(bench.news());
    bench.see(missing("order:lock", kStart + 5s), 0);
    bench.seeToken(kAlice, 30s, kStart + 5s, 0);
    bench.see(missing("order:lock", kStart + 5s), 1);
    QCOMPARE(bench.row()->holders.front().owner, kBob); // a tie: who was there before stays
    bench.seeToken(kAlice, 30s, kStart + 6s, 1);
    QCOMPARE(bench.row()->holders.front().owner, kAlice);
    QVERIFY(bench.row()->firstSeen == kStart + 6s);
    const News news = bench.news();
    QCOMPARE(std::count(news.begin(), news.end(), "released order:lock"), 1);
    QCOMPARE(news.back(), std::string("appeared order:lock"));
}

void TestLockBookSets::theRowOfASetEndsWithItsLastVote()
{
    Bench bench(3);
    for (const std::uint16_t server : {0, 1, 2}) {
        bench.seeToken(kAlice, 30s, kStart, server);
    }
    static_cast<void>(bench.news());
    for (const std::uint16_t server : {0, 1, 2}) {
        QCOMPARE(bench.book.rowCount(), std::size_t(1));
        bench.see(missing("order:lock", kStart + 5s), server);
    }
    QCOMPARE(bench.book.rowCount(), std::size_t(0));
    QCOMPARE(bench.news().back(), std::string("released order:lock"));
}

void TestLockBookSets::oneBrokenLinkMakesTheRowUnconfirmed()
{
    Bench bench(3);
    for (const std::uint16_t server : {0, 1, 2}) {
        bench.seeToken(kAlice, 30s, kStart, server);
    }
    bench.book.markUnconfirmed(2, kStart + 1s);
    QVERIFY(!bench.row()->isConfirmed);
    bench.seeToken(kAlice, 28s, kStart + 2s, 2);
    QVERIFY(bench.row()->isConfirmed);
    QVERIFY(bench.row()->firstSeen == kStart);
}

void TestLockBookSets::aServerThatCannotBeReachedIsNoMissingVote()
{
    Bench bench(3, false);
    bench.book.setLive(0, true);
    bench.book.setLive(1, true);
    bench.seeToken(kAlice, 30s, kStart, 0);
    bench.book.tick(kStart + 5s);
    QCOMPARE(bench.row()->quorum().unknown, std::uint16_t(1));
    QVERIFY(bench.row()->quorum().isUnknown(2));
    QVERIFY(!bench.row()->flags.has(Flag::Minority));
    static_cast<void>(bench.news());
    bench.book.setLive(2, true); // its first sweep is done, and found nothing
    bench.book.tick(kStart + 6s);
    QCOMPARE(bench.news(), (News{"changed order:lock"}));
    QCOMPARE(bench.row()->quorum().unknown, std::uint16_t(0));
    bench.book.tick(kStart + 7s);
    QVERIFY(bench.row()->flags.has(Flag::Minority));
}

void TestLockBookSets::aServerThatIsLostIsNoMissingVoteAnyMore()
{
    Bench bench(3);
    bench.seeToken(kAlice, 30s, kStart, 0);
    bench.book.tick(kStart + 2s);
    QVERIFY(bench.row()->flags.has(Flag::Minority));
    bench.book.markUnconfirmed(2, kStart + 3s);
    QVERIFY(!bench.row()->flags.has(Flag::Minority));
    QVERIFY(bench.row()->quorum().isUnknown(2));
    QVERIFY(bench.row()->isConfirmed); // the vote itself is
    bench.book.confirm(2, kStart + 4s);
    QCOMPARE(bench.row()->quorum().unknown, std::uint16_t(0));
    bench.book.tick(kStart + 6s);
    QVERIFY(bench.row()->flags.has(Flag::Minority));
}

void TestLockBookSets::aSplitWithALostServerIsUndecided()
{
    Bench bench(3);
    bench.seeToken(kAlice, 30s, kStart, 0);
    bench.seeToken(kBob, 30s, kStart, 1);
    bench.book.tick(kStart + 2s);
    QVERIFY(bench.row()->flags.has(Flag::SplitOwners) && bench.row()->flags.has(Flag::Minority));
    static_cast<void>(bench.news());
    bench.book.markUnconfirmed(0, kStart + 3s);
    QCOMPARE(bench.row()->holders.front().owner, kBob);
    bench.book.confirm(0, kStart + 4s);
    bench.book.markUnconfirmed(1, kStart + 5s);
    QCOMPARE(bench.row()->holders.front().owner, kAlice);
    const News news = bench.news();
    QVERIFY(std::ranges::all_of(news, [](const std::string& one) {
        return one == "changed order:lock"; // no client took it, and none gave it back
    }));
    bench.book.tick(kStart + 7s);
    QVERIFY(bench.row()->flags.isEmpty());
    QVERIFY(bench.row()->quorum().isUndecided());
    QCOMPARE(bench.row()->holders.size(), std::size_t(1));
    bench.book.confirm(1, kStart + 8s);
    bench.seeToken(kBob, 22s, kStart + 8s, 1);
    bench.book.tick(kStart + 10s);
    QVERIFY(bench.row()->flags.has(Flag::SplitOwners));
    QVERIFY(bench.row()->firstSeen == kStart);
}

void TestLockBookSets::aVoteThatMayNotBeReadIsNoMissingVote()
{
    Bench bench(3);
    bench.see(forbidden("order:lock"), 2);
    bench.seeToken(kAlice, 30s, kStart, 0);
    bench.book.tick(kStart + 2s);
    QVERIFY(bench.row()->quorum().isUnknown(2));
    QVERIFY(!bench.row()->flags.has(Flag::Minority));
    bench.see(missing("order:lock", kStart + 3s), 2);
    bench.book.tick(kStart + 3s);
    bench.book.tick(kStart + 5s);
    QVERIFY(bench.row()->flags.has(Flag::Minority));
}

void TestLockBookSets::aVoteThatBecomesAHashLeavesTheRow()
{
    Bench bench(2);
    bench.seeToken(kAlice, 30s, kStart, 0);
    bench.seeToken(kAlice, 30s, kStart, 1);
    bench.see(hashKey("order:lock", "worker-17:a", 1, 30s, kStart + 1s), 1);
    QCOMPARE(bench.book.rowCount(), std::size_t(2));
    bench.see(missing("order:lock", kStart + 2s), 0);
    QCOMPARE(bench.book.rowCount(), std::size_t(1));
    QCOMPARE(int(bench.row()->id.server), 1);
}

/// A listener that only hears the deltas knows the same rows as the book.
void TestLockBookSets::theDeltaIsTheWholeStory()
{
    Bench bench(3);
    std::map<LockId, LockPtr> heard;
    const auto listen = [&] {
        for (const LockChange& change : bench.book.takeDelta().changes) {
            const bool isOver = isEnding(change.kind);
            QCOMPARE(heard.contains(change.lock->id), change.kind != ChangeKind::Appeared);
            if (isOver) {
                heard.erase(change.lock->id);
            } else {
                heard[change.lock->id] = change.lock;
            }
        }
    };
    Instant at = kStart;
    for (int step = 0; step < 600; ++step) {
        at += 300ms;
        const auto server = static_cast<std::uint16_t>(step * 7 % 3);
        const Bytes name = step * 5 % 4 == 0 ? "a:lock" : "b:lock";
        switch (step * 11 % 13) {
        case 0:
        case 1:
        case 2:
        case 3: bench.see(stringKey(name, kAlice, 30s, at), server); break;
        case 4:
        case 5:
        case 6: bench.see(stringKey(name, kBob, 30s, at), server); break;
        case 7: bench.see(hashKey(name, "worker-17:a", 1 + step % 5, 30s, at), server); break;
        case 8:
            bench.seeGroup("p:lock",
                           {stringKey("p:lock:read", "1", 9s, at), missing("p:lock:write", at)},
                           server);
            break;
        case 9: bench.see(stringKey("p:lock:read", "1", 9s, at), server); break;
        case 10: bench.book.markUnconfirmed(server, at); break;
        case 11: bench.book.tick(at); break;
        default: bench.see(missing(name, at), server); break;
        }
        if (step % 2 == 0) {
            listen();
            QCOMPARE(heard.size(), bench.book.rowCount());
            for (const LockPtr& row : bench.book.rows()) {
                QVERIFY(heard.contains(row->id));
                QVERIFY(heard[row->id]->holders == row->holders);
                QVERIFY(heard[row->id]->isConfirmed == row->isConfirmed);
            }
        }
    }
}

LOCKSCOPE_TEST(TestLockBookSets, Core)

} // namespace lockscope::tst_lock_book_sets

#include "tst_lock_book_sets.moc"
