#include "core/kernel/inspect/watch/lease_growth.h"
#include "tests/kernel/inspect/lock_book_bench.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <vector>

namespace lockscope::tst_lease_growth {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;

class TestLeaseGrowth : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLeaseOfMonthsIsAbsurd();
    void renewalsThatAddToWhatIsLeftAreSeen();
    void growthInSmallStepsIsSeenAfterFive();
    void oneLongerRenewalIsNoGrowth();
    void anEvenWatchdogNeverGrows();
    void whatIsLeftAtTheFirstLookIsNoLease();
};

namespace {

/// Renews every `every` to these leases, after the first; returns whether it is flagged then.
bool isFlagged(const std::vector<Duration>& leases, Duration every, bool isLive = true)
{
    LockBookBench bench(1, isLive);
    Instant now = kStart;
    for (const Duration lease : leases) {
        bench.seeToken(kAlice, lease, now);
        now += every;
    }
    return bench.row()->flags.has(Flag::GrowingLease);
}

bool isAbsurd(Duration lease)
{
    LockBookBench bench;
    bench.seeToken(kAlice, lease, kStart);
    return bench.row()->flags.has(Flag::AbsurdLease);
}

} // namespace

void TestLeaseGrowth::aLeaseOfMonthsIsAbsurd()
{
    QVERIFY(isAbsurd(19'999'999'845s)); // nanoseconds taken for seconds
    QVERIFY(isAbsurd(30'000'000s));
    QVERIFY(!isAbsurd(std::chrono::days(31))); // the mark of a job that runs once a month
    QVERIFY(!isAbsurd(24h));                   // and of Laravel's scheduler
    QVERIFY(!isAbsurd(30s));
    LockBookBench data;
    data.see(stringKey("lock:owner:42", "no", std::chrono::days(365)));
    const LockPtr row = data.row("lock:owner:42");
    QVERIFY(!row || !row->flags.has(Flag::ProbablyData) || !row->flags.has(Flag::AbsurdLease));
}

void TestLeaseGrowth::renewalsThatAddToWhatIsLeftAreSeen()
{
    QVERIFY(!isFlagged({4s, 8s}, 1s));
    QVERIFY(isFlagged({4s, 8s, 12s, 16s}, 1s));
    LockBookBench bench;
    bench.seeToken(kAlice, 4s, kStart);
    bench.seeToken(kAlice, 8s, kStart + 1s);
    bench.seeToken(kAlice, 12s, kStart + 2s);
    QVERIFY(bench.row()->flags.has(Flag::GrowingLease));
    bench.seeToken(kAlice, 11s, kStart + 3s); // still growing, as far as is known
    QVERIFY(bench.row()->flags.has(Flag::GrowingLease));
    bench.seeToken(kBob, 4s, kStart + 4s); // another hold
    QVERIFY(!bench.row()->flags.has(Flag::GrowingLease));
}

void TestLeaseGrowth::growthInSmallStepsIsSeenAfterFive()
{
    QVERIFY(!isFlagged({60s, 70s, 80s, 90s, 100s}, 50s));
    QVERIFY(isFlagged({60s, 70s, 80s, 90s, 100s, 110s}, 50s));
}

void TestLeaseGrowth::oneLongerRenewalIsNoGrowth()
{
    QVERIFY(!isFlagged({10s, 60s, 60s, 60s, 60s, 60s, 60s}, 5s));
}

void TestLeaseGrowth::anEvenWatchdogNeverGrows()
{
    QVERIFY(!isFlagged({30s, 30s, 29'900ms, 30s, 29'800ms, 29'950ms, 30s, 30s}, 10s));
}

void TestLeaseGrowth::whatIsLeftAtTheFirstLookIsNoLease()
{
    QVERIFY(!isFlagged({2s, 30s, 30s}, 1s, false));
    QVERIFY(isFlagged({2s, 30s, 60s, 90s}, 1s, false));
}

LOCKSCOPE_TEST(TestLeaseGrowth, Core)

} // namespace lockscope::tst_lease_growth

#include "tst_lease_growth.moc"
