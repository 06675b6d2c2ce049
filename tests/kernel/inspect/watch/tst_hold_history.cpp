#include "core/kernel/inspect/watch/hold_history.h"
#include "tests/kernel/inspect/lock_book_bench.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <string>

namespace lockscope::tst_hold_history {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;

namespace {

using Bench = LockBookBench;

LockRecord heldSince(Instant since, std::uint16_t server = 0)
{
    LockRecord record;
    record.id = {server, "order:lock"};
    record.firstSeen = since;
    record.isTakenWhileWatching = true;
    record.lease = 30s;
    return record;
}

} // namespace

class TestHoldHistory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wholeHoldsAreRemembered();
    void whatWasNotWatchedIsNotLearned();
    void onlyTheLatestAreKept();
    void locksThatWereNotHeldLatelyAreForgotten();
    void aBookAttachesWhatItLearned();
    void aHoldThatChangesHandsIsOver();
};

void TestHoldHistory::wholeHoldsAreRemembered()
{
    HoldHistories histories(10);
    QVERIFY(!histories.of({0, "order:lock"}));
    histories.add(heldSince(kStart), ChangeKind::Released, kStart + 2s);
    histories.add(heldSince(kStart + 3s), ChangeKind::Expired, kStart + 33s);
    const auto history = histories.of({0, "order:lock"});
    QVERIFY(history);
    QVERIFY(history->holds == (std::vector<PastHold>{{2s, 30s, 0, false}, {30s, 30s, 0, true}}));
    QVERIFY(history->longest() == Duration(30s));
    QCOMPARE(history->ranOutCount(), std::size_t(1));
    QVERIFY(!histories.of({1, "order:lock"}));
}

void TestHoldHistory::whatWasNotWatchedIsNotLearned()
{
    HoldHistories histories(10);
    LockRecord wasThere = heldSince(kStart);
    wasThere.isTakenWhileWatching = false;
    histories.add(wasThere, ChangeKind::Released, kStart + 2s);
    LockRecord unconfirmed = heldSince(kStart);
    unconfirmed.isConfirmed = false;
    histories.add(unconfirmed, ChangeKind::Released, kStart + 2s);
    histories.add(heldSince(kStart), ChangeKind::Unwatched, kStart + 2s);
    QVERIFY(!histories.of({0, "order:lock"}));
}

void TestHoldHistory::onlyTheLatestAreKept()
{
    HoldHistories histories(10);
    for (int i = 1; i <= 20; ++i) {
        histories.add(heldSince(kStart), ChangeKind::Released, kStart + i * 1s);
    }
    const auto history = histories.of({0, "order:lock"});
    QCOMPARE(history->holds.size(), HoldHistory::kHoldsMax);
    QCOMPARE(history->total, std::uint64_t(20));
    QVERIFY(history->holds.front().length == Duration(5s));
    QVERIFY(history->holds.back().length == Duration(20s));
}

void TestHoldHistory::locksThatWereNotHeldLatelyAreForgotten()
{
    HoldHistories histories(2);
    for (std::uint16_t server = 0; server < 5; ++server) {
        histories.add(heldSince(kStart, server), ChangeKind::Released, kStart + 1s);
        histories.add(heldSince(kStart, 100), ChangeKind::Released, kStart + 1s); // often
    }
    QVERIFY(!histories.of({0, "order:lock"}));
    QVERIFY(histories.of({4, "order:lock"}));
    QCOMPARE(histories.of({100, "order:lock"})->total, std::uint64_t(5));
}

void TestHoldHistory::aBookAttachesWhatItLearned()
{
    Bench bench;
    bench.seeToken(kAlice, 30s, kStart);
    QVERIFY(!bench.row()->history());
    bench.see(missing("order:lock", kStart + 4s));
    bench.seeToken(kBob, 30s, kStart + 6s);
    QVERIFY(bench.row()->history()->longest() == Duration(4s));
    bench.seeToken(kBob, 20s, kStart + 16s); // the same hold
    QCOMPARE(bench.row()->history()->total, std::uint64_t(1));
}

void TestHoldHistory::aHoldThatChangesHandsIsOver()
{
    Bench bench;
    bench.seeToken(kAlice, 30s, kStart);
    bench.seeToken(kBob, 30s, kStart + 3s);
    QVERIFY(bench.row()->history()->longest() == Duration(3s));
    QCOMPARE(bench.row()->history()->ranOutCount(), std::size_t(0));
    bench.seeToken(kAlice, 30s, kStart + 33s);
    QCOMPARE(bench.row()->history()->ranOutCount(), std::size_t(1));
}

LOCKSCOPE_TEST(TestHoldHistory, Core)

} // namespace lockscope::tst_hold_history

#include "tst_hold_history.moc"
