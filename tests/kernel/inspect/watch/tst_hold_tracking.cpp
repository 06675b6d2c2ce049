#include "core/kernel/inspect/watch/hold_tracking.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_hold_tracking {

using namespace lockscope::inspect;
using namespace std::chrono_literals;

namespace {

constexpr Instant kStart{1h};

Holder holderOf(Bytes owner, std::uint32_t holds = 1)
{
    Holder holder;
    holder.owner = std::move(owner);
    holder.holds = holds;
    return holder;
}

/// A lock with one owner and what is left of its lease at kStart.
LockRecord lockOf(Bytes owner, std::optional<Duration> left = Duration(30s))
{
    LockRecord record;
    record.id = {0, "order:lock"};
    record.setFormat("token");
    record.holders = {holderOf(std::move(owner))};
    if (left) {
        record.expiresAt = kStart + *left;
        record.lease = *left;
    }
    return record;
}

LockRecord firstLook(LockRecord fresh, bool isLive = true)
{
    return advanceHold(nullptr, std::move(fresh), kStart, isLive).record;
}

Observation keyWith(Bytes key, std::optional<Duration> ttl)
{
    Observation seen;
    seen.key = std::move(key);
    seen.type = ValueType::String;
    seen.ttl = ttl;
    seen.seenAt = kStart;
    return seen;
}

} // namespace

class TestHoldTracking : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRecordEndsWhenItsKeyDoes();
    void aPairEndsWithItsLastKey();
    void aPairWithAnEternalKeyNeverEnds();
    void theKeysAreNamedWhereTheNameIsNotTheKey();
    void aNewLockAppears();
    void aLockThatWasThereBeforeWeWatchedWasNotTakenNow();
    void nothingNewIsNoChange();
    void aLeaseThatGrowsIsARenewal();
    void jitterIsNoRenewal_data();
    void jitterIsNoRenewal();
    void theEarliestMeasurementOfTheEndIsKept();
    void jitterDoesNotAddUpToARenewal();
    void aShorterLeaseIsAChange();
    void losingTheExpiryIsAChange();
    void reentryIsAChangeOfTheSameHold();
    void anotherOwnerIsAnotherHold();
    void oneOfSeveralReadersMayLeave();
    void aNamelessWriterIsKnownByHisStamp();
    void namelessReadersAreOneHold();
    void anotherFormatIsAnotherHold();
    void aRowOfASetIsItsLeadersHold();
    void endsOfHoldersAreSmoothedToo();
    void renewalsRememberWhatWasLeft();
    void aLockThatVanishesAtItsEndHasExpired();
    void aLockThatVanishesEarlierWasReleased();
};

void TestHoldTracking::aRecordEndsWhenItsKeyDoes()
{
    LockSnapshot snapshot{2, "lock:x", {keyWith("lock:x", 20s)}};
    DecodedLock decoded;
    decoded.format = "token";
    decoded.holders = {holderOf("a")};
    const LockRecord record = recordOf(snapshot, decoded);
    QVERIFY(record.id == (LockId{2, "lock:x"}));
    QVERIFY(record.expiresAt == kStart + 20s);
    QVERIFY(record.lease == 20s);
    QVERIFY(record.otherKeys().empty());
    QVERIFY(record.keys() == std::vector<Bytes>{"lock:x"});
    QVERIFY(record.isConfirmed);
}

void TestHoldTracking::aPairEndsWithItsLastKey()
{
    const LockSnapshot snapshot{0, "x", {keyWith("x:read", 5s), keyWith("x:write", 20s)}};
    QVERIFY(recordOf(snapshot, DecodedLock()).expiresAt == kStart + 20s);
}

void TestHoldTracking::aPairWithAnEternalKeyNeverEnds()
{
    const LockSnapshot snapshot{0, "x", {keyWith("x:read", std::nullopt), keyWith("x:write", 20s)}};
    QVERIFY(!recordOf(snapshot, DecodedLock()).expiresAt);
}

void TestHoldTracking::theKeysAreNamedWhereTheNameIsNotTheKey()
{
    LockSnapshot snapshot{0, "x", {keyWith("x:read", 5s), keyWith("x:write", 5s)}};
    QVERIFY(recordOf(snapshot, DecodedLock()).keys() == (std::vector<Bytes>{"x:read", "x:write"}));
    snapshot.keys[0].type = ValueType::None;
    QVERIFY(recordOf(snapshot, DecodedLock()).keys() == (std::vector<Bytes>{"x:write"}));
}

void TestHoldTracking::aNewLockAppears()
{
    const HoldStep step = advanceHold(nullptr, lockOf("a"), kStart, true);
    QVERIFY(step.kind == ChangeKind::Appeared);
    QVERIFY(step.record.firstSeen == kStart);
    QVERIFY(step.record.isTakenWhileWatching);
    QCOMPARE(step.record.renewals, 0U);
}

void TestHoldTracking::aLockThatWasThereBeforeWeWatchedWasNotTakenNow()
{
    QVERIFY(!firstLook(lockOf("a"), false).isTakenWhileWatching);
}

void TestHoldTracking::nothingNewIsNoChange()
{
    const LockRecord before = firstLook(lockOf("a"));
    const HoldStep step = advanceHold(&before, lockOf("a"), kStart + 10s, true);
    QVERIFY(!step.kind);
    QVERIFY(step.record.firstSeen == kStart);
    QVERIFY(step.record.isTakenWhileWatching);
}

void TestHoldTracking::aLeaseThatGrowsIsARenewal()
{
    const LockRecord before = firstLook(lockOf("a"));
    const HoldStep step = advanceHold(&before, lockOf("a", 40s), kStart + 10s, true);
    QVERIFY(step.kind == ChangeKind::Renewed);
    QCOMPARE(step.record.renewals, 1U);
    QVERIFY(step.record.lastRenewal == kStart + 10s);
    QVERIFY(step.record.expiresAt == kStart + 40s);
    QVERIFY(step.record.firstSeen == kStart);
}

void TestHoldTracking::jitterIsNoRenewal_data()
{
    QTest::addColumn<int>("jitterMs");
    QTest::addColumn<bool>("isRenewal");
    for (const int ms : {1, 20, 100}) {
        QTest::addRow("%d ms later", ms) << ms << false;
        QTest::addRow("%d ms earlier", ms) << -ms << false;
    }
    QTest::newRow("101 ms later") << 101 << true;
}

void TestHoldTracking::jitterIsNoRenewal()
{
    QFETCH(const int, jitterMs);
    QFETCH(const bool, isRenewal);
    const LockRecord before = firstLook(lockOf("a"));
    const Duration left = 30s + std::chrono::milliseconds(jitterMs);
    const HoldStep step = advanceHold(&before, lockOf("a", left), kStart + 1s, true);
    QCOMPARE(step.kind == ChangeKind::Renewed, isRenewal);
    QCOMPARE(step.kind.has_value(), isRenewal);
}

void TestHoldTracking::theEarliestMeasurementOfTheEndIsKept()
{
    const LockRecord before = firstLook(lockOf("a"));
    const HoldStep later = advanceHold(&before, lockOf("a", 30s + 5ms), kStart + 1s, true);
    QVERIFY(later.record.expiresAt == kStart + 30s);
    const HoldStep earlier = advanceHold(&before, lockOf("a", 30s - 5ms), kStart + 1s, true);
    QVERIFY(earlier.record.expiresAt == kStart + 30s - 5ms);
}

void TestHoldTracking::jitterDoesNotAddUpToARenewal()
{
    LockRecord record = firstLook(lockOf("a"));
    for (int i = 1; i <= 50; ++i) {
        const Duration left = 30s + std::chrono::milliseconds(i % 2 == 0 ? 90 : 3);
        HoldStep step = advanceHold(&record, lockOf("a", left), kStart + i * 100ms, true);
        QVERIFY(!step.kind);
        record = std::move(step.record);
    }
    QCOMPARE(record.renewals, 0U);
    QVERIFY(record.expiresAt == kStart + 30s);
}

void TestHoldTracking::aShorterLeaseIsAChange()
{
    const LockRecord before = firstLook(lockOf("a"));
    const HoldStep step = advanceHold(&before, lockOf("a", 5s), kStart + 1s, true);
    QVERIFY(step.kind == ChangeKind::Changed);
    QVERIFY(step.record.expiresAt == kStart + 5s);
    QVERIFY(step.record.lease == 30s); // the bar keeps its scale
}

void TestHoldTracking::losingTheExpiryIsAChange()
{
    const LockRecord before = firstLook(lockOf("a"));
    const HoldStep step = advanceHold(&before, lockOf("a", std::nullopt), kStart + 1s, true);
    QVERIFY(step.kind == ChangeKind::Changed);
    QVERIFY(!step.record.expiresAt);
    const HoldStep back = advanceHold(&step.record, lockOf("a"), kStart + 2s, true);
    QVERIFY(back.kind == ChangeKind::Changed);
    QCOMPARE(back.record.renewals, 0U);
}

void TestHoldTracking::reentryIsAChangeOfTheSameHold()
{
    const LockRecord before = firstLook(lockOf("a"));
    LockRecord again = lockOf("a", 60s);
    again.holders.front().holds = 2;
    const HoldStep step = advanceHold(&before, std::move(again), kStart + 1s, true);
    QVERIFY(step.kind == ChangeKind::Changed);
    QCOMPARE(step.record.renewals, 0U); // the lease was set by the reentry
    QVERIFY(step.record.firstSeen == kStart);
}

void TestHoldTracking::anotherOwnerIsAnotherHold()
{
    const LockRecord before = firstLook(lockOf("a"), false);
    const HoldStep step = advanceHold(&before, lockOf("b"), kStart + 10s, true);
    QVERIFY(step.kind == ChangeKind::Appeared);
    QVERIFY(step.record.firstSeen == kStart + 10s);
    QVERIFY(step.record.isTakenWhileWatching);
}

void TestHoldTracking::oneOfSeveralReadersMayLeave()
{
    LockRecord three = lockOf("a");
    three.mode = Mode::Read;
    three.holders = {holderOf("a"), holderOf("b"), holderOf("c")};
    const LockRecord before = firstLook(three);
    LockRecord one = three;
    one.holders = {holderOf("c")};
    QVERIFY(advanceHold(&before, one, kStart + 1s, true).kind == ChangeKind::Changed);
    LockRecord other = three;
    other.holders = {holderOf("d")};
    QVERIFY(advanceHold(&before, other, kStart + 1s, true).kind == ChangeKind::Appeared);
}

void TestHoldTracking::aNamelessWriterIsKnownByHisStamp()
{
    LockRecord writer = lockOf("");
    writer.mode = Mode::Write;
    writer.seldom->acquiredAt = wallTimeOfMs(1000);
    LockRecord next = writer;
    QVERIFY(isSameHold(writer, next));
    next.seldom->acquiredAt = wallTimeOfMs(2000);
    QVERIFY(!isSameHold(writer, next));
}

void TestHoldTracking::namelessReadersAreOneHold()
{
    LockRecord readers = lockOf("");
    readers.mode = Mode::Read;
    readers.seldom->acquiredAt = wallTimeOfMs(1000);
    LockRecord later = readers;
    later.seldom->acquiredAt = wallTimeOfMs(2000);
    QVERIFY(isSameHold(readers, later));
    later.mode = Mode::Write;
    QVERIFY(!isSameHold(readers, later));
}

void TestHoldTracking::anotherFormatIsAnotherHold()
{
    LockRecord other = lockOf("a");
    other.setFormat("redis-py");
    QVERIFY(!isSameHold(lockOf("a"), other));
    other = lockOf("a");
    other.id.name = "other:lock";
    QVERIFY(!isSameHold(lockOf("a"), other));
}

void TestHoldTracking::aRowOfASetIsItsLeadersHold()
{
    LockRecord before = lockOf("a");
    before.id.server = LockId::kWholeSet;
    before.seldom->quorum = {2, 3};
    before.holders = {holderOf("a"), holderOf("b")};
    LockRecord after = before;
    after.setFormat("redlock");
    QVERIFY(isSameHold(before, after));
    std::swap(after.holders[0], after.holders[1]);
    QVERIFY(!isSameHold(before, after));
}

void TestHoldTracking::endsOfHoldersAreSmoothedToo()
{
    LockRecord pair = lockOf("", 20s);
    pair.holders = {holderOf("")};
    pair.holders.front().expiresAt = kStart + 20s;
    const LockRecord before = firstLook(pair);
    for (const Duration jitter : {Duration(30ms), Duration(-30ms)}) {
        LockRecord fresh = pair;
        fresh.holders.front().expiresAt = kStart + 20s + jitter;
        QVERIFY(!advanceHold(&before, fresh, kStart + 1s, true).kind);
    }
    LockRecord shorter = pair;
    shorter.holders.front().expiresAt = kStart + 10s;
    QVERIFY(advanceHold(&before, shorter, kStart + 1s, true).kind == ChangeKind::Changed);
}

void TestHoldTracking::renewalsRememberWhatWasLeft()
{
    LockRecord record = firstLook(lockOf("a", 30s));
    Instant now = kStart;
    for (const Duration after : {Duration(10s), Duration(20s), Duration(25s), Duration(29s)}) {
        now += after;
        record = advanceHold(&record, lockOf("a", now - kStart + 30s), now, true).record;
    }
    QCOMPARE(record.renewals, 4U);
    QCOMPARE(record.renewedAtMs[0], 1000U);
    QCOMPARE(record.renewedAtMs[1], 5000U);
    QCOMPARE(record.renewedAtMs[2], 10000U);
}

void TestHoldTracking::aLockThatVanishesAtItsEndHasExpired()
{
    const LockRecord last = firstLook(lockOf("a"));
    QVERIFY(endingOf(last, kStart + 30s) == ChangeKind::Expired);
    QVERIFY(endingOf(last, kStart + 30s - 20ms) == ChangeKind::Expired); // the prediction may be
                                                                         // late
    QVERIFY(endingOf(last, kStart + 40s) == ChangeKind::Expired);
}

void TestHoldTracking::aLockThatVanishesEarlierWasReleased()
{
    QVERIFY(endingOf(firstLook(lockOf("a")), kStart + 29s) == ChangeKind::Released);
    QVERIFY(endingOf(firstLook(lockOf("a", std::nullopt)), kStart + 100h) == ChangeKind::Released);
}

LOCKSCOPE_TEST(TestHoldTracking, Core)

} // namespace lockscope::tst_hold_tracking

#include "tst_hold_tracking.moc"
