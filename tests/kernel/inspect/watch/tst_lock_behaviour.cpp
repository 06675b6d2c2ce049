#include "tests/kernel/inspect/lock_book_bench.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

namespace lockscope::tst_lock_behaviour {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;

namespace {

/// A plain name: only what happens to the key says that it is a lock.
const Bytes kKey = "order:42";
const Bytes kFirst = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";
const Bytes kSecond = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";

struct Bench : LockBookBench {
    using LockBookBench::LockBookBench;

    Instant at = kStart;

    /// Its time to live is set to `lease` now, and then after every pause.
    void live(const Bytes& token, Duration lease, const std::vector<Duration>& pauses)
    {
        see(stringKey(kKey, token, lease, at));
        for (const Duration pause : pauses) {
            at += pause;
            see(stringKey(kKey, token, lease, at));
        }
    }
    void end()
    {
        at += 1s;
        see(missing(kKey, at));
    }
    Confidence confidence() const { return row(kKey)->confidence; }
    bool hasEvidence(std::string_view sentence) const
    {
        const Evidence& evidence = row(kKey)->evidence();
        for (std::size_t i = 0; i < evidence.count(); ++i) {
            if (evidence.at(i) == sentence) {
                return true;
            }
        }
        return false;
    }
};

} // namespace

class TestLockBehaviour : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsRenewedAndTakenByTheNextIsALock();
    void aHandOverWithoutAGapCounts();
    void theNextHoldsAreLocksAtOnce();
    void oneHoldAloneProvesNothing();
    void whatIsProlongedByItsUseIsNoLock();
    void theSameTokenIsNoOtherOwner();
    void anotherFormIsNoNextHold();
    void whatWasThereBeforeWeLookedIsNoNextHold();
};

void TestLockBehaviour::whatIsRenewedAndTakenByTheNextIsALock()
{
    Bench bench;
    bench.live(kFirst, 30s, {10s, 10s, 10s});
    QVERIFY(bench.confidence() == Confidence::Low);
    bench.end();
    bench.at += 1s;
    bench.live(kSecond, 30s, {});
    QVERIFY(bench.confidence() == Confidence::Medium);
    QVERIFY(bench.hasEvidence("it was renewed like a lock"));
    QVERIFY(bench.hasEvidence("it was released and taken again by another owner"));
    static_cast<void>(bench.news());
    bench.see(stringKey(kKey, kSecond, 30s, bench.at));
    QVERIFY(bench.news().empty());
}

void TestLockBehaviour::aHandOverWithoutAGapCounts()
{
    Bench bench;
    bench.live(kFirst, 30s, {10s, 10s});
    bench.live(kSecond, 30s, {});
    QVERIFY(bench.confidence() == Confidence::Medium);
}

void TestLockBehaviour::theNextHoldsAreLocksAtOnce()
{
    Bench bench;
    bench.live(kFirst, 30s, {10s, 10s});
    bench.end();
    bench.live(kSecond, 30s, {});
    bench.end();
    bench.live("77777777-4e5f-4a6b-8c7d-9e0f1a2b3c4d", 30s, {});
    QVERIFY(bench.confidence() == Confidence::Medium);
}

void TestLockBehaviour::oneHoldAloneProvesNothing()
{
    Bench bench;
    bench.live(kFirst, 30s, {10s, 10s, 10s, 10s});
    QVERIFY(bench.confidence() == Confidence::Low);
    Bench unrenewed;
    unrenewed.live(kFirst, 30s, {});
    unrenewed.end();
    unrenewed.live(kSecond, 30s, {});
    QVERIFY(unrenewed.confidence() == Confidence::Low);
}

void TestLockBehaviour::whatIsProlongedByItsUseIsNoLock()
{
    Bench bench;
    bench.live(kFirst, 1800s, {20s, 900s, 300s});
    bench.end();
    bench.live(kSecond, 1800s, {});
    QVERIFY(bench.confidence() == Confidence::Low);
}

void TestLockBehaviour::theSameTokenIsNoOtherOwner()
{
    Bench bench;
    bench.live(kFirst, 30s, {10s, 10s});
    bench.end();
    bench.live(kFirst, 30s, {});
    QVERIFY(bench.confidence() == Confidence::Low);
}

void TestLockBehaviour::anotherFormIsNoNextHold()
{
    Bench bench;
    bench.live(kFirst, 30s, {10s, 10s});
    bench.end();
    bench.live(kSecond + ":worker-7", 30s, {});
    QVERIFY(bench.row(kKey) == nullptr || bench.confidence() == Confidence::Low);
}

void TestLockBehaviour::whatWasThereBeforeWeLookedIsNoNextHold()
{
    Bench bench(1, false);
    bench.live(kFirst, 30s, {10s, 10s});
    bench.end();
    bench.live(kSecond, 30s, {});
    QVERIFY(bench.confidence() == Confidence::Low);
}

LOCKSCOPE_TEST(TestLockBehaviour, Core)

} // namespace lockscope::tst_lock_behaviour

#include "tst_lock_behaviour.moc"
