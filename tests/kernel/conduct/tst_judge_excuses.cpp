// A fault excuses the call that it touched, and the keys that this call may have left.

#include "core/kernel/conduct/judge.h"
#include "tests/kernel/conduct/written_log.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <chrono>
#include <vector>

namespace lockscope::tst_judge_excuses {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using conduct::Breach;
using conduct::Deviation;
using conduct::Interference;
using conduct::Word;
using protocol::Promise;
using world::ViolationKind;
using Answers = conduct::Answer::Kind;

namespace {

constexpr Duration kLease = 2s;
constexpr Duration kSurely = 2600ms; // longer than the lock may outlive its holder
constexpr int kA = 0;
constexpr int kB = 1;

WrittenLog newLog()
{
    return WrittenLog(kLease);
}

/// All faults of the log are of this kind, and touch A.
std::vector<Breach> judged(const WrittenLog& log, Interference kind = Interference::LoseReply)
{
    Deviation deviation;
    deviation.kind = kind;
    deviation.message.process = kA;
    return conduct::judge(log.log(), emptyWorkload(kLease), std::vector{deviation});
}

bool isOnly(const std::vector<Breach>& breaches, ViolationKind kind, Promise promise)
{
    return breaches.size() == 1 && breaches.front().violation.kind == kind
           && breaches.front().violation.promise == promise && !breaches.front().isInherent;
}

bool isOrphan(const std::vector<Breach>& breaches)
{
    return isOnly(breaches, ViolationKind::Orphan, Promise::NoStuckLock);
}

/// The release is answered, but the lock stays on the server.
WrittenLog& releaseInVain(WrittenLog& log, Answers answer = Answers::Yes)
{
    return log.call(kA, Word::Release).look(kA).answer(kA, Word::Release, answer);
}

/// The answer to HINCRBY is lost, the library sends it once more, and the server counts two holds.
WrittenLog countedTwice()
{
    WrittenLog log = newLog();
    log.call(kA, Word::Acquire).make(kA).interfere(kA).renew(kA).answer(kA, Word::Acquire);
    return log;
}

} // namespace

class TestJudgeExcuses : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRepeatedHincrbyLeavesAnOrphan();
    void aDisturbedReleaseIsExcusedForALease();
    void aReleaseThatBeginsDuringAFaultIsDisturbed();
    void aReleaseOnceMoreHasToDoWhatItSays();
    void aFaultBetweenTwoCallsExcusesNeither();
    void aFaultAfterTheReleaseExcusesNothing();
    void anUnansweredAcquireLeavesALease();
    void anUnansweredNestedAcquireLeavesALease();
    void aDisturbedRefusalLeavesALease();
    void anUndisturbedExtensionEndsTheDoubt();
    void aDisturbedExtensionLeavesTheDoubt();
    void aLossAfterAnUndisturbedReleaseIsNone();
    void aReaderIsNoExcuseForTheLossOfAnother();
};

void TestJudgeExcuses::aRepeatedHincrbyLeavesAnOrphan()
{
    WrittenLog log = countedTwice();
    releaseInVain(log.pass(100ms)).acquireInVain(kB);
    const auto breaches = judged(log);
    QVERIFY(isOrphan(breaches));
    QCOMPARE(breaches.front().violation.client, kB);
    QCOMPARE(breaches.front().violation.otherSince, Instant(100ms)); // not a lease later
    // A library that counts once is right.
    QVERIFY(judged(countedTwice().release(kA).acquire(kB)).empty());
}

void TestJudgeExcuses::aDisturbedReleaseIsExcusedForALease()
{
    WrittenLog log = newLog();
    log.acquire(kA).call(kA, Word::Release).interfere(kA).answer(kA, Word::Release);
    log.acquireInVain(kB);
    QVERIFY(judged(log, Interference::LoseRequest).empty());
    log.pass(kSurely).acquireInVain(kB);
    const auto breaches = judged(log, Interference::LoseRequest);
    QVERIFY(isOrphan(breaches));
    QCOMPARE(breaches.front().violation.otherSince, Instant(kLease + kLease / 4));
}

void TestJudgeExcuses::aReleaseThatBeginsDuringAFaultIsDisturbed()
{
    WrittenLog log = newLog();
    log.acquire(kA).interfere(kA).call(kA, Word::Release).letGo(kA).look(kA);
    log.answer(kA, Word::Release).acquireInVain(kB);
    QVERIFY(judged(log, Interference::Isolate).empty());
    QVERIFY(isOrphan(judged(log.pass(kSurely).acquireInVain(kB), Interference::Isolate)));
}

void TestJudgeExcuses::aReleaseOnceMoreHasToDoWhatItSays()
{
    WrittenLog log = newLog();
    log.acquire(kA).call(kA, Word::Release).interfere(kA);
    log.answer(kA, Word::Release, Answers::Error);
    WrittenLog refused = log;
    QVERIFY(isOrphan(judged(releaseInVain(log).acquireInVain(kB))));
    QVERIFY(judged(releaseInVain(refused, Answers::Error).acquireInVain(kB)).empty());
}

void TestJudgeExcuses::aFaultBetweenTwoCallsExcusesNeither()
{
    WrittenLog log = newLog();
    log.acquire(kA).interfere(kA).pass(100ms).letGo(kA);
    QVERIFY(isOrphan(judged(releaseInVain(log).acquireInVain(kB), Interference::Pause)));
}

void TestJudgeExcuses::aFaultAfterTheReleaseExcusesNothing()
{
    WrittenLog log = newLog();
    log.acquire(kA);
    QVERIFY(isOrphan(judged(releaseInVain(log).interfere(kA).acquireInVain(kB))));
}

void TestJudgeExcuses::anUnansweredAcquireLeavesALease()
{
    WrittenLog log = newLog();
    log.call(kA, Word::Acquire).make(kA).interfere(kA).answer(kA, Word::Acquire, Answers::Error);
    QVERIFY(judged(log.acquireInVain(kB)).empty());
    WrittenLog later = log;
    QVERIFY(isOrphan(judged(later.pass(kSurely).acquireInVain(kB))));
    // The next acquire is undisturbed, and so is its release.
    log.call(kA, Word::Acquire).renew(kA).answer(kA, Word::Acquire);
    QVERIFY(isOrphan(judged(releaseInVain(log).acquireInVain(kB))));
}

void TestJudgeExcuses::anUnansweredNestedAcquireLeavesALease()
{
    const auto refusedAfter = [](Duration span, bool isDisturbed) {
        WrittenLog log = newLog();
        log.acquire(kA).pass(100ms).call(kA, Word::Acquire).renew(kA);
        if (isDisturbed) {
            log.interfere(kA);
        }
        log.answer(kA, Word::Acquire, Answers::Error);
        return judged(releaseInVain(log).pass(span).acquireInVain(kB));
    };
    QVERIFY(refusedAfter(1s, true).empty());
    QVERIFY(isOrphan(refusedAfter(kSurely, true)));
    QVERIFY(isOrphan(refusedAfter(1s, false)));
}

void TestJudgeExcuses::aDisturbedRefusalLeavesALease()
{
    const auto refusedAfter = [](Duration span) {
        WrittenLog log = newLog();
        log.call(kA, Word::Acquire).make(kA).interfere(kA);
        log.answer(kA, Word::Acquire, Answers::No);
        return judged(log.pass(span).acquireInVain(kB));
    };
    QVERIFY(refusedAfter(1s).empty());
    QVERIFY(isOrphan(refusedAfter(kSurely)));
}

void TestJudgeExcuses::anUndisturbedExtensionEndsTheDoubt()
{
    WrittenLog log = newLog();
    log.acquire(kA).interfere(kA);
    QVERIFY(judged(WrittenLog(log).held(kA).tellLoss(kA)).empty()); // `held` may be from memory
    log.call(kA, Word::Extend).renew(kA).answer(kA, Word::Extend).tellLoss(kA);
    QVERIFY(isOnly(judged(log), ViolationKind::FalseLoss, Promise::LeaseHonesty));
}

void TestJudgeExcuses::aDisturbedExtensionLeavesTheDoubt()
{
    WrittenLog log = newLog();
    log.acquire(kA).call(kA, Word::Extend).renew(kA).interfere(kA).answer(kA, Word::Extend);
    QVERIFY(judged(log.tellLoss(kA)).empty());
}

void TestJudgeExcuses::aLossAfterAnUndisturbedReleaseIsNone()
{
    WrittenLog log = newLog();
    log.acquire(kA).interfere(kA).release(kA).tellLoss(kA);
    QVERIFY(isOnly(judged(log), ViolationKind::FalseLoss, Promise::LeaseHonesty));
}

/// Readers that hold together do not conflict, so none of them has lost its hold.
void TestJudgeExcuses::aReaderIsNoExcuseForTheLossOfAnother()
{
    WrittenLog log = newLog();
    for (const int process : {kA, kB}) {
        log.call(process, Word::Acquire, true).make(process).answer(process, Word::Acquire);
    }
    QVERIFY(isOnly(judged(log.tellLoss(kA)), ViolationKind::FalseLoss, Promise::LeaseHonesty));
}

LOCKSCOPE_TEST(TestJudgeExcuses, None)

} // namespace lockscope::tst_judge_excuses

#include "tst_judge_excuses.moc"
