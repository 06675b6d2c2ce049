#include "core/kernel/world/ledger.h"
#include "tests/kernel/world/ledger_book.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_ledger_chances {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using protocol::Promise;
using protocol::ProtocolInfo;
using world::Purpose;

namespace {

std::uint64_t chancesOf(const LedgerBook& book, Promise promise)
{
    return book.ledger.chances().of(promise);
}

void sends(LedgerBook& book, int client, Purpose purpose)
{
    book.ledger.commandCame(client, purpose, store::Command("DEL", "k"), book.now);
}

} // namespace

class TestLedgerChances final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aRefusalPutsExclusionToTheTest();
    void nobodyHoldsNothingIsTested();
    void readersDoNotExcludeEachOther();
    void permitsHaveToBeTaken();
    void aReleaseBehindAGrantCouldHarm();
    void whoDiesHoldingMayBlock();
    void nestedGrantsAreCounted();
    void fencesNeedAnEarlierOne();
    void aGrantBesideWaitersIsAboutFairness();
    void failuresCountUntilAFault();
    void whatIsLeftOfALockIsAskedFor();
    void errorsAndUnknownAnswersBreakProgressUnlessSomethingFailed();
    void whoIsAloneIsGranted();
    void chancesAreNoState();
};

void TestLedgerChances::aRefusalPutsExclusionToTheTest()
{
    LedgerBook book;
    book.takes(0);
    QCOMPARE(chancesOf(book, Promise::MutualExclusion), 0u);
    book.ledger.requested(1, 0, false, book.now);
    book.ledger.refused(1, 0, book.now);
    QCOMPARE(chancesOf(book, Promise::MutualExclusion), 1u);
    QCOMPARE(chancesOf(book, Promise::LeaseHonesty), 1u);
    book.wait(11s); // it holds on, though not by its clock
    book.ledger.refused(1, 0, book.now);
    QCOMPARE(chancesOf(book, Promise::MutualExclusion), 2u);
    QCOMPARE(chancesOf(book, Promise::LeaseHonesty), 1u);
}

void TestLedgerChances::nobodyHoldsNothingIsTested()
{
    LedgerBook book;
    book.ledger.requested(1, 0, false, book.now);
    book.ledger.refused(1, 0, book.now);
    QCOMPARE(book.ledger.chances().counts, world::Chances().counts);
    QVERIFY(book.ledger.chances().isNeverGranted());
    book.takes(1);
    QVERIFY(!book.ledger.chances().isNeverGranted());
}

void TestLedgerChances::readersDoNotExcludeEachOther()
{
    ProtocolInfo info;
    info.hasModes = true;
    LedgerBook book(info);
    book.grantTo(0, protocol::Mode::Read);
    book.ledger.requested(1, 0, true, book.now);
    book.ledger.refused(1, 0, book.now);
    QCOMPARE(chancesOf(book, Promise::ReadWriteExclusion), 0u);
    book.ledger.requested(2, 0, false, book.now);
    book.ledger.refused(2, 0, book.now);
    QCOMPARE(chancesOf(book, Promise::ReadWriteExclusion), 1u);
    QCOMPARE(chancesOf(book, Promise::ReentryBalance), 0u);
    book.grantTo(1, protocol::Mode::Read); // two readers have to be counted
    QCOMPARE(chancesOf(book, Promise::ReentryBalance), 1u);
}

void TestLedgerChances::permitsHaveToBeTaken()
{
    LedgerBook book({}, 2);
    book.grantTo(0);
    book.ledger.requested(2, 0, false, book.now);
    book.ledger.refused(2, 0, book.now);
    QCOMPARE(chancesOf(book, Promise::MutualExclusion), 0u);
    book.grantTo(1);
    book.ledger.refused(2, 0, book.now);
    QCOMPARE(chancesOf(book, Promise::MutualExclusion), 1u);
}

void TestLedgerChances::aReleaseBehindAGrantCouldHarm()
{
    LedgerBook book;
    book.takes(0);
    sends(book, 0, Purpose::Release); // its own
    sends(book, 1, Purpose::Acquire);
    QCOMPARE(chancesOf(book, Promise::OwnerOnlyRelease), 0u);
    sends(book, 1, Purpose::Release);
    sends(book, 2, Purpose::Renew);
    QCOMPARE(chancesOf(book, Promise::OwnerOnlyRelease), 2u);
    book.wait(11s);
    sends(book, 1, Purpose::Release); // the hold is over
    QCOMPARE(chancesOf(book, Promise::OwnerOnlyRelease), 2u);
}

void TestLedgerChances::whoDiesHoldingMayBlock()
{
    LedgerBook book;
    book.takes(0);
    book.ledger.releasing(0, 0, book.now);
    book.removes(0, Purpose::Release, "k");
    book.ledger.ended(0, book.now);
    QCOMPARE(chancesOf(book, Promise::NoStuckLock), 0u);
    book.takes(1);
    book.ledger.ended(1, book.now);
    QCOMPARE(chancesOf(book, Promise::NoStuckLock), 1u);
    book.ledger.concluded(false, book.now); // it still stands there
    QCOMPARE(chancesOf(book, Promise::NoStuckLock), 2u);
}

void TestLedgerChances::nestedGrantsAreCounted()
{
    ProtocolInfo info;
    info.isReentrant = true;
    LedgerBook book(info);
    book.grantTo(0);
    QCOMPARE(chancesOf(book, Promise::ReentryBalance), 0u);
    protocol::Grant nested = book.grant();
    nested.holds = 2;
    book.ledger.granted(0, nested, book.now);
    QCOMPARE(chancesOf(book, Promise::ReentryBalance), 1u);
    QCOMPARE(chancesOf(book, Promise::Progress), 1u); // of the outer one
    QCOMPARE(book.broken(), QByteArray());
}

void TestLedgerChances::fencesNeedAnEarlierOne()
{
    ProtocolInfo info;
    info.hasFence = true;
    LedgerBook book(info);
    book.grantFence(0, 4);
    QCOMPARE(chancesOf(book, Promise::FencingOrder), 0u);
    book.ledger.releasing(0, 0, book.now);
    book.grantFence(1, 5);
    QCOMPARE(chancesOf(book, Promise::FencingOrder), 1u);
}

void TestLedgerChances::aGrantBesideWaitersIsAboutFairness()
{
    LedgerBook book;
    book.takes(0);
    QCOMPARE(chancesOf(book, Promise::Fairness), 0u);
    book.ledger.requested(2, 0, false, book.now);
    book.ledger.releasing(0, 0, book.now);
    book.grantTo(1);
    QCOMPARE(chancesOf(book, Promise::Fairness), 1u);
}

void TestLedgerChances::failuresCountUntilAFault()
{
    LedgerBook book;
    book.ledger.requested(0, 0, false, book.now);
    book.ledger.stoppedWaiting(0, 0, book.now);
    QCOMPARE(book.ledger.chances().cleanFailures, 1u);
    book.ledger.faultHappened();
    book.takes(1);
    book.ledger.requested(0, 0, false, book.now);
    book.ledger.stoppedWaiting(0, 0, book.now);
    QCOMPARE(book.ledger.chances().cleanFailures, 1u);
    QCOMPARE(book.ledger.chances().grants, 1u);
    QVERIFY(book.ledger.chances().isNeverGranted()); // as long as nothing went wrong
}

void TestLedgerChances::whatIsLeftOfALockIsAskedFor()
{
    const auto askedFor = [](const LedgerBook& book) { return book.ledger.givenBack().size(); };
    LedgerBook freed;
    freed.takes(0);
    freed.ledger.releasing(0, 0, freed.now);
    freed.removes(0, Purpose::Release, "k");
    freed.ledger.released(0, 0, 0, freed.now);
    QCOMPARE(askedFor(freed), 0u);

    LedgerBook left;
    left.takes(0);
    left.ledger.releasing(0, 0, left.now);
    left.ledger.releaseRefused(0, 0, left.now);
    QCOMPARE(askedFor(left), 1u);
    QCOMPARE(left.broken(), QByteArray()); // that is for the protocol to say
    left.ledger.forgetGivenBack();
    QCOMPARE(askedFor(left), 0u);

    LedgerBook late; // whose lease is over has nothing to give back
    late.takes(0);
    late.wait(11s);
    late.writes(1, Purpose::Acquire, "k", "B");
    late.ledger.releasing(0, 0, late.now);
    late.ledger.releaseRefused(0, 0, late.now);
    QCOMPARE(askedFor(late), 0u);

    LedgerBook handedOn; // to one that waits, and has not heard of it
    handedOn.takes(0);
    handedOn.ledger.requested(1, 0, false, handedOn.now);
    handedOn.ledger.releasing(0, 0, handedOn.now);
    handedOn.writes(0, Purpose::Release, "k", "B");
    handedOn.ledger.released(0, 0, 0, handedOn.now);
    QCOMPARE(askedFor(handedOn), 0u);

    LedgerBook failed;
    failed.takes(0);
    failed.ledger.faultHappened();
    failed.ledger.releasing(0, 0, failed.now);
    failed.ledger.releaseRefused(0, 0, failed.now);
    QCOMPARE(failed.broken(), QByteArray());
}

void TestLedgerChances::errorsAndUnknownAnswersBreakProgressUnlessSomethingFailed()
{
    LedgerBook book;
    book.ledger.errorAnswered(0, store::Command("SETT", "k"), book.now);
    book.ledger.answerUnknown(0, 0, book.now); // of the same answer
    book.ledger.answerUnknown(1, 0, book.now);
    QCOMPARE(book.broken(), QByteArray("error-answer A -; unknown-answer B -"));
    QCOMPARE(book.ledger.violations().front().promise, Promise::Progress);

    LedgerBook failed;
    failed.ledger.faultHappened();
    failed.ledger.errorAnswered(0, store::Command("SETT", "k"), failed.now);
    failed.ledger.answerUnknown(1, 0, failed.now);
    QCOMPARE(failed.broken(), QByteArray());
    QCOMPARE(failed.ledger.chances().errors, 1u);
}

void TestLedgerChances::whoIsAloneIsGranted()
{
    const world::WorldPlan plan = planOf({aRound()});
    const ProtocolInfo info;
    world::Ledger ledger(info, plan);
    ledger.requested(0, 0, false, {});
    ledger.stoppedWaiting(0, 0, {});
    QCOMPARE(textOf(ledger.violations()), QByteArray("never-granted A -"));

    LedgerBook both;
    both.ledger.requested(0, 0, false, both.now);
    both.ledger.requested(1, 0, false, both.now);
    both.ledger.stoppedWaiting(0, 0, both.now);
    QCOMPARE(both.broken(), ""); // the other one may be in the way
    both.ledger.stoppedWaiting(1, 0, both.now);
    QCOMPARE(both.broken(), "never-granted B -");

    LedgerBook served;
    served.takes(0);
    served.ledger.requested(1, 0, false, served.now);
    served.ledger.stoppedWaiting(1, 0, served.now);
    QCOMPARE(served.broken(), "");
}

void TestLedgerChances::chancesAreNoState()
{
    LedgerBook one;
    LedgerBook other;
    one.takes(0);
    other.takes(0);
    other.ledger.requested(1, 0, false, other.now);
    one.ledger.requested(1, 0, false, one.now);
    one.ledger.refused(1, 0, one.now);
    other.ledger.refused(1, 0, other.now);
    const auto hash = other.ledger.contentHash();
    other.ledger.refused(1, 0, other.now);
    QCOMPARE(other.ledger.contentHash(), hash);
    QCOMPARE(one.ledger.contentHash(), hash);
    QVERIFY(one.ledger.chances() != other.ledger.chances());
}

LOCKSCOPE_TEST(TestLedgerChances, None)

} // namespace lockscope::tst_ledger_chances

#include "tst_ledger_chances.moc"
