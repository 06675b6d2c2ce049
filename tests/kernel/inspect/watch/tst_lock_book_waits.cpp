#include "tests/kernel/inspect/lock_book_bench.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <string>
#include <vector>

// Flags of locks that wait for each other, and of waiters that do not listen.
namespace lockscope::tst_lock_book_waits {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;

class TestLockBookWaits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void holdersThatWaitForEachOtherAreADeadlock();
    void aDeadlockOfAMomentIsNone();
    void aDeadlockEndsWithOneOfItsWaits();
    void aRenewalLeavesTheDeadlock();
    void aWaiterThatJustJoinedMayStillBeSilent();
};

namespace {

const Bytes kOfAlice = kAlice + ":7";
const Bytes kOfBob = kBob + ":8";

/// A fair lock of Redisson.
LockSnapshot fairLock(const Bytes& name, const Bytes& holder, const std::vector<Bytes>& waiters,
                      Instant at, int listeners = 1)
{
    LockSnapshot snapshot{0, name, {hashKey(name, {{holder, "1"}}, 30s, at)}};
    Observation queue = missing("redisson_lock_queue:{" + name + "}", at);
    Observation ends = missing("redisson_lock_timeout:{" + name + "}", at);
    if (!waiters.empty()) {
        std::vector<HashField> places;
        std::vector<HashField> patience;
        for (const Bytes& waiter : waiters) {
            places.push_back({waiter, {}});
            patience.push_back({waiter, std::to_string(toEpochMs(kServerTime) + 400'000)});
            snapshot.channels.push_back({"redisson_lock__channel:{" + name + "}:" + waiter,
                                         listeners});
        }
        queue = hashKey(queue.key, std::move(places), std::nullopt, at);
        queue.type = ValueType::List;
        ends = hashKey(ends.key, std::move(patience), std::nullopt, at);
        ends.type = ValueType::SortedSet;
    }
    snapshot.companions = {std::move(queue), std::move(ends)};
    return snapshot;
}

class Bench : public LockBookBench {
public:
    void seeFair(const Bytes& name, const Bytes& holder, const std::vector<Bytes>& waiters,
                 Instant at, int listeners = 1)
    {
        book.see(fairLock(name, holder, waiters, at, listeners), at);
    }
    bool isDeadlock(const Bytes& name) const { return row(name)->flags.has(Flag::Deadlock); }
};

} // namespace

void TestLockBookWaits::holdersThatWaitForEachOtherAreADeadlock()
{
    Bench bench;
    bench.seeFair("order", kOfAlice, {kOfBob}, kStart);
    bench.seeFair("stock", kOfBob, {kOfAlice}, kStart);
    bench.seeFair("other", kAlice + ":9", {kBob + ":9"}, kStart);
    bench.book.tick(kStart + 2s);
    QVERIFY(bench.isDeadlock("order") && bench.isDeadlock("stock"));
    QVERIFY(!bench.isDeadlock("other"));
    QCOMPARE(bench.row("order")->deadlock()->size(), std::size_t(2));
    QCOMPARE(severityOf(*bench.row("order")), 2);
    QVERIFY(stateOf(*bench.row("order")) == LockState::Suspicious);
}

/// Locks are read one after the other.
void TestLockBookWaits::aDeadlockOfAMomentIsNone()
{
    Bench bench;
    bench.seeFair("order", kOfAlice, {}, kStart);
    bench.seeFair("stock", kOfBob, {}, kStart);
    bench.seeFair("order", kOfAlice, {kOfBob}, kStart + 10s);
    bench.seeFair("stock", kOfBob, {kOfAlice}, kStart + 10s);
    bench.book.tick(kStart + 10s + 500ms);
    QVERIFY(!bench.isDeadlock("order"));
    bench.book.tick(kStart + 11s); // and nothing else has happened
    QVERIFY(bench.isDeadlock("order") && bench.isDeadlock("stock"));
}

void TestLockBookWaits::aDeadlockEndsWithOneOfItsWaits()
{
    Bench bench;
    bench.seeFair("order", kOfAlice, {kOfBob}, kStart);
    bench.seeFair("stock", kOfBob, {kOfAlice}, kStart);
    bench.book.tick(kStart + 2s);
    static_cast<void>(bench.news());
    bench.seeFair("stock", kOfBob, {}, kStart + 3s); // Alice has given up
    QVERIFY(!bench.isDeadlock("stock"));
    bench.book.tick(kStart + 3s);
    QVERIFY(!bench.isDeadlock("order"));
    QVERIFY(!bench.row("order")->deadlock());
    QCOMPARE(bench.news(), (News{"renewed stock", "changed order"}));
}

void TestLockBookWaits::aRenewalLeavesTheDeadlock()
{
    Bench bench;
    bench.seeFair("order", kOfAlice, {kOfBob}, kStart);
    bench.seeFair("stock", kOfBob, {kOfAlice}, kStart);
    bench.book.tick(kStart + 2s);
    static_cast<void>(bench.news());
    bench.seeFair("order", kOfAlice, {kOfBob}, kStart + 10s);
    QVERIFY(bench.isDeadlock("order"));
    bench.book.tick(kStart + 11s);
    QVERIFY(bench.isDeadlock("order"));
    QCOMPARE(bench.news(), (News{"renewed order"}));
}

void TestLockBookWaits::aWaiterThatJustJoinedMayStillBeSilent()
{
    Bench bench;
    bench.seeFair("order", kOfAlice, {}, kStart);
    bench.seeFair("order", kOfAlice, {kOfBob}, kStart + 1s, 0);
    QVERIFY(!bench.row("order")->flags.has(Flag::SilentQueueHead));
    QVERIFY(bench.book.nextExpiry(0) == kStart + 2s); // it is looked at again
    bench.seeFair("order", kOfAlice, {kOfBob}, kStart + 2s, 0);
    QVERIFY(bench.row("order")->flags.has(Flag::SilentQueueHead));
    bench.seeFair("order", kOfAlice, {kOfBob}, kStart + 3s, 1);
    QVERIFY(!bench.row("order")->flags.has(Flag::SilentQueueHead));
}

LOCKSCOPE_TEST(TestLockBookWaits, Core)

} // namespace lockscope::tst_lock_book_waits

#include "tst_lock_book_waits.moc"
