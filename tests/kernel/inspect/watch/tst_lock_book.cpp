#include "core/kernel/inspect/watch/lock_book.h"
#include "tests/kernel/inspect/lock_book_bench.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

namespace lockscope::tst_lock_book {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;

namespace {

using Bench = LockBookBench;

std::vector<Bytes> namesOf(const std::vector<KeyGroup>& groups)
{
    std::vector<Bytes> names;
    for (const KeyGroup& group : groups) {
        names.push_back(group.name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace

class TestLockBook : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aHoldIsNotCarriedOverARestartOfAnEmptyServer();
    void aHoldIsCarriedOverALostConnectionAndOverKeptData();
    void aLockAppearsIsRenewedAndReleased();
    void aLockThatRunsOutHasExpired();
    void lookingAgainIsNoNews();
    void anEndThatIsMeasuredBetterIsNoNewsAndIsKept();
    void whatIsNoLockIsNoRow();
    void whatIsNotNamedAnyMoreWasNotReleased();
    void reentryChangesTheHolds();
    void aHandOverEndsOneHoldAndBeginsTheNext();
    void aCountThatOnlyGrowsIsSuspicious();
    void aCountThatShrinksIsNot();
    void aLockRenewedForeverIsSuspicious();
    void aHoldWithoutExpiryIsStuckOnlyWhenItIsNoLongerNew();
    void aStampGoesStaleAsTimePasses();
    void locksOfABrokenLinkAreUnconfirmedUntilSeenAgain();
    void aServerThatWasOnlySilentIsBelievedAgain();
    void aKeyThatMayNotBeReadLeavesItsLockUnconfirmed();
    void aKeyThatBecameSomethingElseEndsItsLock();
    void theProbeIsPlannedAtThePredictedEnd();
    void aRenewalMovesTheProbe();
    void aPairIsProbedWhenItsFirstKeyEnds();
    void whatASweepDidNotSeeIsNamed();
    void aPairIsOneRow();
    void keysThatTurnOutNotToBeAPairAreRowsOfTheirOwn();
    void keysThatTurnOutToBeAPairBecomeOneRow();
    void aLockInAClusterSaysWhereItIs();
    void aLockThatAFailoverMayLoseIsAtRiskUntilItIsSeenAgain();
};

namespace {

/// One master that has every slot.
store::ClusterTopologyPtr clusterOn(const std::string& address)
{
    const store::Outcome nodes =
        store::Reply::ofBulk("id " + address + "@1 myself,master - 0 0 1 connected 0-16383\n");
    const auto view = store::clusterViewOf(nodes, nodes, {});
    return std::make_shared<const store::ClusterTopology>(
        std::span(&std::get<store::ClusterView>(view), 1));
}

} // namespace

void TestLockBook::aLockInAClusterSaysWhereItIs()
{
    Bench bench;
    bench.seeToken(kAlice, 30s, kStart);
    QVERIFY(!bench.row()->place);
    bench.news();
    bench.book.setTopology(0, clusterOn("10.0.0.1:7000"), kStart);
    QCOMPARE(bench.news(), (News{"changed order:lock"}));
    QCOMPARE(bench.row()->place->node, std::string("10.0.0.1:7000"));
    QCOMPARE(int(bench.row()->place->slot), int(store::slotOf("order:lock")));
    bench.book.setTopology(0, clusterOn("10.0.0.1:7000"), kStart);
    bench.seeToken(kAlice, 29s, kStart + 1s);
    QCOMPARE(bench.news(), News());
    bench.book.setTopology(0, clusterOn("10.0.0.2:7000"), kStart + 2s);
    QCOMPARE(bench.news(), (News{"changed order:lock"}));
    QCOMPARE(bench.row()->place->node, std::string("10.0.0.2:7000"));
}

void TestLockBook::aLockThatAFailoverMayLoseIsAtRiskUntilItIsSeenAgain()
{
    Bench bench;
    bench.seeToken(kAlice, 30s, kStart);
    bench.news();
    const auto isAfter = [](Instant instant) {
        return [instant](const LockRecord& record) { return record.firstSeen > instant; };
    };
    bench.book.markAtRisk(0, isAfter(kStart), kStart + 1s);
    QCOMPARE(bench.news(), News());
    bench.book.markAtRisk(0, isAfter(kStart - 1s), kStart + 1s);
    QCOMPARE(bench.news(), (News{"changed order:lock"}));
    QVERIFY(bench.row()->flags.has(Flag::AtRisk));
    bench.book.markUnconfirmed(0, kStart + 1s);
    bench.book.tick(kStart + 2s);
    QVERIFY(bench.row()->flags.has(Flag::AtRisk));
    bench.seeToken(kAlice, 27s, kStart + 3s); // on the next master
    QVERIFY(!bench.row()->flags.has(Flag::AtRisk));
}

void TestLockBook::aLockAppearsIsRenewedAndReleased()
{
    Bench bench;
    bench.seeToken(kAlice, 30s, kStart);
    QCOMPARE(bench.news(), (News{"appeared order:lock"}));
    QCOMPARE(bench.row()->holders.front().owner, kAlice);
    QVERIFY(bench.row()->isTakenWhileWatching);
    bench.seeToken(kAlice, 30s, kStart + 10s);
    QCOMPARE(bench.news(), (News{"renewed order:lock"}));
    QCOMPARE(bench.row()->renewals, 1U);
    QVERIFY(bench.row()->expiresAt == kStart + 40s);
    bench.see(missing("order:lock", kStart + 15s));
    QCOMPARE(bench.news(), (News{"released order:lock"}));
    QCOMPARE(bench.book.rowCount(), std::size_t(0));
    QVERIFY(bench.book.groups(0).empty());
}

void TestLockBook::aLockThatRunsOutHasExpired()
{
    Bench bench;
    bench.seeToken(kAlice, 30s, kStart);
    bench.see(missing("order:lock", kStart + 30s + 2ms));
    QCOMPARE(bench.news(), (News{"appeared order:lock", "expired order:lock"}));
}

void TestLockBook::lookingAgainIsNoNews()
{
    Bench bench;
    for (int i = 0; i < 10; ++i) {
        bench.seeToken(kAlice, 30s - i * 1s + (i % 3) * 7ms, kStart + i * 1s);
    }
    QCOMPARE(bench.news(), (News{"appeared order:lock"}));
    QVERIFY(bench.row()->expiresAt == kStart + 30s);
}

void TestLockBook::anEndThatIsMeasuredBetterIsNoNewsAndIsKept()
{
    Bench bench;
    bench.seeToken(kAlice, 30s, kStart);
    const LockPtr told = bench.book.takeDelta().changes.front().lock;
    bench.seeToken(kAlice, 19950ms, kStart + 10s); // 50 ms less than the first look made us believe
    bench.seeToken(kAlice, 18s, kStart + 12s);
    QCOMPARE(bench.news(), News());
    QVERIFY(bench.row() == told); // nobody has another record than the book has
    QVERIFY(bench.book.nextExpiry(0) == kStart + 29950ms);
    bench.see(missing("order:lock", kStart + 29951ms));
    const LockDelta delta = bench.book.takeDelta();
    QCOMPARE(delta.changes.front().kind, ChangeKind::Expired);
    QVERIFY(delta.changes.front().lock->expiresAt == kStart + 29950ms);
}

void TestLockBook::whatIsNoLockIsNoRow()
{
    Bench bench;
    bench.see(stringKey("user:7:name", "Alice", std::nullopt));
    bench.see(missing("order:lock"));
    QVERIFY(bench.news().empty());
    QCOMPARE(bench.book.rowCount(), std::size_t(0));
}

void TestLockBook::whatIsNotNamedAnyMoreWasNotReleased()
{
    LockBookBench bench;
    const auto see = [&bench](Observation seen, bool isNamed) {
        const Bytes name = seen.key;
        bench.book.see(LockSnapshot{0, name, {std::move(seen)}, isNamed, {}}, kStart);
    };
    see(stringKey("night-job", "host-7", 30s), true);
    see(stringKey("day-job", "host-7", 30s), true);
    QCOMPARE(bench.news(), (News{"appeared night-job", "appeared day-job"}));
    see(stringKey("night-job", "host-7", 30s), false); // the pattern was withdrawn
    see(missing("day-job"), false);                    // another client was quicker
    QCOMPARE(bench.news(), (News{"unwatched night-job", "released day-job"}));
    QCOMPARE(bench.book.rowCount(), std::size_t(0));
}

void TestLockBook::reentryChangesTheHolds()
{
    Bench bench;
    bench.see(hashKey("lock:h", "worker-17:a", 1, 30s));
    bench.see(hashKey("lock:h", "worker-17:a", 2, 30s, kStart + 1s));
    QCOMPARE(bench.news(), (News{"appeared lock:h", "changed lock:h"}));
    QCOMPARE(bench.row("lock:h")->holds(), 2U);
}

void TestLockBook::aHandOverEndsOneHoldAndBeginsTheNext()
{
    Bench bench;
    bench.seeToken(kAlice, 30s, kStart);
    bench.seeToken(kBob, 30s, kStart + 10s);
    QCOMPARE(bench.news(),
             (News{"appeared order:lock", "released order:lock", "appeared order:lock"}));
    QCOMPARE(bench.row()->holders.front().owner, kBob);
    QVERIFY(bench.row()->firstSeen == kStart + 10s);
    bench.seeToken(kAlice, 30s, kStart + 40s);
    QCOMPARE(bench.news(), (News{"expired order:lock", "appeared order:lock"}));
}

void TestLockBook::aCountThatOnlyGrowsIsSuspicious()
{
    Bench bench;
    for (int count = 1; count <= 4; ++count) {
        QVERIFY(count == 1 || !bench.row("lock:h")->flags.has(Flag::CountOnlyGrows));
        bench.see(hashKey("lock:h", "worker-17:a", count, 30s, kStart + count * 1s));
    }
    QVERIFY(bench.row("lock:h")->flags.has(Flag::CountOnlyGrows));
    bench.see(hashKey("lock:h", "worker-17:a", 3, 30s, kStart + 6s));
    QVERIFY(!bench.row("lock:h")->flags.has(Flag::CountOnlyGrows));
}

void TestLockBook::aCountThatShrinksIsNot()
{
    Bench bench;
    for (int i = 0; i < 20; ++i) {
        bench.see(hashKey("lock:h", "worker-17:a", 1 + i % 3, 30s, kStart + i * 1s));
        QVERIFY(!bench.row("lock:h")->flags.has(Flag::CountOnlyGrows));
    }
}

void TestLockBook::aLockRenewedForeverIsSuspicious()
{
    Bench bench;
    Instant at = kStart;
    for (int renewals = 0; renewals < 5; ++renewals) {
        bench.seeToken(kAlice, 30s, at);
        at += 10s;
    }
    bench.seeToken(kAlice, 30s, at);
    QCOMPARE(bench.row()->renewals, 5U);
    bench.book.tick(kStart + 59s);
    QVERIFY(!bench.row()->flags.has(Flag::RenewedForever));
    static_cast<void>(bench.news());
    bench.book.tick(kStart + 60s);
    QVERIFY(bench.row()->flags.has(Flag::RenewedForever));
    QCOMPARE(bench.news(), (News{"changed order:lock"}));
    bench.book.tick(kStart + 61s);
    QVERIFY(bench.news().empty());
}

void TestLockBook::aHoldWithoutExpiryIsStuckOnlyWhenItIsNoLongerNew()
{
    // The token was made at 1795164858641.
    Bench bench;
    LockSnapshot snapshot = of(stringKey("lock:h", "f8a16a0ee4bf11f185fa02fc00000001", {}));
    snapshot.keys[0].serverTime = wallTimeOfMs(1'795'164'858'641 + 3'000);
    bench.book.see(snapshot, kStart);
    const auto state = [&bench] { return stateOf(*bench.book.rows().at(0)); };
    QVERIFY(bench.book.rows().at(0)->flags.has(Flag::NoExpiry));
    QVERIFY(state() == LockState::Held);
    const Instant aged = snapshot.keys[0].seenAt + 297s;
    bench.book.tick(aged - 1s);
    QVERIFY(state() == LockState::Held);
    bench.book.takeDelta();
    bench.book.tick(aged);
    QVERIFY(state() == LockState::Suspicious);
    QCOMPARE(bench.book.takeDelta().changes.size(), 1U);
}

void TestLockBook::aStampGoesStaleAsTimePasses()
{
    Bench bench;
    const Bytes inTenSeconds = std::to_string(toEpochMs(kServerTime + 10s));
    bench.see(stringKey("order:lock", inTenSeconds, std::nullopt));
    QVERIFY(!bench.row()->flags.has(Flag::Stale));
    bench.book.tick(kStart + 9s);
    QVERIFY(!bench.row()->flags.has(Flag::Stale));
    bench.book.tick(kStart + 10s);
    QVERIFY(bench.row()->flags.has(Flag::Stale));
    QCOMPARE(bench.news(), (News{"appeared order:lock", "changed order:lock"}));
}

void TestLockBook::locksOfABrokenLinkAreUnconfirmedUntilSeenAgain()
{
    Bench bench;
    bench.seeToken(kAlice, 30s, kStart);
    bench.see(stringKey("other:lock", kBob, 30s));
    static_cast<void>(bench.news());
    bench.book.markUnconfirmed(0, kStart + 1s);
    QVERIFY(!bench.row()->isConfirmed);
    QCOMPARE(bench.news().size(), std::size_t(2));
    bench.book.markUnconfirmed(0, kStart + 2s);
    QVERIFY(bench.news().empty());
    bench.seeToken(kAlice, 27s, kStart + 3s);
    QCOMPARE(bench.news(), (News{"changed order:lock"}));
    QVERIFY(bench.row()->isConfirmed);
    QVERIFY(bench.row()->firstSeen == kStart);
    QVERIFY(!bench.row("other:lock")->isConfirmed);
    // Until the next sweep is done it is not known when a lock that appears was taken.
    bench.see(stringKey("new:lock", kBob, 30s, kStart + 4s));
    QVERIFY(!bench.row("new:lock")->isTakenWhileWatching);
}

void TestLockBook::aServerThatWasOnlySilentIsBelievedAgain()
{
    Bench bench;
    bench.seeToken(kAlice, 30s, kStart);
    bench.see(stringKey("secret:lock", kBob, 30s));
    bench.see(forbidden("secret:lock"));
    bench.book.markUnconfirmed(0, kStart + 1s);
    static_cast<void>(bench.news());
    bench.book.confirm(0, kStart + 2s);
    QCOMPARE(bench.news(), (News{"changed order:lock"}));
    QVERIFY(bench.row()->isConfirmed);
    QVERIFY(bench.row()->firstSeen == kStart);
    QVERIFY(!bench.row("secret:lock")->isConfirmed); // it could not be read since
    bench.see(stringKey("new:lock", kBob, 30s, kStart + 3s));
    QVERIFY(bench.row("new:lock")->isTakenWhileWatching);
}

void TestLockBook::aKeyThatMayNotBeReadLeavesItsLockUnconfirmed()
{
    Bench bench;
    bench.seeToken(kAlice, 30s, kStart);
    bench.see(forbidden("order:lock"));
    QCOMPARE(bench.news(), (News{"appeared order:lock", "changed order:lock"}));
    QVERIFY(!bench.row()->isConfirmed);
    bench.see(forbidden("never:seen:lock"));
    QVERIFY(bench.news().empty());
}

void TestLockBook::aKeyThatBecameSomethingElseEndsItsLock()
{
    Bench bench;
    bench.see(hashKey("lock:h", "worker-17:a", 1, 30s));
    Observation changed = missing("lock:h", kStart + 1s);
    changed.type = ValueType::Hash;
    changed.unreadable = "WRONGTYPE Operation against a key holding the wrong kind of value";
    bench.see(changed);
    QCOMPARE(bench.news(), (News{"appeared lock:h", "released lock:h"}));
}

void TestLockBook::theProbeIsPlannedAtThePredictedEnd()
{
    Bench bench;
    QVERIFY(!bench.book.nextExpiry(0));
    bench.seeToken(kAlice, 30s, kStart);
    bench.see(stringKey("other:lock", kBob, 10s));
    bench.see(stringKey("eternal:lock", kBob, std::nullopt));
    QVERIFY(bench.book.nextExpiry(0) == kStart + 10s);
    QVERIFY(bench.book.takeDue(0, kStart + 9s).empty());
    QCOMPARE(namesOf(bench.book.takeDue(0, kStart + 10s)), (std::vector<Bytes>{"other:lock"}));
    QVERIFY(bench.book.takeDue(0, kStart + 10s).empty()); // once is enough, until it is seen again
    QVERIFY(bench.book.nextExpiry(0) == kStart + 30s);
}

void TestLockBook::aRenewalMovesTheProbe()
{
    Bench bench;
    bench.seeToken(kAlice, 30s, kStart);
    bench.seeToken(kAlice, 30s, kStart + 10s);
    QVERIFY(bench.book.nextExpiry(0) == kStart + 40s);
    bench.see(missing("order:lock", kStart + 11s));
    QVERIFY(!bench.book.nextExpiry(0));
}

void TestLockBook::aPairIsProbedWhenItsFirstKeyEnds()
{
    Bench bench;
    bench.seeGroup("lock", {stringKey("lock:read", "1", 5s), stringKey("lock:write", kAlice, 20s)});
    QVERIFY(bench.row("lock") != nullptr);
    QVERIFY(bench.book.nextExpiry(0) == kStart + 5s);
    QVERIFY(bench.row("lock")->expiresAt == kStart + 20s);
}

void TestLockBook::whatASweepDidNotSeeIsNamed()
{
    Bench bench;
    bench.seeToken(kAlice, 30s, kStart);
    bench.see(stringKey("other:lock", kBob, 30s));
    bench.book.beginSweep(0);
    QCOMPARE(namesOf(bench.book.unseen(0)), (std::vector<Bytes>{"order:lock", "other:lock"}));
    bench.seeToken(kAlice, 29s, kStart + 1s);
    QCOMPARE(namesOf(bench.book.unseen(0)), (std::vector<Bytes>{"other:lock"}));
}

void TestLockBook::aPairIsOneRow()
{
    Bench bench;
    bench.seeGroup("lock", {stringKey("lock:read", "1", 10s), missing("lock:write")});
    QCOMPARE(bench.news(), (News{"appeared lock"}));
    QVERIFY(bench.row("lock")->mode == Mode::Read);
    QVERIFY(bench.book.knowsKey(0, "lock:read"));
    QVERIFY(bench.book.knowsKey(0, "lock:write"));
    QVERIFY(!bench.book.knowsKey(0, "lock:other"));
    QCOMPARE(bench.book.groups(0).front().keys, (std::vector<Bytes>{"lock:read", "lock:write"}));
    bench.seeGroup("lock", {missing("lock:read", kStart + 1s), missing("lock:write", kStart + 1s)});
    QCOMPARE(bench.news(), (News{"released lock"}));
    QVERIFY(!bench.book.knowsKey(0, "lock:read"));
}

void TestLockBook::keysThatTurnOutNotToBeAPairAreRowsOfTheirOwn()
{
    Bench bench;
    bench.seeGroup("lock",
                   {stringKey("lock:read", kAlice, 10s), stringKey("lock:write", kBob, 10s)});
    // A token on the reading side is no reader's flag.
    QCOMPARE(bench.news(), (News{"appeared lock:read", "appeared lock:write"}));
    bench.seeGroup("lock", {missing("lock:read", kStart + 1s),
                            stringKey("lock:write", kBob, 9s, kStart + 1s)});
    QCOMPARE(bench.news(), (News{"released lock:read", "released lock:write", "appeared lock"}));
    QCOMPARE(bench.book.rowCount(), std::size_t(1));
}

void TestLockBook::keysThatTurnOutToBeAPairBecomeOneRow()
{
    Bench bench;
    bench.see(stringKey("lock:read", "1", 10s));
    static_cast<void>(bench.news());
    bench.seeGroup("lock", {stringKey("lock:read", "1", 9s, kStart + 1s),
                            missing("lock:write", kStart + 1s)});
    QCOMPARE(bench.news(), (News{"released lock:read", "appeared lock"}));
    QCOMPARE(bench.book.rowCount(), std::size_t(1));
    QVERIFY(bench.book.knowsKey(0, "lock:read"));
}

void TestLockBook::aHoldIsNotCarriedOverARestartOfAnEmptyServer()
{
    LockBookBench bench;
    bench.book.meetServer(0, "run-1", false);
    bench.seeToken(kAlice, 600s, kStart);
    bench.news();
    bench.book.markUnconfirmed(0, kStart + 60s);
    bench.book.meetServer(0, "run-2", false);
    bench.news();
    bench.seeToken(kAlice, 600s, kStart + 137s);
    QVERIFY(bench.row()->firstSeen == kStart + 137s);
    QVERIFY(!bench.row()->isTakenWhileWatching);
    QCOMPARE(bench.news(), (News{"released order:lock", "appeared order:lock"}));
    // That is said once: from here on it is followed like any other.
    bench.seeToken(kAlice, 600s, kStart + 138s);
    QVERIFY(bench.row()->firstSeen == kStart + 137s);
}

void TestLockBook::aHoldIsCarriedOverALostConnectionAndOverKeptData()
{
    struct Reunion {
        std::string_view runId;
        bool mayHaveKeptData;
        bool isSameHold;
    };
    for (const Reunion& reunion :
         {Reunion{"run-1", false, true}, Reunion{"run-2", true, true}, Reunion{"", false, false}}) {
        LockBookBench bench;
        bench.book.meetServer(0, "run-1", false);
        bench.seeToken(kAlice, 600s, kStart);
        bench.book.markUnconfirmed(0, kStart + 60s);
        bench.book.meetServer(0, reunion.runId, reunion.mayHaveKeptData);
        bench.seeToken(kAlice, 600s, kStart + 137s);
        QCOMPARE(bench.row()->firstSeen == kStart, reunion.isSameHold);
    }
}

LOCKSCOPE_TEST(TestLockBook, Core)

} // namespace lockscope::tst_lock_book

#include "tst_lock_book.moc"
