#include "core/kernel/base/rng.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <array>
#include <limits>
#include <set>

namespace lockscope::tst_rng {

using namespace std::chrono_literals;

class TestRng : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void seedZeroGivesThePublishedNumbers();
    void theSameSeedGivesTheSameNumbers();
    void everyNumberBelowTheBoundOccursAboutEquallyOften();
    void aBoundOfOneGivesZero();
    void hugeBoundsAreNotExceeded();
    void durationsStayBetweenTheirEndsAndReachThem();
    void theWholeRangeOfDurationsCanBeAskedFor();
    void splitsAreIndependentOfEachOther();
    void fractionsFillTheUnitInterval();
};

void TestRng::seedZeroGivesThePublishedNumbers()
{
    // What other implementations of xoshiro256** print when SplitMix64 fills the state from seed 0.
    Rng rng(0);
    QCOMPARE(rng.next(), 11091344671253066420U);
    QCOMPARE(rng.next(), 13793997310169335082U);
    QCOMPARE(rng.next(), 1900383378846508768U);
    QCOMPARE(rng.next(), 7684712102626143532U);
}

void TestRng::theSameSeedGivesTheSameNumbers()
{
    Rng one(42);
    Rng same(42);
    Rng other(43);
    int differences = 0;
    for (int i = 0; i < 100; ++i) {
        const std::uint64_t number = one.next();
        QCOMPARE(same.next(), number);
        differences += other.next() == number ? 0 : 1;
    }
    QCOMPARE(differences, 100);
}

void TestRng::everyNumberBelowTheBoundOccursAboutEquallyOften()
{
    Rng rng(7);
    std::array<int, 6> counts{};
    for (int i = 0; i < 60000; ++i) {
        ++counts.at(rng.below(counts.size()));
    }
    for (const int count : counts) {
        // Ten thousand expected, with a standard deviation of 91.
        QVERIFY2(count > 9500 && count < 10500, qPrintable(QString::number(count)));
    }
}

void TestRng::aBoundOfOneGivesZero()
{
    Rng rng(1);
    QCOMPARE(rng.below(1), 0U);
}

void TestRng::hugeBoundsAreNotExceeded()
{
    Rng rng(2);
    const std::uint64_t bound = (std::uint64_t{1} << 63U) + 1; // nearly half of all draws are drawn
                                                               // again
    for (int i = 0; i < 1000; ++i) {
        QVERIFY(rng.below(bound) < bound);
    }
}

void TestRng::durationsStayBetweenTheirEndsAndReachThem()
{
    Rng rng(3);
    std::set<Duration> seen;
    for (int i = 0; i < 1000; ++i) {
        seen.insert(rng.between(-2us, 3us));
    }
    QCOMPARE(seen, (std::set<Duration>{-2us, -1us, 0us, 1us, 2us, 3us}));
    QCOMPARE(rng.between(5ms, 5ms), Duration(5ms));
}

void TestRng::theWholeRangeOfDurationsCanBeAskedFor()
{
    Rng rng(4);
    bool isNegativeSeen = false;
    bool isPositiveSeen = false;
    for (int i = 0; i < 100; ++i) {
        const Duration drawn = rng.between(Duration::min(), Duration::max());
        isNegativeSeen |= drawn < Duration(0);
        isPositiveSeen |= drawn > Duration(0);
    }
    QVERIFY(isNegativeSeen && isPositiveSeen);
}

void TestRng::splitsAreIndependentOfEachOther()
{
    Rng rng(5);
    Rng first = rng.split();
    Rng second = rng.split();
    std::set<std::uint64_t> seen;
    for (int i = 0; i < 100; ++i) {
        seen.insert(rng.next());
        seen.insert(first.next());
        seen.insert(second.next());
    }
    QCOMPARE(seen.size(), 300U);

    // What one split draws does not change what the other gives.
    Rng again(5);
    Rng idle = again.split();
    Q_UNUSED(idle)
    Rng untouched = again.split();
    Rng reference = Rng(5);
    reference.split();
    QCOMPARE(untouched.next(), reference.split().next());
}

void TestRng::fractionsFillTheUnitInterval()
{
    Rng rng(1);
    double sum = 0;
    constexpr int kCount = 10'000;
    for (int i = 0; i < kCount; ++i) {
        const double fraction = rng.fraction();
        QVERIFY(fraction >= 0 && fraction < 1);
        sum += fraction;
    }
    QVERIFY(sum > 0.48 * kCount && sum < 0.52 * kCount);
}

LOCKSCOPE_TEST(TestRng, Core)

} // namespace lockscope::tst_rng

#include "tst_rng.moc"
