#include "core/kernel/conduct/judge.h"
#include "tests/kernel/conduct/written_log.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <chrono>
#include <optional>
#include <vector>

namespace lockscope::tst_judge {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using conduct::Breach;
using conduct::Deviation;
using conduct::Interference;
using conduct::Word;
using conduct::Workload;
using protocol::Promise;
using world::ViolationKind;
using Answers = conduct::Answer::Kind;

namespace {

constexpr Duration kLease = 2s;
constexpr Duration kLonger = 2100ms; // than the lease
constexpr Duration kSurely = 2600ms; // than what the lock may outlive its holder
constexpr int kA = 0;
constexpr int kB = 1;
constexpr int kC = 2;

WrittenLog newLog()
{
    return WrittenLog(kLease);
}

Workload waiting()
{
    Workload workload = emptyWorkload(kLease);
    workload.waitMax = 10s;
    return workload;
}

Workload withoutLease()
{
    return emptyWorkload(Duration(0));
}

Workload renewing()
{
    Workload workload = emptyWorkload(kLease);
    workload.traits.isRenewed = true;
    return workload;
}

std::vector<Breach> judged(const WrittenLog& log, const Workload& workload = emptyWorkload(kLease),
                           const std::vector<Deviation>& deviations = {})
{
    return conduct::judge(log.log(), workload, deviations);
}

std::vector<Deviation> happening(Interference kind, int process)
{
    Deviation deviation;
    deviation.kind = kind;
    deviation.message.process = process;
    return {deviation};
}

/// The only one, if it is of this kind.
std::optional<Breach> only(const std::vector<Breach>& breaches, ViolationKind kind)
{
    const bool isIt = breaches.size() == 1 && breaches.front().violation.kind == kind;
    return isIt ? std::optional(breaches.front()) : std::nullopt;
}

/// A's lease is over, B has the lock, and A does not know it.
WrittenLog overtaken()
{
    WrittenLog log = newLog();
    log.acquire(kA).pass(kLonger).call(kB, Word::Acquire);
    log.remove(kB).make(kB).answer(kB, Word::Acquire);
    return log;
}

} // namespace

class TestJudge : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneAfterTheOtherIsRight();
    void twoHoldersWithGoodLeasesAreTooMany();
    void readersHoldTogether();
    void aReaderAndAWriterDoNot();
    void whoOutlivesItsLeaseMeetsALimit();
    void withoutALeaseNobodyIsOvertaken();
    void whoHasNoLeaseIsNeverTooLate();
    void whoRenewsIsNotOvertaken();
    void anEarlierCallOfTheSameProcessIsNoHold();
    void whoRenewsAndWasHinderedMeetsALimit();
    void whoHasTalkedSinceKnowsBetter();
    void whoHasNotTalkedCannotKnow();
    void whoIsCutOffCannotKnowEither();
    void takingTheLostLockAnewIsNotHoldingOn();
    void givingUpTheLostLockIsRight();
    void anAnswerAfterTheEndOfItsLeaseIsDishonest();
    void aYesThatTookNothingIsNotLate();
    void anExtensionThatIsOverIsNoYes();
    void anExtensionInTimeIsAYes();
    void whatCannotBeExtendedMayBeGivenBack();
    void whatWasGivenBackHasToBeHad();
    void anAskerMayHaveAskedBefore();
    void theDeadKeepTheLockForALease();
    void whatWasTakenSinceLastsALeaseToo();
    void aLossThatWasToldEndsTheHold();
    void whatProlongsTheLockOfAnotherIsNoLease();
    void whatIsMadeLateIsNotKeptAlive();
    void whatWasExtendedLastsLonger();
    void withoutALeaseTheDeadKeepIt();
    void withoutALeaseAReleaseMayBeTriedAgain();
    void whatTheAskerLeftItselfNeedsALease();
    void whatTheSameCallTookUnheardNeedsALease();
    void whoMayStillHoldIsNoOrphan();
    void aLockThatNeverExpiresIsPermanent();
    void aLockThatIsGrantedLaterIsNotPermanent();
    void aLockThatIsRenewedForNobodyIsAZombie();
    void whatWasGivenBackAndIsThereIsNoZombie();
    void aWaiterHasToHearOfAFreeLock();
    void aWaiterHasToHearOfTheEndOfALease();
    void aWaiterHasTheTimeOfALease();
    void aHinderedWaiterProvesNothing();
    void everyKindIsToldOnce();
    void bugsAreWorseThanLimits();
};

void TestJudge::oneAfterTheOtherIsRight()
{
    WrittenLog log = newLog();
    log.acquire(kA).acquireInVain(kB).held(kA).release(kA).acquire(kB).pass(1s).release(kB);
    log.pass(kSurely).acquire(kA).release(kA).acquire(kC).release(kC);
    QVERIFY(judged(log).empty());
    QVERIFY(judged(log, withoutLease()).empty());
    QVERIFY(judged(newLog()).empty());
}

void TestJudge::twoHoldersWithGoodLeasesAreTooMany()
{
    WrittenLog log = newLog();
    log.acquire(kA).pass(1s).acquire(kB).held(kA);
    const auto breach = only(judged(log), ViolationKind::DoubleGrant);
    QVERIFY(breach);
    QVERIFY(breach->violation.promise == Promise::MutualExclusion);
    QVERIFY(!breach->isInherent);
    QCOMPARE(breach->violation.client, kB);
    QCOMPARE(breach->violation.other, kA);
    QCOMPARE(breach->violation.at, Instant(1s));
    const conduct::LogEntry& entry = log.log().entries.at(breach->entry);
    QVERIFY(entry.kind == conduct::LogEntry::Kind::Answered && entry.process == kB);
}

void TestJudge::readersHoldTogether()
{
    WrittenLog log = newLog();
    for (const int process : {kA, kB}) {
        log.call(process, Word::Acquire, true).make(process);
        log.answer(process, Word::Acquire, Answers::Yes, true);
    }
    QVERIFY(judged(log).empty());
}

void TestJudge::aReaderAndAWriterDoNot()
{
    WrittenLog log = newLog();
    log.call(kA, Word::Acquire, true).make(kA).answer(kA, Word::Acquire, Answers::Yes, true);
    log.acquire(kB);
    const auto breach = only(judged(log), ViolationKind::DoubleGrant);
    QVERIFY(breach);
    QVERIFY(breach->violation.promise == Promise::ReadWriteExclusion);
}

void TestJudge::whoOutlivesItsLeaseMeetsALimit()
{
    const auto breach = only(judged(overtaken()), ViolationKind::DoubleBelief);
    QVERIFY(breach);
    QVERIFY(breach->isInherent);
    QCOMPARE(breach->violation.client, kA);
    QCOMPARE(breach->violation.other, kB);
    QVERIFY((breach->ended == conduct::EndedHold{kA, Instant(0s), Instant(kLease)}));
}

void TestJudge::withoutALeaseNobodyIsOvertaken()
{
    const auto breach = only(judged(overtaken(), withoutLease()), ViolationKind::DoubleGrant);
    QVERIFY(breach && !breach->isInherent && !breach->ended);
}

/// A lock without a lease is judged without the lease that its adapter was asked for: a second
/// holder is a mistake of the lock, even after a pause of the first one.
void TestJudge::whoHasNoLeaseIsNeverTooLate()
{
    Workload workload = renewing();
    workload.traits.vocabulary.hasNoLease = true;
    WrittenLog log = newLog();
    log.acquire(kA).interfere(kA).pass(kLonger).acquire(kB);
    const auto breach = only(judged(log, workload, happening(Interference::Pause, kA)),
                             ViolationKind::DoubleGrant);
    QVERIFY(breach && !breach->isInherent);
}

void TestJudge::whoRenewsIsNotOvertaken()
{
    const auto breach = only(judged(overtaken(), renewing()), ViolationKind::DoubleGrant);
    QVERIFY(breach && !breach->isInherent);
}

/// B gave up waiting, and its call takes and frees the lock in the background after B's own lease.
void TestJudge::anEarlierCallOfTheSameProcessIsNoHold()
{
    WrittenLog log = newLog();
    log.acquire(kA).acquireInVain(kB).release(kA).acquire(kB).pass(kLonger).expire();
    log.make(kB).remove(kB).acquire(kC);
    const auto limit = only(judged(log), ViolationKind::DoubleBelief);
    QVERIFY(limit && limit->isInherent);
    QVERIFY(only(judged(log, renewing()), ViolationKind::DoubleGrant)); // it may be a renewal
}

void TestJudge::whoRenewsAndWasHinderedMeetsALimit()
{
    WrittenLog log = newLog();
    log.acquire(kA).interfere(kA).pass(kLonger).acquire(kB);
    const auto breach = only(judged(log, renewing(), happening(Interference::Pause, kA)),
                             ViolationKind::DoubleBelief);
    QVERIFY(breach && breach->isInherent);
}

void TestJudge::whoHasTalkedSinceKnowsBetter()
{
    WrittenLog log = overtaken();
    log.call(kA, Word::Held).look(kA).answer(kA, Word::Held);
    const auto breaches = judged(log);
    QCOMPARE(breaches.size(), 2u);
    QVERIFY(breaches[0].isInherent);
    QVERIFY(breaches[1].violation.kind == ViolationKind::DoubleBelief);
    QVERIFY(!breaches[1].isInherent);
    QCOMPARE(breaches[1].violation.client, kA);
    QCOMPARE(breaches[1].violation.other, kB);
}

void TestJudge::whoHasNotTalkedCannotKnow()
{
    WrittenLog log = overtaken();
    log.held(kA);
    QCOMPARE(judged(log).size(), 1u);
    log.look(kB).held(kA); // another one did
    QCOMPARE(judged(log).size(), 1u);
}

void TestJudge::whoIsCutOffCannotKnowEither()
{
    WrittenLog log = overtaken();
    log.look(kA).interfere(kA).held(kA);
    QCOMPARE(judged(log, emptyWorkload(kLease), happening(Interference::Isolate, kA)).size(), 1u);
    log.letGo(kA).held(kA);
    QCOMPARE(judged(log, emptyWorkload(kLease), happening(Interference::Isolate, kA)).size(), 2u);
}

void TestJudge::takingTheLostLockAnewIsNotHoldingOn()
{
    WrittenLog log = overtaken();
    log.pass(1s).release(kB).call(kA, Word::Extend).make(kA).answer(kA, Word::Extend);
    const auto breaches = judged(log);
    QCOMPARE(breaches.size(), 2u);
    QVERIFY(breaches[1].violation.kind == ViolationKind::WrongExtension);
    QVERIFY(!breaches[1].isInherent);
}

void TestJudge::givingUpTheLostLockIsRight()
{
    WrittenLog log = overtaken();
    log.call(kA, Word::Held).look(kA).answer(kA, Word::Held, Answers::No);
    log.release(kB).acquire(kA).held(kA);
    QCOMPARE(judged(log).size(), 1u);
}

void TestJudge::anAnswerAfterTheEndOfItsLeaseIsDishonest()
{
    WrittenLog log = newLog();
    log.call(kB, Word::Acquire).make(kB).pass(kLonger);
    log.remove(kA).acquire(kA).answer(kB, Word::Acquire);
    const auto breach = only(judged(log), ViolationKind::DishonestLease);
    QVERIFY(breach);
    QVERIFY(breach->violation.promise == Promise::LeaseHonesty);
    QCOMPARE(breach->violation.client, kB);
    QCOMPARE(breach->violation.other, kA);
}

void TestJudge::aYesThatTookNothingIsNotLate()
{
    WrittenLog log = newLog();
    log.pass(kLonger).acquire(kA);
    log.call(kB, Word::Acquire).look(kB).answer(kB, Word::Acquire);
    const auto breach = only(judged(log), ViolationKind::DoubleGrant);
    QVERIFY(breach && !breach->isInherent);
    QCOMPARE(breach->violation.client, kB);
}

void TestJudge::anExtensionThatIsOverIsNoYes()
{
    WrittenLog log = newLog();
    log.acquire(kA).call(kA, Word::Extend).renew(kA).interfere(kA).pass(kLonger).expire();
    log.acquire(kB).letGo(kA).answer(kA, Word::Extend);
    const auto breaches = judged(log, emptyWorkload(kLease),
                                 happening(Interference::DelayReply, kA));
    QCOMPARE(breaches.size(), std::size_t(2)); // that its lease was over as B got it is a limit
    const auto breach = only({breaches.back()}, ViolationKind::DishonestLease);
    QVERIFY(breach);
    QVERIFY(breach->violation.promise == Promise::LeaseHonesty);
    QCOMPARE(breach->violation.client, kA);
    QCOMPARE(breach->violation.other, kB);
}

void TestJudge::anExtensionInTimeIsAYes()
{
    WrittenLog log = newLog();
    log.acquire(kA).call(kA, Word::Extend).renew(kA).interfere(kA).pass(1s);
    log.letGo(kA).answer(kA, Word::Extend);
    QVERIFY(judged(log, emptyWorkload(kLease), happening(Interference::DelayReply, kA)).empty());
    // Given back by its second holder, it harms nobody any more that the first one believes in it.
    WrittenLog given = newLog();
    given.acquire(kA).call(kA, Word::Extend).renew(kA).interfere(kA).pass(kLonger).expire();
    given.acquire(kB).letGo(kA).answer(kA, Word::Extend, Answers::No);
    const auto breaches = judged(given, emptyWorkload(kLease),
                                 happening(Interference::DelayReply, kA));
    QCOMPARE(breaches.size(), std::size_t(1));
    QVERIFY(breaches.front().isInherent);
}

void TestJudge::whatCannotBeExtendedMayBeGivenBack()
{
    const auto lettingGo = [](Answers answer) {
        WrittenLog log = newLog();
        log.acquire(kA).call(kA, Word::Extend).interfere(kA).letGo(kA).remove(kA);
        log.acquire(kB).answer(kA, Word::Extend, answer);
        return judged(log, emptyWorkload(kLease), happening(Interference::LoseReply, kA));
    };
    QVERIFY(lettingGo(Answers::No).empty());
    const auto breach = only(lettingGo(Answers::Yes), ViolationKind::DoubleBelief);
    QVERIFY(breach);
    QCOMPARE(breach->violation.client, kA);
    // Only in this call.
    WrittenLog later = newLog();
    later.acquire(kA).call(kA, Word::Extend).remove(kA).answer(kA, Word::Extend);
    QVERIFY(only(judged(later.acquire(kB), emptyWorkload(kLease)), ViolationKind::DoubleGrant));
}

void TestJudge::whatWasGivenBackHasToBeHad()
{
    WrittenLog log = newLog();
    log.acquire(kA).call(kA, Word::Release).look(kA).answer(kA, Word::Release);
    log.pass(1ms).acquireInVain(kB);
    const auto breach = only(judged(log), ViolationKind::Orphan);
    QVERIFY(breach);
    QVERIFY(breach->violation.promise == Promise::NoStuckLock);
    QCOMPARE(breach->violation.client, kB);
    QCOMPARE(breach->violation.otherSince, Instant(0s));
}

void TestJudge::anAskerMayHaveAskedBefore()
{
    WrittenLog log = newLog();
    log.acquire(kA).call(kB, Word::Acquire).look(kB).pass(1ms);
    log.release(kA).answer(kB, Word::Acquire, Answers::No);
    QVERIFY(judged(log).empty());
}

void TestJudge::theDeadKeepTheLockForALease()
{
    const auto refusedAfter = [](Duration span) {
        WrittenLog log = newLog();
        log.acquire(kA).end(kA).pass(span).acquireInVain(kB);
        return judged(log);
    };
    QVERIFY(refusedAfter(1s).empty());
    QVERIFY(refusedAfter(kLonger).empty()); // room for the library's own tick
    const auto breach = only(refusedAfter(kSurely), ViolationKind::Orphan);
    QVERIFY(breach);
    QCOMPARE(breach->violation.otherSince, Instant(kLease + kLease / 4));
}

/// Its release was answered with no, which left something behind perhaps; but then it took the lock
/// anew, and died.
void TestJudge::whatWasTakenSinceLastsALeaseToo()
{
    WrittenLog log = newLog();
    log.acquire(kA).pass(kSurely).expire().call(kA, Word::Release).look(kA);
    log.answer(kA, Word::Release, Answers::No).pass(kSurely);
    log.call(kA, Word::Acquire).make(kA).end(kA).acquireInVain(kB);
    QVERIFY(judged(log).empty());
    log.pass(kSurely).acquireInVain(kB);
    QVERIFY(only(judged(log), ViolationKind::Orphan));
}

/// B has it meanwhile, and A gives its hold up when it is told. What it takes afterwards is
/// another.
void TestJudge::aLossThatWasToldEndsTheHold()
{
    const auto held = [](bool wasTold) {
        WrittenLog log = newLog();
        log.acquire(kA).interfere(kA).pass(kSurely).expire().acquire(kB).letGo(kA).renew(kA);
        if (wasTold) {
            log.tellLoss(kA);
        }
        log.release(kB).acquire(kA).held(kA);
        return judged(log, emptyWorkload(kLease), happening(Interference::Pause, kA));
    };
    const auto isBug = [](const Breach& breach) { return !breach.isInherent; };
    QVERIFY(std::ranges::none_of(held(true), isBug));
    QVERIFY(std::ranges::any_of(held(false), isBug));
}

/// Its PEXPIRE prolongs what is another's by then, which makes it no holder.
void TestJudge::whatProlongsTheLockOfAnotherIsNoLease()
{
    WrittenLog log = newLog();
    log.acquire(kA).pass(kSurely).expire().acquire(kB).renew(kA).release(kB).acquire(kC);
    for (const Breach& breach : judged(log)) {
        QVERIFY(breach.violation.kind != ViolationKind::DoubleGrant);
    }
}

/// It is made once, and ends by itself.
void TestJudge::whatIsMadeLateIsNotKeptAlive()
{
    WrittenLog log = newLog();
    log.acquire(kA).release(kA).call(kB, Word::Acquire);
    log.answer(kB, Word::Acquire, Answers::No).pass(kSurely).pass(kSurely).make(kB);
    log.acquireInVain(kC);
    for (const Breach& breach : judged(log)) {
        QVERIFY(breach.violation.kind != ViolationKind::ZombieRenewal);
    }
}

/// Its program asked for more than a lease: in redis-py extensions add up.
void TestJudge::whatWasExtendedLastsLonger()
{
    WrittenLog log = newLog();
    log.acquire(kA).call(kA, Word::Extend).renewFor(kA, 3 * kLease).answer(kA, Word::Extend);
    log.end(kA).pass(kSurely).acquireInVain(kB);
    QVERIFY(judged(log).empty());
    log.pass(2 * kLease).acquireInVain(kB);
    const auto breach = only(judged(log), ViolationKind::Orphan);
    QVERIFY(breach);
    QCOMPARE(breach->violation.otherSince, Instant(3 * kLease));
}

void TestJudge::withoutALeaseTheDeadKeepIt()
{
    WrittenLog log = newLog();
    log.acquire(kA).end(kA).pass(60s).acquireInVain(kB);
    QVERIFY(judged(log, withoutLease()).empty());
}

/// Twice the release did not reach the server: it may be tried a third time. What says that there
/// is nothing to release any more cannot.
void TestJudge::withoutALeaseAReleaseMayBeTriedAgain()
{
    const auto released = [](Answers last) {
        WrittenLog log = newLog();
        log.call(kA, Word::Acquire).makeForEver(kA).answer(kA, Word::Acquire);
        log.call(kA, Word::Release).answer(kA, Word::Release, Answers::Error);
        log.call(kA, Word::Release).answer(kA, Word::Release, last);
        log.pass(kSurely).acquireInVain(kB);
        return log;
    };
    QVERIFY(judged(released(Answers::Error), withoutLease()).empty());
    QVERIFY(only(judged(released(Answers::No), withoutLease()), ViolationKind::PermanentLock));
}

void TestJudge::whatTheAskerLeftItselfNeedsALease()
{
    const auto refusedAfter = [](Duration span) {
        WrittenLog log = newLog();
        log.call(kA, Word::Acquire).makeForEver(kA).answer(kA, Word::Acquire, Answers::Error);
        log.pass(span).acquireInVain(kA);
        return judged(log);
    };
    QVERIFY(refusedAfter(1s).empty());
    QVERIFY(only(refusedAfter(kSurely), ViolationKind::PermanentLock));
}

/// The answer was lost, and the library asked again by itself: it met its own lock.
void TestJudge::whatTheSameCallTookUnheardNeedsALease()
{
    const auto refusedAfter = [](Duration span) {
        WrittenLog log = newLog();
        log.call(kA, Word::Acquire).make(kA).look(kA).pass(span);
        log.answer(kA, Word::Acquire, Answers::No);
        return judged(log);
    };
    QVERIFY(refusedAfter(1s).empty());

    WrittenLog waits = newLog();
    waits.call(kA, Word::Acquire).make(kA).pass(kLease).pass(1s);
    QVERIFY(judged(waits, waiting()).empty());
    waits.pass(kSurely).pass(kSurely);
    QVERIFY(!judged(waits, waiting()).empty());
}

void TestJudge::whoMayStillHoldIsNoOrphan()
{
    WrittenLog held = newLog();
    held.acquire(kA).pass(kSurely).acquireInVain(kB);
    QVERIFY(judged(held).empty());
    WrittenLog givingBack = newLog();
    givingBack.acquire(kA).call(kA, Word::Release).pass(kSurely).acquireInVain(kB);
    QVERIFY(judged(givingBack).empty());
    WrittenLog paused = newLog();
    paused.acquire(kA).release(kA).interfere(kA).makeForEver(kA).pass(kSurely).acquireInVain(kB);
    QVERIFY(judged(paused, emptyWorkload(kLease), happening(Interference::Pause, kA)).empty());
}

void TestJudge::aLockThatNeverExpiresIsPermanent()
{
    WrittenLog log = newLog();
    log.call(kA, Word::Acquire).makeForEver(kA).end(kA).pass(kSurely).acquireInVain(kB);
    const auto breach = only(judged(log), ViolationKind::PermanentLock);
    QVERIFY(breach);
    QVERIFY(breach->violation.promise == Promise::NoStuckLock);
}

/// Its end is in its value: the keys have no expiry, and the next client takes the lock over.
void TestJudge::aLockThatIsGrantedLaterIsNotPermanent()
{
    constexpr int kProbe = 9; // the act
    Workload workload = emptyWorkload(kLease);
    workload.firstProbe = kProbe;
    WrittenLog log = newLog();
    log.call(kA, Word::Acquire).makeForEver(kA).answer(kA, Word::Acquire).end(kA);
    log.pass(kSurely).acquireInVain(kB);
    QVERIFY(only(judged(log, workload), ViolationKind::PermanentLock));

    WrittenLog soon = log; // an end in whole seconds is a little later than the lease
    soon.inAct(kProbe).pass(workload.slackOfValue()).acquire(kC);
    QVERIFY(judged(soon, workload).empty());

    WrittenLog late = log;
    late.inAct(kProbe).pass(workload.slackOfValue()).acquireInVain(kC);
    QVERIFY(only(judged(late, workload), ViolationKind::PermanentLock));
    late.pass(60s).acquire(kC);
    QVERIFY(only(judged(late, workload), ViolationKind::Orphan));
}

void TestJudge::aLockThatIsRenewedForNobodyIsAZombie()
{
    WrittenLog log = newLog();
    log.acquire(kA).pass(1s).tellLoss(kA);
    log.pass(1s).renew(kA).pass(1s).renew(kA).pass(1s).acquireInVain(kB);
    QVERIFY(only(judged(log, renewing()), ViolationKind::ZombieRenewal));
}

void TestJudge::whatWasGivenBackAndIsThereIsNoZombie()
{
    WrittenLog log = newLog();
    log.pass(1s).acquire(kA).pass(1s).call(kA, Word::Release).look(kA).answer(kA, Word::Release);
    log.pass(1ms).acquireInVain(kB);
    QVERIFY(only(judged(log), ViolationKind::Orphan));
}

void TestJudge::aWaiterHasToHearOfAFreeLock()
{
    WrittenLog log = newLog();
    log.acquire(kA).call(kB, Word::Acquire).look(kB).pass(1s).release(kA).pass(kSurely);
    const auto breach = only(judged(log, waiting()), ViolationKind::LostWakeup);
    QVERIFY(breach);
    QVERIFY(breach->violation.promise == Promise::NoLostWakeup);
    QCOMPARE(breach->violation.client, kB);
    QCOMPARE(breach->violation.otherSince, Instant(1s));
    // Who does not wait is asked anew.
    QVERIFY(judged(log).empty());
}

/// The key of the dead is gone with its lease, and nobody is told: no key is stuck.
void TestJudge::aWaiterHasToHearOfTheEndOfALease()
{
    WrittenLog log = newLog();
    log.acquire(kA)
        .call(kB, Word::Acquire)
        .look(kB)
        .end(kA)
        .pass(kSurely)
        .pass(kSurely)
        .pass(kSurely);
    QVERIFY(only(judged(log, waiting()), ViolationKind::LostWakeup));
}

void TestJudge::aWaiterHasTheTimeOfALease()
{
    WrittenLog log = newLog();
    log.acquire(kA).call(kB, Word::Acquire).look(kB).pass(1s).release(kA).pass(kLonger);
    QVERIFY(judged(log, waiting()).empty());
    log.make(kB).answer(kB, Word::Acquire).pass(kSurely);
    QVERIFY(judged(log, waiting()).empty());
}

void TestJudge::aHinderedWaiterProvesNothing()
{
    const auto pause = happening(Interference::Pause, kB);
    WrittenLog log = newLog();
    log.acquire(kA).call(kB, Word::Acquire).look(kB).release(kA).interfere(kB).pass(kSurely);
    QVERIFY(judged(log, waiting(), pause).empty());
    log.letGo(kB).pass(1s); // its lease begins here
    QVERIFY(judged(log, waiting(), pause).empty());
    log.pass(kSurely);
    QVERIFY(only(judged(log, waiting(), pause), ViolationKind::LostWakeup));
}

void TestJudge::everyKindIsToldOnce()
{
    WrittenLog log = newLog();
    log.acquire(kA).acquire(kB).release(kB).acquire(kC);
    const auto breach = only(judged(log), ViolationKind::DoubleGrant);
    QVERIFY(breach);
    QCOMPARE(breach->violation.client, kB);
}

void TestJudge::bugsAreWorseThanLimits()
{
    WrittenLog log = overtaken();
    log.look(kA).held(kA).pass(1ms).acquire(kC);
    const auto breaches = judged(log);
    QVERIFY(breaches.front().isInherent);
    QVERIFY(breaches.size() > 2);
    QCOMPARE(conduct::worstOf(breaches).value(), breaches[1]);
    QVERIFY(!conduct::worstOf({}));
}

LOCKSCOPE_TEST(TestJudge, None)

} // namespace lockscope::tst_judge

#include "tst_judge.moc"
