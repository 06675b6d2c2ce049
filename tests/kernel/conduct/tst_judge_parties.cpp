// What is judged of threads, reentrant and fair locks, numbers of grants, several servers,
// failovers, and reports of a loss.

#include "core/kernel/conduct/judge.h"
#include "tests/kernel/conduct/written_log.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <chrono>
#include <vector>

namespace lockscope::tst_judge_parties {

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
constexpr int kA = 0;
constexpr int kB = 1;
constexpr int kC = 2;

WrittenLog newLog()
{
    return WrittenLog(kLease);
}

Workload withThreads()
{
    Workload workload = emptyWorkload(kLease);
    workload.threadCount = 2;
    return workload;
}

Workload withServers(int count)
{
    Workload workload = emptyWorkload(kLease);
    workload.serverCount = count;
    return workload;
}

Workload fair()
{
    Workload workload = emptyWorkload(kLease);
    workload.waitMax = 10s;
    workload.traits.vocabulary.isFair = true;
    return workload;
}

std::vector<Breach> judged(const WrittenLog& log, const Workload& workload = emptyWorkload(kLease),
                           const std::vector<Deviation>& deviations = {})
{
    return conduct::judge(log.log(), workload, deviations);
}

bool isOnly(const std::vector<Breach>& breaches, ViolationKind kind, Promise promise)
{
    return breaches.size() == 1 && breaches.front().violation.kind == kind
           && breaches.front().violation.promise == promise && !breaches.front().isInherent;
}

std::vector<Deviation> failingOver()
{
    Deviation deviation;
    deviation.kind = Interference::FailOver;
    return {deviation};
}

/// A has the lock, a failover loses it, and B gets it.
WrittenLog lostInAFailover(bool wasAskedFor)
{
    WrittenLog log = newLog();
    log.call(kA, Word::Acquire).interfere(kA).make(kA);
    if (wasAskedFor) {
        log.askReplicas(kA, 0);
    }
    log.answer(kA, Word::Acquire).letGo(kA);
    log.call(kB, Word::Acquire).make(kB).answer(kB, Word::Acquire);
    return log;
}

std::vector<Deviation> losingRequestOf(int process)
{
    Deviation deviation;
    deviation.kind = Interference::LoseRequest;
    deviation.message.process = process;
    return {deviation};
}

/// A holds, C gives up waiting, of which the server may not hear, and asks again; then A gives it
/// back.
WrittenLog withPlaceLeft(bool isLost)
{
    WrittenLog log = newLog();
    log.pass(1s).acquire(kA).call(kC, Word::Acquire).look(kC);
    if (isLost) {
        log.interfere(kC);
    }
    log.answer(kC, Word::Acquire, Answers::No).acquireInVain(kC);
    return log.call(kA, Word::Release).renew(kA).answer(kA, Word::Release);
}

/// B waits, then C, while A holds; then one of them gets it.
WrittenLog queued(int next)
{
    WrittenLog log = newLog();
    log.acquire(kA);
    log.call(kB, Word::Acquire).look(kB).call(kC, Word::Acquire).look(kC);
    log.release(kA).make(next).answer(next, Word::Acquire);
    return log;
}

} // namespace

class TestJudgeParties : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void threadsExcludeEachOther();
    void aThreadReleasesItsOwnHold();
    void oneThreadDoesNotTalkForTheOther();
    void theLatestCallIsTheOneThatTook();
    void aRenewalLostEarlyCanBeTriedAgain();
    void whatWasTakenTwiceIsGivenBackTwice();
    void oneReleaseTooFewForTheServerIsImbalance();
    void aNumberHasToGrow();
    void theNumberIsThatOfTheGrant();
    void theNumberOfALockThatIsHandedOverIsInOrder();
    void aNestedHoldMayHaveTheSameNumber();
    void whatNobodyWasToldOfLastsALease();
    void aRequestThatComesLateLastsALease();
    void aRequestMayComeLateBehindAnotherHold();
    void aPlaceThatWasLeftIsHandedALease();
    void whatItWasHandedEndsWithItsGrant();
    void aLockWithACounterBesideItIsNotPermanent();
    void whatOthersGotMeanwhileIsFree();
    void whatIsHandedToTheDeadLastsALease();
    void whatTheAskerRenewedItselfIsNotKeptAlive();
    void whoeverWaitsLongestIsNext();
    void unfairLocksMayDoAsTheyLike();
    void aHinderedWaiterMayBePassedOver();
    void aMajorityMakesTheLease();
    void aVoteOfARivalEndsNoLease();
    void aFailoverIsALimit();
    void whatIsOverIsNotTakenTwice();
    void halfOfAHoldMayBeLostByAFailover();
    void aFailoverIsNoExcuseForWhoKnew();
    void whatAReplicaBringsBackLastsALease();
    void aLossOfWhatWasGivenBackIsNone();
    void aLossInTheMiddleOfALeaseIsNone();
    void aLossAfterTheLeaseIsOne();
    void aHinderedHolderMayBeCautious();
    void aPlaceInAKeyThatStaysLastsALease();
};

void TestJudgeParties::threadsExcludeEachOther()
{
    const WrittenLog log = newLog().acquire(kA).onThread(1).acquire(kA);
    QVERIFY(isOnly(judged(log, withThreads()), ViolationKind::DoubleGrant,
                   Promise::MutualExclusion));
    const int second = withThreads().partyOf(kA, 1);
    QCOMPARE(judged(log, withThreads()).front().violation.client, second);
    QCOMPARE(partyName(withThreads(), second), std::string("A's t1"));
    QCOMPARE(partyName(emptyWorkload(kLease), kA), std::string("A"));
}

/// The late t0 ends the hold of t1, of which B hears: t1's lease is good.
void TestJudgeParties::aThreadReleasesItsOwnHold()
{
    WrittenLog log = newLog();
    log.acquire(kA).pass(kLonger).onThread(1).call(kA, Word::Acquire);
    log.remove(kA).make(kA).answer(kA, Word::Acquire); // the lease of t0 was over
    log.onThread(0).release(kA).acquire(kB);
    const auto breaches = judged(log, withThreads());
    QCOMPARE(breaches.size(), 2u); // t0 outlived its lease, which is a limit
    QVERIFY(breaches[0].isInherent);
    QVERIFY(breaches[1].violation.kind == ViolationKind::DoubleGrant && !breaches[1].isInherent);
}

/// t0 has outlived its lease, and its neighbour asks the server something.
void TestJudgeParties::oneThreadDoesNotTalkForTheOther()
{
    WrittenLog log = newLog();
    log.acquire(kA).pass(kLonger).call(kB, Word::Acquire).remove(kB).make(kB);
    log.answer(kB, Word::Acquire).onThread(1).acquireInVain(kA).onThread(0).held(kA);
    const auto breaches = judged(log, withThreads());
    QCOMPARE(breaches.size(), 1u);
    QVERIFY(breaches.front().isInherent);
    log.call(kA, Word::Extend).look(kA).answer(kA, Word::Extend);
    QCOMPARE(judged(log, withThreads()).size(), 2u); // now it has asked for itself
}

/// The answer to t0 is under way when t1 takes the lock.
void TestJudgeParties::theLatestCallIsTheOneThatTook()
{
    WrittenLog log = newLog();
    log.call(kA, Word::Acquire).make(kA).pass(kLonger).onThread(1).call(kA, Word::Acquire);
    log.remove(kA).make(kA).answer(kA, Word::Acquire).pass(1s).onThread(0);
    log.call(kB, Word::Acquire).remove(kB).make(kB).answer(kB, Word::Acquire);
    const auto breaches = judged(log, withThreads());
    QVERIFY(isOnly(breaches, ViolationKind::DoubleGrant, Promise::MutualExclusion));
    QCOMPARE(breaches.front().violation.other, withThreads().partyOf(kA, 1));
}

void TestJudgeParties::aRenewalLostEarlyCanBeTriedAgain()
{
    Workload workload = emptyWorkload(kLease);
    workload.traits.isRenewed = true;
    Deviation loss;
    loss.kind = Interference::LoseRequest;
    const auto lostAfter = [&](Duration span) {
        WrittenLog log = newLog();
        log.acquire(kA).pass(span).interfere(kA).pass(kLonger - span);
        log.call(kB, Word::Acquire).remove(kB).make(kB).answer(kB, Word::Acquire);
        return judged(log, workload, {loss});
    };
    QVERIFY(isOnly(lostAfter(1300ms), ViolationKind::DoubleGrant, Promise::MutualExclusion));
    const auto late = lostAfter(1800ms);
    QCOMPARE(late.size(), 1u);
    QVERIFY(late.front().isInherent);
}

void TestJudgeParties::whatWasTakenTwiceIsGivenBackTwice()
{
    WrittenLog log = newLog();
    log.acquire(kA).acquireAgain(kA).acquireInVain(kB).releaseOnce(kA);
    log.acquireInVain(kB).release(kA).acquire(kB);
    QVERIFY(judged(log).empty());

    WrittenLog early = newLog();
    early.acquire(kA).acquireAgain(kA).release(kA).acquire(kB);
    QVERIFY(isOnly(judged(early), ViolationKind::ReentryImbalance, Promise::ReentryBalance));

    WrittenLog during = newLog(); // the inner release has not been answered yet
    during.acquire(kA).acquireAgain(kA).call(kA, Word::Release).remove(kA).acquire(kB);
    QVERIFY(isOnly(judged(during), ViolationKind::ReentryImbalance, Promise::ReentryBalance));
}

void TestJudgeParties::oneReleaseTooFewForTheServerIsImbalance()
{
    WrittenLog log = newLog();
    log.acquire(kA).acquireAgain(kA).releaseOnce(kA).releaseOnce(kA).acquireInVain(kB);
    QVERIFY(isOnly(judged(log), ViolationKind::ReentryImbalance, Promise::ReentryBalance));
}

void TestJudgeParties::aNumberHasToGrow()
{
    WrittenLog right = newLog();
    right.acquireWithFence(kA, 7).release(kA).acquireWithFence(kB, 8);
    QVERIFY(judged(right).empty());
    WrittenLog wrong = newLog();
    wrong.acquireWithFence(kA, 7).release(kA).acquireWithFence(kB, 7);
    QVERIFY(isOnly(judged(wrong), ViolationKind::FenceDisorder, Promise::FencingOrder));
}

/// A late answer is what the number is for.
void TestJudgeParties::theNumberIsThatOfTheGrant()
{
    const auto grantedBoth = [](std::int64_t late, std::int64_t early) {
        WrittenLog log = newLog();
        log.call(kA, Word::Acquire).make(kA).pass(2 * kLease).acquireWithFence(kB, early);
        log.answer(kA, Word::Acquire);
        log.log().entries.back().answer.fence = late;
        return log;
    };
    const auto isDisorder = [](const Breach& breach) {
        return breach.violation.kind == ViolationKind::FenceDisorder;
    };
    QVERIFY(std::ranges::none_of(judged(grantedBoth(7, 8)), isDisorder));
    QVERIFY(std::ranges::any_of(judged(grantedBoth(8, 7)), isDisorder));
}

/// Not its own request granted it, but the release of the one before.
void TestJudgeParties::theNumberOfALockThatIsHandedOverIsInOrder()
{
    const auto handedOver = [](std::int64_t first, std::int64_t second) {
        WrittenLog log = newLog();
        log.call(kA, Word::Acquire).acquireWithFence(kB, first);
        log.look(kA).call(kB, Word::Release).look(kB).answer(kB, Word::Release);
        log.answer(kA, Word::Acquire);
        log.log().entries.back().answer.fence = second;
        return log;
    };
    QVERIFY(judged(handedOver(1, 2)).empty());
    QVERIFY(isOnly(judged(handedOver(2, 2)), ViolationKind::FenceDisorder, Promise::FencingOrder));
    // It had it after B in any case.
    WrittenLog log = newLog();
    log.acquireWithFence(kB, 2).call(kA, Word::Acquire).look(kA);
    log.call(kB, Word::Release).look(kB).answer(kB, Word::Release).answer(kA, Word::Acquire);
    log.log().entries.back().answer.fence = 1;
    QVERIFY(isOnly(judged(log), ViolationKind::FenceDisorder, Promise::FencingOrder));
}

/// Its answer was lost, the library asked once more, and says no: also when it is asked again.
void TestJudgeParties::whatNobodyWasToldOfLastsALease()
{
    const auto refusedAfter = [](Duration span) {
        WrittenLog log = newLog();
        log.call(kA, Word::Acquire).make(kA).answer(kA, Word::Acquire, Answers::No);
        return judged(log.pass(100ms).acquireInVain(kA).pass(span).acquireInVain(kB));
    };
    QVERIFY(refusedAfter(kLease / 2).empty());
    QVERIFY(isOnly(refusedAfter(2 * kLease), ViolationKind::Orphan, Promise::NoStuckLock));
}

void TestJudgeParties::aRequestThatComesLateLastsALease()
{
    const auto refusedAfter = [](Duration span) {
        WrittenLog log = newLog();
        log.call(kB, Word::Acquire).answer(kB, Word::Acquire, Answers::Error).pass(2 * kLease);
        return judged(log.make(kB).pass(span).acquireInVain(kB));
    };
    QVERIFY(refusedAfter(kLease / 2).empty());
    QVERIFY(isOnly(refusedAfter(2 * kLease), ViolationKind::Orphan, Promise::NoStuckLock));
}

/// Although it has had the lock since, and given it back.
void TestJudgeParties::aRequestMayComeLateBehindAnotherHold()
{
    const auto refusedAfter = [](Duration span) {
        WrittenLog log = newLog();
        log.call(kB, Word::Acquire).answer(kB, Word::Acquire, Answers::Error).pass(2 * kLease);
        log.acquire(kB).release(kB); // in the same instant
        return judged(log.make(kB).pass(span).acquireInVain(kB));
    };
    QVERIFY(refusedAfter(kLease / 2).empty());
    QVERIFY(isOnly(refusedAfter(2 * kLease), ViolationKind::Orphan, Promise::NoStuckLock));
}

/// Its place in a queue is still there when the lock is given back, and is handed it.
void TestJudgeParties::aPlaceThatWasLeftIsHandedALease()
{
    for (const int asker : {kC, kB}) { // it or another
        const auto refusedAfter = [asker](Duration span, bool isLost) {
            WrittenLog log = withPlaceLeft(isLost);
            return judged(log.acquireInVain(kC).pass(span).acquireInVain(asker),
                          emptyWorkload(kLease),
                          isLost ? losingRequestOf(kC) : std::vector<Deviation>());
        };
        QVERIFY(refusedAfter(kLease / 2, true).empty());
        QVERIFY(!refusedAfter(2 * kLease, true).empty());
        QVERIFY(!refusedAfter(kLease / 2, false).empty()); // whoever gave up has no place any more
    }
}

/// What it gave back then is to be had at once.
void TestJudgeParties::whatItWasHandedEndsWithItsGrant()
{
    WrittenLog log = withPlaceLeft(true);
    log.acquireAgain(kC).call(kC, Word::Release).look(kC).answer(kC, Word::Release);
    QVERIFY(judged(log, emptyWorkload(kLease), losingRequestOf(kC)).empty());
    log.acquireInVain(kC);
    QVERIFY(isOnly(judged(log, emptyWorkload(kLease), losingRequestOf(kC)), ViolationKind::Orphan,
                   Promise::NoStuckLock));
}

/// What ends by itself is no lock that never ends, whatever stays beside it.
void TestJudgeParties::aLockWithACounterBesideItIsNotPermanent()
{
    const auto leftWith = [](Duration lease) {
        WrittenLog log = newLog();
        log.call(kA, Word::Acquire).make(kA).renewFor(kA, lease).end(kA);
        log.pass(2 * kLease).acquireInVain(kB);
        for (conduct::LogEntry& entry : log.log().entries) {
            for (conduct::LockEffect& keys : entry.effects) {
                keys.isPermanent = true;
            }
        }
        return judged(log);
    };
    QVERIFY(isOnly(leftWith(4 * kLease), ViolationKind::Orphan, Promise::NoStuckLock));
    QVERIFY(isOnly(leftWith(kLease), ViolationKind::PermanentLock, Promise::NoStuckLock));
}

/// A release hands the lock to a waiter that has died meanwhile.
/// C sleeps on, whatever is left of the lock: B has had it since C asked.
void TestJudgeParties::whatOthersGotMeanwhileIsFree()
{
    const auto givenBack = [](WrittenLog& log, int process) {
        log.call(process, Word::Release).look(process).answer(process, Word::Release);
    };
    Workload waiting = emptyWorkload(kLease);
    waiting.waitMax = 10s;
    WrittenLog log(kLease);
    log.call(kA, Word::Acquire).makeForEver(kA).answer(kA, Word::Acquire);
    log.call(kC, Word::Acquire).look(kC).pass(1s);
    givenBack(log, kA);
    WrittenLog refused = log;
    log.call(kB, Word::Acquire).look(kB).answer(kB, Word::Acquire);
    givenBack(log, kB);
    log.pass(kLease * 4);
    QVERIFY(isOnly(judged(log, waiting), ViolationKind::LostWakeup, Promise::NoLostWakeup));
    refused.pass(kLease * 4);
    QVERIFY(isOnly(judged(refused, waiting), ViolationKind::PermanentLock, Promise::NoStuckLock));
}

void TestJudgeParties::whatIsHandedToTheDeadLastsALease()
{
    const auto refusedAfter = [](Duration span) {
        WrittenLog log = newLog();
        log.acquire(kA).call(kB, Word::Acquire).look(kB).end(kB).pass(kLease * 3 / 4);
        log.call(kA, Word::Release).look(kA).answer(kA, Word::Release);
        return judged(log.pass(span).acquireInVain(kC));
    };
    QVERIFY(refusedAfter(kLease).empty());
    QVERIFY(isOnly(refusedAfter(kLease * 4 / 3), ViolationKind::Orphan, Promise::NoStuckLock));
}

void TestJudgeParties::whatTheAskerRenewedItselfIsNotKeptAlive()
{
    WrittenLog log = newLog();
    log.acquire(kA).end(kA).pass(2 * kLease).acquire(kC).renew(kC);
    log.call(kC, Word::Release).look(kC).answer(kC, Word::Release).pass(2 * kLease);
    QVERIFY(isOnly(judged(log.acquireInVain(kC)), ViolationKind::Orphan, Promise::NoStuckLock));
}

void TestJudgeParties::aNestedHoldMayHaveTheSameNumber()
{
    WrittenLog log = newLog();
    log.acquireWithFence(kA, 7).acquireAgain(kA);
    log.log().entries.back().answer.fence = 7;
    QVERIFY(judged(log).empty());
}

void TestJudgeParties::whoeverWaitsLongestIsNext()
{
    QVERIFY(judged(queued(kB), fair()).empty());
    const auto breaches = judged(queued(kC), fair());
    QVERIFY(isOnly(breaches, ViolationKind::Starvation, Promise::Fairness));
    QCOMPARE(breaches.front().violation.client, kB);
    QCOMPARE(breaches.front().violation.other, kC);
}

void TestJudgeParties::unfairLocksMayDoAsTheyLike()
{
    Workload workload = fair();
    workload.traits.vocabulary.isFair = false;
    QVERIFY(judged(queued(kC), workload).empty());
}

void TestJudgeParties::aHinderedWaiterMayBePassedOver()
{
    Deviation pause;
    pause.kind = Interference::Pause;
    pause.message.process = kB;
    WrittenLog log = newLog();
    log.acquire(kA).call(kB, Word::Acquire).look(kB).interfere(kB);
    log.call(kC, Word::Acquire).look(kC).release(kA).make(kC).answer(kC, Word::Acquire).letGo(kB);
    QVERIFY(judged(log, fair(), {pause}).empty());
}

/// Its third server heard of it late: the lease is as old as the second.
void TestJudgeParties::aMajorityMakesTheLease()
{
    WrittenLog log = newLog();
    log.call(kA, Word::Acquire).atServer(0).make(kA).atServer(1).make(kA);
    log.answer(kA, Word::Acquire).pass(1500ms).atServer(2).renew(kA).pass(1s);
    log.acquire(kB);
    const auto breaches = judged(log, withServers(3));
    QCOMPARE(breaches.size(), 1u);
    QVERIFY(breaches.front().isInherent);
    QVERIFY(!judged(log, withServers(3)).front().isByFailOver);

    WrittenLog early = newLog();
    early.call(kA, Word::Acquire).atServer(0).make(kA).atServer(1).make(kA);
    early.answer(kA, Word::Acquire).pass(1s).acquire(kB);
    QVERIFY(isOnly(judged(early, withServers(3)), ViolationKind::DoubleGrant,
                   Promise::MutualExclusion));
}

/// B gets one vote of three, in vain; what A renews on the other servers is still its own.
void TestJudgeParties::aVoteOfARivalEndsNoLease()
{
    WrittenLog log = newLog();
    log.call(kA, Word::Acquire).atServer(0).make(kA).expire().atServer(1).make(kA);
    log.answer(kA, Word::Acquire).pass(kLease / 2);
    log.call(kB, Word::Acquire).atServer(2).expire().make(kB);
    log.answer(kB, Word::Acquire, Answers::No);
    log.atServer(0).renew(kA).atServer(1).renew(kA).pass(kLease * 3 / 4);
    log.call(kB, Word::Acquire).atServer(2).expire().make(kB).answer(kB, Word::Acquire);
    QVERIFY(isOnly(judged(log, withServers(3)), ViolationKind::DoubleGrant,
                   Promise::MutualExclusion));
}

void TestJudgeParties::aFailoverIsALimit()
{
    const auto breaches = judged(lostInAFailover(false), emptyWorkload(kLease), failingOver());
    QCOMPARE(breaches.size(), 1u);
    QVERIFY(breaches.front().isInherent && breaches.front().isByFailOver);
}

/// Its lease was over when it took the lock once more: the server counts one, as it must.
void TestJudgeParties::whatIsOverIsNotTakenTwice()
{
    WrittenLog log(kLease);
    log.acquire(kA).pass(2 * kLease).expire().acquire(kA).release(kA).acquire(kB);
    for (const Breach& breach : judged(log)) {
        QVERIFY(breach.isInherent);
    }
}

/// The replica had the second half of what A took twice, or the first.
void TestJudgeParties::halfOfAHoldMayBeLostByAFailover()
{
    WrittenLog log(kLease);
    log.acquire(kA).interfere(kA).letGo(kA).pass(1ms);
    log.call(kA, Word::Acquire).renew(kA).answer(kA, Word::Acquire).release(kA).acquire(kB);
    const auto breaches = judged(log, emptyWorkload(kLease), failingOver());
    QCOMPARE(breaches.size(), 1u);
    QVERIFY(breaches.front().isInherent && breaches.front().isByFailOver);
}

void TestJudgeParties::aFailoverIsNoExcuseForWhoKnew()
{
    QVERIFY(isOnly(judged(lostInAFailover(true), emptyWorkload(kLease), failingOver()),
                   ViolationKind::DoubleGrant, Promise::MutualExclusion));
}

void TestJudgeParties::whatAReplicaBringsBackLastsALease()
{
    WrittenLog log = newLog();
    log.acquire(kA).call(kA, Word::Release).interfere(kA).remove(kA).answer(kA, Word::Release);
    log.letGo(kA).acquireInVain(kB);
    QVERIFY(judged(log, emptyWorkload(kLease), failingOver()).empty());
    log.pass(kLonger).pass(1s).call(kB, Word::Acquire).renew(kB);
    log.answer(kB, Word::Acquire, Answers::No);
    QCOMPARE(judged(log, emptyWorkload(kLease), failingOver()).size(), 1u);
}

void TestJudgeParties::aLossOfWhatWasGivenBackIsNone()
{
    WrittenLog log = newLog();
    log.acquire(kA).release(kA).tellLoss(kA);
    QVERIFY(isOnly(judged(log), ViolationKind::FalseLoss, Promise::LeaseHonesty));
}

void TestJudgeParties::aLossInTheMiddleOfALeaseIsNone()
{
    const auto kind = ViolationKind::FalseLoss;
    QVERIFY(isOnly(judged(newLog().acquire(kA).tellLoss(kA)), kind, Promise::LeaseHonesty));
    QVERIFY(isOnly(judged(newLog().acquire(kA).held(kA, Answers::No)), kind,
                   Promise::LeaseHonesty));
    QVERIFY(judged(newLog().acquire(kA).remove(kB).tellLoss(kA)).empty()); // it is right
}

void TestJudgeParties::aLossAfterTheLeaseIsOne()
{
    QVERIFY(judged(newLog().acquire(kA).pass(1500ms).tellLoss(kA)).empty()); // better early
    QVERIFY(judged(newLog().acquire(kA).pass(kLonger).tellLoss(kA)).empty());
    QVERIFY(judged(newLog().acquire(kA).release(kA).pass(kLonger).tellLoss(kA)).empty());
}

void TestJudgeParties::aHinderedHolderMayBeCautious()
{
    Deviation loss;
    loss.kind = Interference::LoseReply;
    QVERIFY(judged(newLog().acquire(kA).interfere(kA).tellLoss(kA), emptyWorkload(kLease), {loss})
                .empty());
}

/// B's request is not seen to take anything, but B is told that it has the lock; then A hears of
/// what it was granted long ago.
void TestJudgeParties::aPlaceInAKeyThatStaysLastsALease()
{
    WrittenLog log = newLog();
    log.call(kA, Word::Acquire).makeForEver(kA).interfere(kA).pass(kLease + 1s);
    log.acquireAgain(kB).letGo(kA).answer(kA, Word::Acquire);
    log.call(kB, Word::Extend).look(kB).answer(kB, Word::Extend);
    const auto breaches = judged(log, emptyWorkload(kLease), losingRequestOf(kA));
    QVERIFY(isOnly(breaches, ViolationKind::DishonestLease, Promise::LeaseHonesty));
    QCOMPARE(breaches.front().violation.client, kA);
}

LOCKSCOPE_TEST(TestJudgeParties, None)

} // namespace lockscope::tst_judge_parties

#include "tst_judge_parties.moc"
