#include "core/kernel/sim/number_text.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <limits>

namespace lockscope::tst_number_text {

using namespace lockscope::sim;

class TestNumberText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wholeNumbersHaveOneSpelling();
    void scoresAreReadAsRedisDoes();
    void scoresAreWrittenWithAllTheirDigits();
};

void TestNumberText::wholeNumbersHaveOneSpelling()
{
    QCOMPARE(parseInteger("0"), std::optional<std::int64_t>(0));
    QCOMPARE(parseInteger("-9223372036854775808"),
             std::optional(std::numeric_limits<std::int64_t>::min()));
    for (const char* const text :
         {"", "-", "-0", "+1", "01", " 1", "1 ", "1.0", "0x1", "9223372036854775808", "x"}) {
        QVERIFY2(!parseInteger(text), text);
    }
}

void TestNumberText::scoresAreReadAsRedisDoes()
{
    QCOMPARE(parseScore("1e3"), std::optional(1000.0));
    QCOMPARE(parseScore("-inf"), std::optional(-std::numeric_limits<double>::infinity()));
    QCOMPARE(parseScore("0x10"), std::optional(16.0));
    QVERIFY(!parseScore(""));
    QVERIFY(!parseScore(" 1"));
    QVERIFY(!parseScore("nan"));
    QVERIFY(!parseScore("1e999"));
    QCOMPARE(parseScoreBound(""), std::optional(0.0));
    QVERIFY(!parseScoreBound("1x"));
    QVERIFY(!parseSeconds("inf"));
    QCOMPARE(parseSeconds("0.5"), std::optional(0.5L));
}

void TestNumberText::scoresAreWrittenWithAllTheirDigits()
{
    QVERIFY(formatScore(0.1) == "0.10000000000000001");
    QVERIFY(formatScore(1e15) == "1000000000000000");
    QVERIFY(formatScore(1e16) == "10000000000000000");
    QVERIFY(formatScore(1e17) == "1e+17");
    QVERIFY(formatScore(-0.0) == "-0");
    QVERIFY(formatScore(-std::numeric_limits<double>::infinity()) == "-inf");
}

LOCKSCOPE_TEST(TestNumberText, Core)

} // namespace lockscope::tst_number_text

#include "tst_number_text.moc"
