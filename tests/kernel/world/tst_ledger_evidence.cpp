#include "tests/kernel/world/ledger_book.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_ledger_evidence {

using namespace lockscope::testing;
using namespace lockscope::world;
using namespace std::chrono_literals;

namespace {

constexpr int kA = 0;
constexpr int kB = 1;
constexpr int kC = 2;

sim::Value hashOf(std::initializer_list<const char*> fields)
{
    sim::HashValue hash;
    for (const char* const field : fields) {
        hash.set(field, "1");
    }
    return hash;
}

} // namespace

class TestLedgerEvidence : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aReleaseOfAnothersHoldIsWrong();
    void whatIsLeftOfADeadLeaseMayBeRemoved();
    void fieldsOfAHashHaveOwnersOfTheirOwn();
    void aHolderThatWasRemovedOutlivedItsLease();
    void aLeaseCutShortIsAWrongExtension();
    void aRenewalOfAnothersLeaseIsWrong();
    void aRenewalThatMakesTheLockAnewIsWrong();
    void aLoserThatHarmsTheWinnerIsTold();
    void somebodyElsesKeysSayNothing();
    void anOperatorIsNobody();
    void whatRemainsIsKnown();
};

void TestLedgerEvidence::aReleaseOfAnothersHoldIsWrong()
{
    LedgerBook book;
    book.takes(kA);
    book.wait(3s);
    book.removes(kB, Purpose::Release, "k");
    QCOMPARE(book.broken(), "wrong-release B A");
    QCOMPARE(book.ledger.violations().front().promise, protocol::Promise::OwnerOnlyRelease);

    LedgerBook own;
    own.takes(kA);
    own.removes(kA, Purpose::Release, "k");
    QCOMPARE(own.broken(), "");
}

void TestLedgerEvidence::whatIsLeftOfADeadLeaseMayBeRemoved()
{
    LedgerBook book;
    book.takes(kA);
    book.wait(12s);
    book.removes(kB, Purpose::Release, "k");
    QCOMPARE(book.broken(), "");

    // Written by a client that holds nothing.
    LedgerBook loser;
    loser.writes(kA, Purpose::Acquire, "k", "A");
    loser.removes(kB, Purpose::Release, "k");
    QCOMPARE(loser.broken(), "");
}

void TestLedgerEvidence::fieldsOfAHashHaveOwnersOfTheirOwn()
{
    LedgerBook book;
    sim::Entry& entry = book.keys.insert("k", hashOf({"a"}));
    book.ran(kA, Purpose::Acquire);
    book.grantTo(kA);
    book.ledger.lost(kA, 0, book.now); // so that the next grant breaks nothing
    entry.value = hashOf({"a", "b"});
    book.ran(kB, Purpose::Acquire);
    book.grantTo(kB);
    entry.value = hashOf({"b"});
    book.ran(kC, Purpose::Release);
    QCOMPARE(book.broken(), "");
    book.keys.erase(entry);
    book.ran(kC, Purpose::Release);
    QCOMPARE(book.broken(), "wrong-release C B");
}

void TestLedgerEvidence::aHolderThatWasRemovedOutlivedItsLease()
{
    LedgerBook book;
    book.takes(kA);
    book.removes(kB, Purpose::Release, "k");
    book.takes(kC);
    QVERIFY(book.broken().startsWith("wrong-release B A; double-belief C A"));
}

void TestLedgerEvidence::aLeaseCutShortIsAWrongExtension()
{
    LedgerBook book;
    book.takes(kA);
    book.writes(kB, Purpose::Acquire, "k", "A", 12s); // as those do who lose and set the expiry
    QCOMPARE(book.broken(), "");
    book.writes(kB, Purpose::Acquire, "k", "A", 2s);
    QCOMPARE(book.broken(), "wrong-extension B A");
}

void TestLedgerEvidence::aRenewalOfAnothersLeaseIsWrong()
{
    LedgerBook book;
    book.takes(kA);
    book.wait(2s);
    book.writes(kB, Purpose::Renew, "k", "A");
    QCOMPARE(book.broken(), "wrong-extension B A");

    LedgerBook own;
    own.takes(kA);
    own.wait(2s);
    own.writes(kA, Purpose::Renew, "k", "A");
    QCOMPARE(own.broken(), "");
}

void TestLedgerEvidence::aRenewalThatMakesTheLockAnewIsWrong()
{
    LedgerBook book;
    book.takes(kA);
    book.ledger.releasing(kA, 0, book.now);
    book.removes(kA, Purpose::Release, "k");
    book.writes(kA, Purpose::Renew, "k", "A");
    QCOMPARE(book.broken(), "wrong-extension A -");
}

void TestLedgerEvidence::aLoserThatHarmsTheWinnerIsTold()
{
    LedgerBook book;
    book.takes(kA);
    book.ledger.requested(kB, 0, false, book.now);
    const auto overwriting = book.writes(kB, Purpose::Acquire, "k", "B");
    QVERIFY(overwriting);
    QCOMPARE(overwriting->victim, kA);
    book.ledger.holdHarmed(kB, Purpose::Acquire, *overwriting, world::ViolationKind::Takeover,
                           book.now);
    QCOMPARE(book.broken(), "");
    book.ledger.refused(kB, 0, book.now);
    QCOMPARE(book.broken(), "takeover B A");

    // One that is granted is a double grant instead.
    LedgerBook granted;
    granted.takes(kA);
    granted.ledger.requested(kB, 0, false, granted.now);
    granted.ledger.holdHarmed(kB, Purpose::Acquire, *granted.writes(kB, Purpose::Acquire, "k", "B"),
                              world::ViolationKind::WrongExtension, granted.now);
    granted.grantTo(kB);
    granted.ledger.refused(kB, 0, granted.now);
    QCOMPARE(granted.broken(), "double-grant B A; dishonest-lease B A");

    LedgerBook unharmed; // a mark of its own beside the hold, as far as the protocol is concerned
    unharmed.takes(kA);
    unharmed.ledger.requested(kB, 0, false, unharmed.now);
    unharmed.writes(kB, Purpose::Acquire, "k", "B");
    unharmed.ledger.refused(kB, 0, unharmed.now);
    QCOMPARE(unharmed.broken(), "");

    LedgerBook renewed; // a renewal has no answer to wait for
    renewed.takes(kA);
    renewed.ledger.holdHarmed(kB, Purpose::Renew, *renewed.writes(kB, Purpose::Renew, "k", "B"),
                              world::ViolationKind::Takeover, renewed.now);
    QCOMPARE(renewed.broken(), "takeover B A");
}

void TestLedgerEvidence::somebodyElsesKeysSayNothing()
{
    LedgerBook book;
    book.writes(kA, Purpose::Acquire, "other", "A", 0s);
    book.removes(kB, Purpose::Release, "other");
    QCOMPARE(book.broken(), "");
    QVERIFY(!book.ledger.isAnythingLeft(0, book.now));
}

void TestLedgerEvidence::anOperatorIsNobody()
{
    LedgerBook book;
    book.takes(kA);
    book.keys.clear();
    book.ledger.nodeChanged(0, std::as_const(book.keys).entries(), book.clock, book.now);
    QCOMPARE(book.broken(), "");
    QVERIFY(!book.ledger.isAnythingLeft(0, book.now));
    book.takes(kB); // the server gave it twice all the same
    QVERIFY(book.broken().startsWith("double-grant B A"));
}

void TestLedgerEvidence::whatRemainsIsKnown()
{
    LedgerBook book;
    QVERIFY(!book.ledger.isAnythingLeft(0, book.now));
    book.writes(kA, Purpose::Acquire, "k", "A");
    QVERIFY(book.ledger.isAnythingLeft(0, book.now));
    QVERIFY(!book.ledger.isAnythingLeft(0, book.now + 11s));
    book.writes(kA, Purpose::Acquire, "queue:k", "A", 0s);
    QVERIFY(book.ledger.isAnythingLeft(0, book.now + 11s)); // without an expiry
}

LOCKSCOPE_TEST(TestLedgerEvidence, Core)

} // namespace lockscope::tst_ledger_evidence

#include "tst_ledger_evidence.moc"
