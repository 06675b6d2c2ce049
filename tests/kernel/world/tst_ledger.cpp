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
    void nobodySleepsBesideATakenLock();
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
    const auto overslept = [](LedgerBook& told, Duration span, const std::vector<bool>& asleep) {
        return told.ledger.timePasses(told.now, told.now + span, asleep).size();
    };
    book.ledger.requested(kB, 0, false, book.now);
    QCOMPARE(overslept(book, 9s, everybody), 0U); // it does not know that it waits
    book.ledger.refused(kB, 0, book.now);
    QCOMPARE(overslept(book, 2s, everybody), 0U);
    QCOMPARE(overslept(book, 9s, nobody), 0U);
    const auto found = book.ledger.timePasses(book.now, book.now + 2001ms, everybody);
    QCOMPARE(found.size(), 1U);
    QCOMPARE(found.front().client, kB);
    QVERIFY(found.front().since == book.now);
    book.ledger.heardNothing(kB); // and tries again by itself
    QCOMPARE(overslept(book, 9s, everybody), 0U);

    LedgerBook polling; // promises nothing
    polling.ledger.requested(kB, 0, false, polling.now);
    polling.ledger.refused(kB, 0, polling.now);
    QCOMPARE(overslept(polling, 9s, everybody), 0U);
}

void TestLedger::nobodySleepsBesideATakenLock()
{
    LedgerBook book(waking());
    const std::vector<bool> everybody(8, true);
    book.takes(kA);
    book.ledger.requested(kB, 0, false, book.now);
    book.ledger.refused(kB, 0, book.now);
    QVERIFY(book.ledger.timePasses(book.now, book.now + 11s, everybody).empty());
    book.now += 11s; // the lease was over a second ago
    QCOMPARE(book.ledger.timePasses(book.now, book.now + 1500ms, everybody).size(), 1U);
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
