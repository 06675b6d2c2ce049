#include "core/kernel/conduct/belief_book.h"
#include "tests/kernel/conduct/written_log.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <chrono>
#include <span>
#include <vector>

namespace lockscope::tst_belief_book {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using conduct::Act;
using conduct::Belief;
using conduct::BeliefBook;
using conduct::Deviation;
using conduct::Interference;
using conduct::Word;
using conduct::Workload;
using Answers = conduct::Answer::Kind;
using State = Belief::State;

namespace {

constexpr Duration kLease = 2s;
constexpr int kA = 0;
constexpr int kB = 1;
constexpr int kC = 2;

/// What stands in the book at the end of a log.
class Reading {
public:
    explicit Reading(const WrittenLog& written, std::vector<Deviation> deviations = {})
        : m_workload(emptyWorkload(kLease)),
          m_deviations(std::move(deviations)),
          m_book(m_workload, m_deviations)
    {
        for (const conduct::LogEntry& entry : written.log().entries) {
            m_book.see(entry);
        }
    }

    const Belief& of(int process) const { return m_book.of(process, 0); }
    const BeliefBook* operator->() const { return &m_book; }
    bool isDue(int process, Word word, bool isRetry = false) const
    {
        Act act = Act::call(process, word);
        act.isRetry = isRetry;
        return m_book.isDue(act);
    }
    bool isProbeDue(int process) const
    {
        Act act = Act::call(process, Word::Acquire);
        act.isProbe = true;
        return m_book.isDue(act);
    }
    bool isStuckPassDue() const
    {
        Act act = Act::pass(1s);
        act.kind = Act::Kind::PassStuck;
        return m_book.isDue(act);
    }
    bool isWaitingDue() const
    {
        Act act = Act::pass(1s);
        act.kind = Act::Kind::PassWaiting;
        return m_book.isDue(act);
    }

private:
    Workload m_workload;
    std::vector<Deviation> m_deviations;
    BeliefBook m_book;
};

WrittenLog newLog()
{
    return WrittenLog(kLease);
}

Deviation deviationOf(Interference kind, int process)
{
    Deviation deviation;
    deviation.kind = kind;
    deviation.message.process = process;
    return deviation;
}

} // namespace

class TestBeliefBook : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whoIsToldSoHolds();
    void whoIsRefusedDoesNot();
    void aReleaseThatSaidYesIsClean();
    void aReleaseThatFailedIsDueAgain();
    void anAcquireThatFailedMayHaveLeftSomething();
    void aCleanReleaseLeavesNothing();
    void whoSaysThatItLostTheLockHasLostIt();
    void anErrorSaysNothingOfABelief();
    void theLeaseBeginsAtTheServer();
    void whatIsOnTheServerIsKept();
    void theDeadDoNothing();
    void aPauseHindersUntilItEnds();
    void twoHindrancesEndOneByOne();
    void aFaultBelongsToACall();
    void aCallDuringAFaultIsDisturbed();
    void whatADisturbedNestedAcquireTookMayBeLeft();
    void timeHindersNobody();
    void whatIsDueMakesSense();
    void waitingIsForAFreeLock();
    void aProbeIsForAStuckLock();
};

void TestBeliefBook::whoIsToldSoHolds()
{
    WrittenLog log = newLog();
    log.pass(1s).call(kA, Word::Acquire);
    QVERIFY(Reading(log).of(kA).state == State::Asking);
    QVERIFY(Reading(log)->hasCallRunning(kA));
    log.make(kA).pass(1ms).answer(kA, Word::Acquire);
    const Reading reading(log);
    QVERIFY(reading.of(kA).state == State::Holding);
    QVERIFY(reading.of(kA).wasGranted);
    QVERIFY(!reading.of(kA).isRead);
    QCOMPARE(reading.of(kA).askedAt, Instant(1s));
    QVERIFY(!reading->hasCallRunning(kA));
    QVERIFY(reading.of(kB).state == State::None);
}

void TestBeliefBook::whoIsRefusedDoesNot()
{
    const Reading reading(newLog().acquireInVain(kA));
    QVERIFY(reading.of(kA).state == State::None);
    QVERIFY(reading.of(kA).isClean);
    QVERIFY(!reading.of(kA).wasGranted);
    QVERIFY(!reading.of(kA).touchedAt.has_value());
}

void TestBeliefBook::aReleaseThatSaidYesIsClean()
{
    WrittenLog log = newLog();
    log.acquire(kA).pass(1s).call(kA, Word::Release);
    QVERIFY(Reading(log).of(kA).state == State::GivingBack);
    log.remove(kA).answer(kA, Word::Release);
    const Reading reading(log);
    QVERIFY(reading.of(kA).state == State::None);
    QVERIFY(reading.of(kA).isClean);
    QCOMPARE(reading.of(kA).endedAt, Instant(1s));
    QVERIFY(!reading.isDue(kA, Word::Release, true));
}

void TestBeliefBook::aReleaseThatFailedIsDueAgain()
{
    WrittenLog log = newLog();
    log.acquire(kA).call(kA, Word::Release).answer(kA, Word::Release, Answers::Error);
    const Reading reading(log);
    QVERIFY(reading.of(kA).state == State::None);
    QVERIFY(!reading.of(kA).isClean);
    QVERIFY(reading.isDue(kA, Word::Release, true));
    QVERIFY(!reading.isDue(kA, Word::Release));

    log.release(kA);
    QVERIFY(!Reading(log).isDue(kA, Word::Release, true));
    QVERIFY(Reading(log).of(kA).isClean);
}

void TestBeliefBook::anAcquireThatFailedMayHaveLeftSomething()
{
    WrittenLog log = newLog();
    log.call(kA, Word::Acquire).make(kA).answer(kA, Word::Acquire, Answers::Error);
    QVERIFY(!Reading(log).of(kA).isClean);
    log.pass(1s).acquireInVain(kA);
    const Reading reading(log);
    QVERIFY(reading.of(kA).leftAt.has_value());
    QCOMPARE(reading.of(kA).touchedAt.value(), Instant(0s));
}

void TestBeliefBook::aCleanReleaseLeavesNothing()
{
    WrittenLog log = newLog();
    log.call(kA, Word::Acquire).make(kA).answer(kA, Word::Acquire, Answers::Error);
    log.acquire(kA);
    QVERIFY(Reading(log).of(kA).leftAt.has_value());
    log.release(kA);
    QVERIFY(!Reading(log).of(kA).leftAt.has_value());
}

void TestBeliefBook::whoSaysThatItLostTheLockHasLostIt()
{
    const Reading told(newLog().acquire(kA).pass(3s).tellLoss(kA));
    QVERIFY(told.of(kA).state == State::None);
    QVERIFY(!told.of(kA).isClean);
    QCOMPARE(told.of(kA).endedAt, Instant(3s));
    const Reading asked(newLog().acquire(kA).held(kA, Answers::No));
    QVERIFY(asked.of(kA).state == State::None);
    QVERIFY(!asked.of(kA).isClean);
    // Nobody loses what it does not have yet.
    const Reading early(newLog().call(kA, Word::Acquire).tellLoss(kA));
    QVERIFY(early.of(kA).state == State::Asking);
}

void TestBeliefBook::anErrorSaysNothingOfABelief()
{
    const Reading reading(newLog().acquire(kA).held(kA, Answers::Error));
    QVERIFY(reading.of(kA).state == State::Holding);
}

void TestBeliefBook::theLeaseBeginsAtTheServer()
{
    WrittenLog log = newLog();
    log.call(kA, Word::Acquire).pass(1s).make(kA).pass(5s).answer(kA, Word::Acquire);
    QCOMPARE(Reading(log).of(kA).leaseFrom, Instant(1s));
    log.renew(kA);
    QCOMPARE(Reading(log).of(kA).leaseFrom, Instant(6s));
    log.pass(1s).look(kA);
    QCOMPARE(Reading(log).of(kA).leaseFrom, Instant(6s));
}

void TestBeliefBook::whatIsOnTheServerIsKept()
{
    WrittenLog log = newLog();
    log.acquire(kA).pass(1s).renew(kA).pass(500ms).look(kB);
    const Reading reading(log);
    QVERIFY(reading->keysOf(0).isThere);
    QVERIFY(!reading->keysOf(0).isPermanent);
    QCOMPARE(reading->prolongedAt(0), Instant(1s));
    QVERIFY(!Reading(log.remove(kA))->keysOf(0).isThere);
    QVERIFY(Reading(newLog().makeForEver(kA))->keysOf(0).isPermanent);
}

void TestBeliefBook::theDeadDoNothing()
{
    const Reading reading(newLog().acquire(kA).call(kA, Word::Held).pass(1s).end(kA));
    QVERIFY(reading->isDead(kA));
    QCOMPARE(reading->diedAt(kA).value(), Instant(1s));
    QVERIFY(!reading->hasCallRunning(kA));
    QVERIFY(!reading.isDue(kA, Word::Release));
    QVERIFY(!reading->isDead(kB));
}

void TestBeliefBook::aPauseHindersUntilItEnds()
{
    WrittenLog log = newLog();
    log.acquire(kA).interfere(kA);
    const std::vector deviations{deviationOf(Interference::Pause, kA)};
    QVERIFY(Reading(log, deviations)->isHindered(kA));
    QVERIFY(Reading(log, deviations).of(kA).wasHindered);
    QVERIFY(!Reading(log, deviations)->isHindered(kB));
    log.pass(1s).letGo(kA);
    const Reading reading(log, deviations);
    QVERIFY(!reading->isHindered(kA));
    QCOMPARE(reading->unhinderedSince(kA), Instant(1s));
    QVERIFY(reading.of(kA).wasHindered);
    // Of the next hold nothing is known that hindered it.
    QVERIFY(!Reading(log.release(kA).acquire(kA), deviations).of(kA).wasHindered);
}

void TestBeliefBook::twoHindrancesEndOneByOne()
{
    const std::vector deviations{deviationOf(Interference::Pause, kA),
                                 deviationOf(Interference::Isolate, kA)};
    WrittenLog log = newLog();
    log.acquire(kA).interfere(kA, 0).interfere(kA, 1).letGo(kA, 0);
    QVERIFY(Reading(log, deviations)->isHindered(kA));
    // Whoever asks meanwhile is hindered from the beginning.
    QVERIFY(Reading(log.acquire(kA), deviations).of(kA).wasHindered);
    QVERIFY(!Reading(log.letGo(kA, 1), deviations)->isHindered(kA));
}

void TestBeliefBook::aFaultBelongsToACall()
{
    const std::vector loss{deviationOf(Interference::LoseReply, kA)};
    WrittenLog log = newLog();
    log.call(kA, Word::Acquire).make(kA).interfere(kA).renew(kA).answer(kA, Word::Acquire);
    QVERIFY(Reading(log, loss).of(kA).isDisturbed && Reading(log, loss).of(kA).isInDoubt);
    log.held(kA); // from memory, perhaps
    QVERIFY(!Reading(log, loss).of(kA).isDisturbed && Reading(log, loss).of(kA).isInDoubt);
    log.call(kA, Word::Extend).renew(kA).answer(kA, Word::Extend);
    QVERIFY(!Reading(log, loss).of(kA).isInDoubt);
    log.interfere(kA); // between two calls
    QVERIFY(!Reading(log, loss).of(kA).isDisturbed && Reading(log, loss).of(kA).isInDoubt);
    log.release(kA);
    QVERIFY(!Reading(log, loss).of(kA).isDisturbed && !Reading(log, loss).of(kA).isInDoubt);
    QVERIFY(Reading(log, loss).of(kA).wasHindered);
}

void TestBeliefBook::aCallDuringAFaultIsDisturbed()
{
    const std::vector pause{deviationOf(Interference::Pause, kA)};
    WrittenLog log = newLog();
    log.acquire(kA).interfere(kA).call(kA, Word::Release).letGo(kA).remove(kA);
    log.answer(kA, Word::Release);
    QVERIFY(Reading(log, pause).of(kA).isDisturbed && Reading(log, pause).of(kA).isInDoubt);
    QVERIFY(!Reading(log.acquire(kA), pause).of(kA).isDisturbed);
}

void TestBeliefBook::whatADisturbedNestedAcquireTookMayBeLeft()
{
    const std::vector loss{deviationOf(Interference::LoseReply, kA)};
    WrittenLog log = newLog();
    log.acquire(kA).pass(1s).call(kA, Word::Acquire).renew(kA).interfere(kA);
    log.answer(kA, Word::Acquire, Answers::Error).release(kA);
    QCOMPARE(Reading(log, loss).of(kA).leftAt, std::optional(Instant(1s)));
    // All of it is given back with the next hold.
    QVERIFY(!Reading(log.acquire(kA).release(kA), loss).of(kA).leftAt);
}

void TestBeliefBook::timeHindersNobody()
{
    const std::vector time{deviationOf(Interference::PassTime, kA)};
    QVERIFY(!Reading(newLog().acquire(kA).interfere(kA), time).of(kA).wasHindered);
    // It is over at once, and yet something was done.
    const std::vector loss{deviationOf(Interference::LoseReply, kA)};
    const Reading lost(newLog().acquire(kA).interfere(kA), loss);
    QVERIFY(lost.of(kA).wasHindered);
    QVERIFY(!lost->isHindered(kA));
}

void TestBeliefBook::whatIsDueMakesSense()
{
    WrittenLog log = newLog();
    QVERIFY(Reading(log).isDue(kA, Word::Acquire));
    QVERIFY(!Reading(log).isDue(kA, Word::Release));
    QVERIFY(!Reading(log).isDue(kA, Word::Held));
    log.call(kA, Word::Acquire);
    QVERIFY(!Reading(log).isDue(kA, Word::Acquire)); // a call is running
    log.make(kA).answer(kA, Word::Acquire);
    QVERIFY(!Reading(log).isDue(kA, Word::Acquire));
    QVERIFY(Reading(log).isDue(kA, Word::Release));
    QVERIFY(Reading(log).isDue(kA, Word::Extend));
    QVERIFY(Reading(log)->isDue(Act::pass(1s)));
}

void TestBeliefBook::waitingIsForAFreeLock()
{
    WrittenLog log = newLog();
    QVERIFY(!Reading(log).isWaitingDue()); // nobody waits
    log.acquire(kA).call(kB, Word::Acquire);
    QVERIFY(!Reading(log).isWaitingDue()); // A holds
    log.call(kA, Word::Release);
    QVERIFY(!Reading(log).isWaitingDue());
    log.remove(kA).answer(kA, Word::Release);
    QVERIFY(Reading(log).isWaitingDue());
    WrittenLog death = newLog();
    death.acquire(kC).call(kB, Word::Acquire).end(kC);
    QVERIFY(Reading(death).isWaitingDue());
    QVERIFY(!Reading(death.end(kB)).isWaitingDue());
}

void TestBeliefBook::aProbeIsForAStuckLock()
{
    WrittenLog log = newLog();
    log.call(kA, Word::Acquire).makeForEver(kA).answer(kA, Word::Acquire);
    log.call(kB, Word::Acquire).answer(kB, Word::Acquire, Answers::No);
    QVERIFY(!Reading(log).isStuckPassDue()); // A holds it
    log.end(kA);
    QVERIFY(Reading(log).isStuckPassDue());
    QVERIFY(Reading(log).isProbeDue(kB));
    QVERIFY(!Reading(log).isProbeDue(kA)); // it is dead
    WrittenLog expiring = newLog();
    expiring.acquire(kA).acquireInVain(kB).end(kA);
    QVERIFY(!Reading(expiring).isStuckPassDue());
    QVERIFY(!Reading(expiring).isProbeDue(kB));
}

LOCKSCOPE_TEST(TestBeliefBook, None)

} // namespace lockscope::tst_belief_book

#include "tst_belief_book.moc"
