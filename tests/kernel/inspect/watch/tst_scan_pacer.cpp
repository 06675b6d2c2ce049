#include "core/kernel/inspect/watch/scan_pacer.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_scan_pacer {

using namespace std::chrono_literals;
using inspect::ScanPacer;

class TestScanPacer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cheapCallsGrowThePageToItsBound();
    void slowCallsShrinkItToItsBound();
    void oneSlowAnswerHalvesItAtMost();
    void aMeasurementBelowZeroCountsAsCheap();
    void itSettlesWhereACallTakesTheTarget();
    void aServerFarAwayHasLargerPagesWithinABound();
};

void TestScanPacer::cheapCallsGrowThePageToItsBound()
{
    ScanPacer pacer;
    QCOMPARE(pacer.count(), ScanPacer::kCountFirst);
    for (int i = 0; i < 100; ++i) {
        const std::uint32_t before = pacer.count();
        pacer.sawCall(1us);
        QVERIFY(pacer.count() >= before);
    }
    QCOMPARE(pacer.count(), ScanPacer::kCountMax);
}

void TestScanPacer::slowCallsShrinkItToItsBound()
{
    ScanPacer pacer;
    for (int i = 0; i < 100; ++i) {
        pacer.sawCall(1s);
    }
    QCOMPARE(pacer.count(), ScanPacer::kCountMin);
}

void TestScanPacer::oneSlowAnswerHalvesItAtMost()
{
    ScanPacer pacer;
    pacer.sawCall(1h);
    QCOMPARE(pacer.count(), ScanPacer::kCountFirst / 2);
}

void TestScanPacer::aMeasurementBelowZeroCountsAsCheap()
{
    ScanPacer pacer;
    pacer.sawCall(-5ms); // the round trip that is subtracted was slower than this call
    QVERIFY(pacer.count() > ScanPacer::kCountFirst);
    QVERIFY(pacer.count() <= ScanPacer::kCountMax);
}

void TestScanPacer::itSettlesWhereACallTakesTheTarget()
{
    constexpr Duration kPerKey = 2us;
    ScanPacer pacer;
    for (int i = 0; i < 50; ++i) {
        pacer.sawCall(kPerKey * pacer.count());
    }
    const Duration spent = kPerKey * pacer.count();
    QVERIFY2(spent > pacer.target() * 9 / 10 && spent <= pacer.target(),
             std::to_string(spent.count()).c_str());
}

void TestScanPacer::aServerFarAwayHasLargerPagesWithinABound()
{
    QCOMPARE(ScanPacer(100us).target(), 150us);
    QCOMPARE(ScanPacer(4ms).target(), 200us);
    QCOMPARE(ScanPacer(300ms).target(), 250us);
    ScanPacer near;
    ScanPacer far(300ms);
    for (int i = 0; i < 50; ++i) {
        near.sawCall(1us * near.count());
        far.sawCall(1us * far.count());
    }
    QVERIFY(far.count() > near.count() * 4 / 3);
}

LOCKSCOPE_TEST(TestScanPacer, Core)

} // namespace lockscope::tst_scan_pacer

#include "tst_scan_pacer.moc"
