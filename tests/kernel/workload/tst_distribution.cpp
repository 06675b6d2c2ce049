#include "core/kernel/workload/distribution.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_distribution {

using namespace lockscope::workload;
using namespace std::chrono_literals;

class TestDistribution : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void textIsReadAndComesBack_data();
    void textIsReadAndComesBack();
    void nonsenseIsRefused_data();
    void nonsenseIsRefused();
    void aConstantIsAlwaysTheSame();
    void aRangeIsNotLeft();
    void anExponentialHasItsMeanAndItsBound();
};

void TestDistribution::textIsReadAndComesBack_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<Distribution>("distribution");
    QTest::newRow("constant") << std::string("10ms") << Distribution::constant(10ms);
    QTest::newRow("range") << std::string("5ms..20ms") << Distribution::uniform(5ms, 20ms);
    QTest::newRow("exponential") << std::string("~2s") << Distribution::exponential(2s);
}

void TestDistribution::textIsReadAndComesBack()
{
    QFETCH(const std::string, text);
    QFETCH(const Distribution, distribution);
    QVERIFY(parseDistribution(text) == distribution);
    QCOMPARE(toText(distribution), text);
}

void TestDistribution::nonsenseIsRefused_data()
{
    QTest::addColumn<std::string>("text");
    for (const char* text : {"", "~", "10", "20ms..5ms", "..", "5ms..", "~5ms..6ms", "-5ms", "x"}) {
        QTest::newRow(*text == '\0' ? "nothing" : text) << std::string(text);
    }
}

void TestDistribution::nonsenseIsRefused()
{
    QFETCH(const std::string, text);
    QVERIFY(!parseDistribution(text).has_value());
}

void TestDistribution::aConstantIsAlwaysTheSame()
{
    Rng rng(1);
    QCOMPARE(Distribution::constant(7ms).draw(rng), 7ms);
}

void TestDistribution::aRangeIsNotLeft()
{
    Rng rng(1);
    for (int i = 0; i < 1000; ++i) {
        const Duration drawn = Distribution::uniform(5ms, 6ms).draw(rng);
        QVERIFY(drawn >= 5ms && drawn <= 6ms);
    }
}

void TestDistribution::anExponentialHasItsMeanAndItsBound()
{
    Rng rng(1);
    Duration sum{0};
    constexpr int kCount = 20'000;
    for (int i = 0; i < kCount; ++i) {
        const Duration drawn = Distribution::exponential(10ms).draw(rng);
        QVERIFY(drawn >= 0ms && drawn <= 100ms);
        sum += drawn;
    }
    QVERIFY(sum / kCount > 9ms && sum / kCount < 11ms);
}

LOCKSCOPE_TEST(TestDistribution, Core)

} // namespace lockscope::tst_distribution

#include "tst_distribution.moc"
