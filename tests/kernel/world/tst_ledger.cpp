#include "tests/kernel/world/ledger_book.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <set>

namespace lockscope::tst_ledger {

using namespace lockscope::testing;
using namespace lockscope::world;
using namespace std::chrono_literals;
using protocol::Mode;
using protocol::Promise;
using protocol::ProtocolInfo;

namespace {

constexpr int kA = 0;
constexpr int kB = 1;
constexpr int kC = 2;
constexpr int kD = 3;

ProtocolInfo withModes()
{
    ProtocolInfo info;
    info.hasModes = true;
    return info;
}

ProtocolInfo reentrant()
{
    ProtocolInfo info;
    info.isReentrant = true;
    return info;
}

ProtocolInfo waking()
{
    ProtocolInfo info;
    info.needs = {{"wait", protocol::ServerFeature::PubSub}};
    return info;
}

} // namespace

class TestLedger : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void twoLeasesAtOnceAreADoubleGrant();
    void aHolderBehindItsLeaseIsADoubleBelief();
    void whoKnowsOrReleasesDoesNotCount();
    void aRenewalMakesTheLeaseLonger();
    void aTrustedClockMakesTheLeaseDishonest();
    void readersMayBeTogether();
    void permitsAreCounted();
    void aWriteOverAnothersIsLost();
    void aFenceKeepsTheLateWriteOut();
    void aReaderWritesNothing();
    void fencesGrow();
    void whoIsOvertakenTooOftenStarves();
    void whoCameLaterIsNotOvertaken();
    void aSleeperBesideAFreeLockHasLostItsWakeUp();
    void aSleepBeginsAgainWhenTheLockIsTaken();
    void aLockHasToBeOpenInTime();
    void serverAndClientCountAlike();
    void aRefusedReleaseOfALiveHoldIsAnImbalance();
    void whoEndsBelievesNothing();
    void whatLaterDependsOnIsInTheHash();
};

void TestLedger::twoLeasesAtOnceAreADoubleGrant()
{
    LedgerBook book;
    book.grantTo(kA);
    book.wait(9s);
    book.ledger.setStepCount(7);
    book.grantTo(kB);
    QCOMPARE(book.broken(), "double-grant B A; dishonest-lease B A");
    const Violation& violation = book.ledger.violations().front();
    QCOMPARE(violation.promise, Promise::MutualExclusion);
    QCOMPARE(violation.stepCount, 7);
    QCOMPARE(violation.at, book.now);
    QCOMPARE(violation.otherSince, Instant{});
    QCOMPARE(book.ledger.violations()[1].promise, Promise::LeaseHonesty);
}

void TestLedger::aHolderBehindItsLeaseIsADoubleBelief()
{
    LedgerBook book;
    book.grantTo(kA);
    book.wait(12s);
    book.grantTo(kB);
    QCOMPARE(book.broken(), "double-belief B A");
}

void TestLedger::whoKnowsOrReleasesDoesNotCount()
{
    LedgerBook book;
    book.grantTo(kA);
    QVERIFY(book.ledger.believes(kA, 0));
    book.ledger.lost(kA, 0, book.now);
    QVERIFY(!book.ledger.believes(kA, 0));
    book.grantTo(kB);
    book.ledger.releasing(kB, 0, book.now);
    book.grantTo(kC);
    QCOMPARE(book.broken(), "");
}

void TestLedger::aRenewalMakesTheLeaseLonger()
{
    LedgerBook book;
    book.grantTo(kA);
    book.wait(8s);
    book.ledger.renewed(kA, 0, book.now);
    book.wait(4s);
    book.grantTo(kB);
    QCOMPARE(book.broken(), "double-grant B A; dishonest-lease B A");
}

void TestLedger::aTrustedClockMakesTheLeaseDishonest()
{
    LedgerBook book;
    book.ledger.setLocalClock(kA, Instant{}, 0.5, book.now);
    book.grantTo(kA);
    book.wait(12s); // of which its clock shows six
    book.grantTo(kB);
    QCOMPARE(book.broken(), "double-belief B A; dishonest-lease B A");
}

void TestLedger::readersMayBeTogether()
{
    LedgerBook book(withModes());
    book.grantTo(kA, Mode::Read);
    book.grantTo(kB, Mode::Read);
    QCOMPARE(book.broken(), "");
    book.grantTo(kC, Mode::Write);
    QCOMPARE(book.ledger.violations().front().kind, ViolationKind::DoubleGrant);
    QCOMPARE(book.ledger.violations().front().promise, Promise::ReadWriteExclusion);
}

void TestLedger::permitsAreCounted()
{
    LedgerBook book({}, 2);
    book.grantTo(kA);
    book.grantTo(kB);
    QCOMPARE(book.broken(), "");
    book.grantTo(kC);
    QVERIFY(book.broken().startsWith("double-grant C "));
}

void TestLedger::aWriteOverAnothersIsLost()
{
    LedgerBook book;
    book.grantTo(kA);
    book.ledger.enteredWork(kA, 0);
    book.wait(12s);
    book.grantTo(kB);
    book.ledger.enteredWork(kB, 0);
    book.ledger.leftWork(kA, 0, book.now);
    QCOMPARE(book.broken(), "double-belief B A");
    book.ledger.leftWork(kB, 0, book.now);
    QCOMPARE(book.broken(), "double-belief B A; lost-write B A");
}

void TestLedger::aFenceKeepsTheLateWriteOut()
{
    LedgerBook book;
    book.grantFence(kA, 1);
    book.ledger.enteredWork(kA, 0);
    book.wait(12s);
    book.grantFence(kB, 2);
    book.ledger.enteredWork(kB, 0);
    book.ledger.leftWork(kA, 0, book.now); // the resource has seen a newer fence
    book.ledger.leftWork(kB, 0, book.now);
    QCOMPARE(book.broken(), "double-belief B A");

    // The newer one came too late to keep the older one out.
    LedgerBook late;
    late.grantFence(kA, 1);
    late.ledger.enteredWork(kA, 0);
    late.wait(12s);
    late.grantFence(kB, 2);
    late.ledger.leftWork(kA, 0, late.now);
    late.ledger.enteredWork(kB, 0);
    late.ledger.leftWork(kB, 0, late.now);
    QCOMPARE(late.broken(), "double-belief B A");
}

void TestLedger::aReaderWritesNothing()
{
    LedgerBook book(withModes());
    book.grantTo(kA, Mode::Read);
    book.grantTo(kB, Mode::Read);
    book.ledger.enteredWork(kA, 0);
    book.ledger.enteredWork(kB, 0);
    book.ledger.leftWork(kA, 0, book.now);
    book.ledger.leftWork(kB, 0, book.now);
    QCOMPARE(book.broken(), "");
}

void TestLedger::fencesGrow()
{
    LedgerBook book;
    book.grantFence(kA, 3);
    book.ledger.releasing(kA, 0, book.now);
    book.grantFence(kB, 4);
    book.ledger.releasing(kB, 0, book.now);
    QCOMPARE(book.broken(), "");
    book.grantFence(kC, 4);
    QCOMPARE(book.broken(), "fence-disorder C -");
    QCOMPARE(book.ledger.violations().front().promise, Promise::FencingOrder);
}

void TestLedger::whoIsOvertakenTooOftenStarves()
{
    LedgerBook book;
    book.ledger.requested(kA, 0, false, book.now);
    for (int i = 0; i < 4; ++i) {
        QCOMPARE(book.broken(), "");
        book.ledger.requested(kB, 0, false, book.now);
        book.grantTo(kB);
        book.ledger.releasing(kB, 0, book.now);
    }
    QCOMPARE(book.broken(), "starvation A B");
    QCOMPARE(book.ledger.violations().front().promise, Promise::Fairness);
}

void TestLedger::whoCameLaterIsNotOvertaken()
{
    LedgerBook book;
    for (int i = 0; i < 9; ++i) {
        book.ledger.requested(kB, 0, false, book.now);
        book.ledger.requested(kA, 0, false, book.now);
        book.grantTo(kB);
        book.ledger.releasing(kB, 0, book.now);
    }
    QCOMPARE(book.broken(), "");
}

void TestLedger::aSleeperBesideAFreeLockHasLostItsWakeUp()
{
    LedgerBook book(waking());
    const std::vector<bool> everybody(8, true);
    const std::vector<bool> nobody(8, false);
    const Ledger::Waiter sleeper{kB, 0};
    const Instant open = book.now;
    book.ledger.requested(kB, 0, false, book.now);
    QVERIFY(book.ledger.sleepers(everybody).empty()); // it does not know that it waits
    book.ledger.refused(kB, 0, book.now);
    QVERIFY(book.ledger.sleepers(nobody).empty());
    QCOMPARE(book.ledger.sleepers(everybody).size(), 1U);
    book.ledger.slept(sleeper, open, book.now, book.now + 2s);
    QCOMPARE(book.broken(), "");
    book.ledger.slept(sleeper, open, book.now + 2s, book.now + 2001ms); // it has not woken up
    QCOMPARE(book.broken(), "lost-wakeup B -");
    QCOMPARE(book.ledger.violations().front().promise, Promise::NoLostWakeup);
    QVERIFY(book.ledger.violations().front().otherSince == open);
    book.ledger.heardNothing(kB); // and tries again by itself
    QVERIFY(book.ledger.sleepers(everybody).empty());
}

void TestLedger::aSleepBeginsAgainWhenTheLockIsTaken()
{
    LedgerBook book(waking());
    const std::vector<bool> everybody(8, true);
    const Ledger::Waiter sleeper{kB, 0};
    book.ledger.requested(kB, 0, false, book.now);
    book.ledger.refused(kB, 0, book.now);
    book.ledger.slept(sleeper, book.now, book.now, book.now + 2s);
    book.ledger.slept(sleeper, std::nullopt, book.now + 2s, book.now + 4s); // another client's
    book.ledger.slept(sleeper, book.now + 5s, book.now + 4s, book.now + 7s);
    QCOMPARE(book.broken(), "");
    QCOMPARE(book.ledger.sleepers({true, false, true}).size(), 0U); // it did something
    book.ledger.slept(sleeper, book.now + 7s, book.now + 7s, book.now + 9s);
    QCOMPARE(book.broken(), "");
    book.ledger.slept(sleeper, book.now + 7s, book.now + 9s, book.now + 10s);
    QCOMPARE(book.broken(), "lost-wakeup B -");
}

/// A lease after the last belief has ended; nested holds may have been given a lease each.
void TestLedger::aLockHasToBeOpenInTime()
{
    LedgerBook book(waking());
    const std::vector<bool> everybody(8, true);
    const Duration lease = book.grant().request.lease;
    book.takes(kA);
    QVERIFY(!book.ledger.isLeftAlone(0, everybody));
    book.ledger.releasing(kA, 0, book.now);
    QVERIFY(!book.ledger.isLeftAlone(0, everybody)); // its release is under way
    book.ledger.released(kA, 0, 0, book.now);
    QVERIFY(book.ledger.isLeftAlone(0, everybody));
    QVERIFY(book.ledger.openBy(0) == book.now + lease);
    book.ledger.requested(kB, 0, false, book.now);
    QVERIFY(!book.ledger.isLeftAlone(0, everybody)); // it waits for an answer
    book.ledger.refused(kB, 0, book.now);
    QVERIFY(book.ledger.isLeftAlone(0, everybody));
    book.ledger.ended(kB, book.now + 1s); // and may have a place in a queue
    QVERIFY(book.ledger.openBy(0) == book.now + 1s + lease);
    book.ledger.answeredInVain(store::Command("SET", "k", "B"), book.now + 2s);
    QVERIFY(book.ledger.openBy(0) == book.now + 1s + 2 * lease);
}

void TestLedger::serverAndClientCountAlike()
{
    LedgerBook book(reentrant());
    book.grantTo(kA);
    protocol::Grant again = book.grant();
    again.holds = 2;
    book.ledger.granted(kA, again, book.now);
    book.ledger.releasing(kA, 0, book.now);
    book.ledger.released(kA, 0, 1, book.now);
    QCOMPARE(book.broken(), "");
    book.ledger.releasing(kA, 0, book.now);
    book.ledger.released(kA, 0, 1, book.now);
    QCOMPARE(book.broken(), "reentry-imbalance A -");

    LedgerBook entering(reentrant());
    entering.grantTo(kA);
    again.holds = 3;
    entering.ledger.granted(kA, again, entering.now);
    QCOMPARE(entering.broken(), "reentry-imbalance A -");
}

void TestLedger::aRefusedReleaseOfALiveHoldIsAnImbalance()
{
    for (const Duration held : {4s, 12s}) {
        LedgerBook book(reentrant());
        book.grantTo(kA);
        book.wait(held);
        book.ledger.releasing(kA, 0, book.now);
        book.ledger.releaseRefused(kA, 0, book.now);
        QCOMPARE(book.broken(), held < 10s ? "reentry-imbalance A -" : "");
    }
    LedgerBook plain; // counts nothing
    plain.grantTo(kA);
    plain.ledger.releasing(kA, 0, plain.now);
    plain.ledger.releaseRefused(kA, 0, plain.now);
    QCOMPARE(plain.broken(), "");
}

void TestLedger::whoEndsBelievesNothing()
{
    LedgerBook book;
    book.grantTo(kA);
    book.ledger.requested(kB, 0, false, book.now);
    book.ledger.ended(kA, book.now);
    book.ledger.ended(kB, book.now);
    QVERIFY(!book.ledger.believes(kA, 0));
    for (int i = 0; i < 9; ++i) {
        book.ledger.requested(kD, 0, false, book.now);
        book.grantTo(kD);
        book.ledger.releasing(kD, 0, book.now);
    }
    QCOMPARE(book.broken(), "");
}

void TestLedger::whatLaterDependsOnIsInTheHash()
{
    LedgerBook book;
    std::set<std::uint64_t> hashes{book.ledger.contentHash()};
    const auto isNew = [&] { return hashes.insert(book.ledger.contentHash()).second; };
    book.ledger.requested(kA, 0, false, book.now);
    QVERIFY(isNew());
    book.writes(kA, Purpose::Acquire, "k", "A");
    QVERIFY(isNew());
    book.grantFence(kA, 1);
    QVERIFY(isNew());
    book.ledger.enteredWork(kA, 0);
    QVERIFY(isNew());
    book.ledger.leftWork(kA, 0, book.now);
    QVERIFY(isNew());
    book.ledger.lost(kA, 0, book.now);
    QVERIFY(isNew());
    book.writes(kB, Purpose::Acquire, "k", "B");
    QVERIFY(isNew());
    book.ledger.ended(kA, book.now);
    QVERIFY(isNew());
    QVERIFY(!isNew());
}

LOCKSCOPE_TEST(TestLedger, Core)

} // namespace lockscope::tst_ledger

#include "tst_ledger.moc"
