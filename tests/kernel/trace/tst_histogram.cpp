#include "core/kernel/base/rng.h"
#include "core/kernel/trace/histogram.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <vector>

namespace lockscope::tst_histogram {

using namespace std::chrono_literals;
using trace::Histogram;

class TestHistogram : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void emptyIsZero();
    void shortDurationsAreExact();
    void quantilesAreWithinOnePercent();
    void everyDurationLiesInItsBar();
    void theLongestIsKeptExactly();
    void mergingIsAddingAllOfBoth();
};

void TestHistogram::emptyIsZero()
{
    const Histogram histogram;
    QCOMPARE(histogram.count(), 0u);
    QCOMPARE(histogram.quantile(0.5), Duration(0));
    QCOMPARE(histogram.max(), Duration(0));
}

void TestHistogram::shortDurationsAreExact()
{
    Histogram histogram;
    for (int us = 1; us <= 100; ++us) {
        histogram.add(Duration(us));
    }
    QCOMPARE(histogram.quantile(0.5), 50us);
    QCOMPARE(histogram.quantile(0.99), 99us);
    QCOMPARE(histogram.quantile(1), 100us);
    QCOMPARE(histogram.quantile(0), 1us);
}

void TestHistogram::quantilesAreWithinOnePercent()
{
    constexpr std::uint64_t kSeed = 4711;
    Rng rng(kSeed);
    Histogram histogram;
    std::vector<Duration> values;
    for (int i = 0; i < 10'000; ++i) {
        const Duration longest(1LL << rng.below(34));
        values.push_back(rng.between(Duration(0), longest));
        histogram.add(values.back());
    }
    std::sort(values.begin(), values.end());
    for (const double share : {0.01, 0.25, 0.5, 0.9, 0.99, 0.999}) {
        const auto rank = static_cast<std::size_t>(share * static_cast<double>(values.size()));
        const auto exact = static_cast<double>(values[rank - 1].count());
        const auto said = static_cast<double>(histogram.quantile(share).count());
        QVERIFY2(std::abs(said - exact) <= 0.01 * exact + 1,
                 qPrintable(QStringLiteral("seed %1, share %2: %3 instead of %4")
                                .arg(kSeed)
                                .arg(share)
                                .arg(said)
                                .arg(exact)));
    }
}

void TestHistogram::everyDurationLiesInItsBar()
{
    for (const Duration value : {Duration(0), Duration(127), Duration(128), Duration(129),
                                 Duration(255), Duration(256), Duration(1'000'000)}) {
        Histogram histogram;
        histogram.add(value);
        std::size_t hits = 0;
        for (std::size_t i = 0; i < Histogram::kBarCount; ++i) {
            const Histogram::Bar bar = histogram.barAt(i);
            hits += bar.count;
            if (bar.count > 0) {
                QCOMPARE_LE(bar.from, value);
                QCOMPARE_GT(bar.to, value);
            }
        }
        QCOMPARE(hits, std::size_t{1});
    }
}

void TestHistogram::theLongestIsKeptExactly()
{
    Histogram histogram;
    histogram.add(std::chrono::hours(100));
    QCOMPARE(histogram.max(), Duration(std::chrono::hours(100)));
    QCOMPARE_LE(histogram.quantile(0.5), Duration(std::chrono::hours(100)));
    QCOMPARE_GE(histogram.quantile(0.5), Duration(std::chrono::hours(18)));
}

void TestHistogram::mergingIsAddingAllOfBoth()
{
    Histogram one;
    Histogram other;
    one.add(10us);
    other.add(30us);
    other.add(20us);
    one.merge(other);
    QCOMPARE(one.count(), 3u);
    QCOMPARE(one.quantile(0.5), 20us);
    QCOMPARE(one.max(), 30us);
}

LOCKSCOPE_TEST(TestHistogram, Core)

} // namespace lockscope::tst_histogram

#include "tst_histogram.moc"
