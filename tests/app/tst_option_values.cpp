#include "cli/option_values.h"
#include "kernel/text_in_failures.h"

#include <QTest>

#include <array>

using namespace lockscope;
using namespace lockscope::cli;
using namespace std::chrono_literals;
using workload::Distribution;

namespace {

constexpr std::array kOptions{app::Option{"n", "N", ""}};

app::Words wordsWith(const std::string& value)
{
    const std::array<std::string, 1> words{"--n=" + value};
    return std::get<app::Words>(app::readWords(words, kOptions));
}

template<class T>
std::string reasonOf(const std::variant<T, app::ArgumentError>& result)
{
    const auto* const error = std::get_if<app::ArgumentError>(&result);
    return error != nullptr ? error->reason : "accepted";
}

} // namespace

class TestOptionValues final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void numbersHaveLimits();
    void whatIsNoNumberIsRefused_data();
    void whatIsNoNumberIsRefused();
    void sharesArePercentagesOrFractions_data();
    void sharesArePercentagesOrFractions();
    void distributionsAreRead();
    void whatWasNotGivenIsTheFallback();
};

void TestOptionValues::numbersHaveLimits()
{
    QCOMPARE(std::get<std::uint64_t>(numberOption(wordsWith("1"), "n", 5, 1, 9)), 1U);
    QCOMPARE(std::get<std::uint64_t>(numberOption(wordsWith("9"), "n", 5, 1, 9)), 9U);
    QCOMPARE(reasonOf(numberOption(wordsWith("10"), "n", 5, 1, 9)),
             std::string("--n: \"10\" is not a number between 1 and 9"));
}

void TestOptionValues::whatIsNoNumberIsRefused_data()
{
    QTest::addColumn<std::string>("text");
    for (const char* const text :
         {"", "0", "-1", "1.5", "1e3", "0x10", "five", " 5", "5 ", "99999999999999999999999"}) {
        QTest::newRow(text) << std::string(text);
    }
}

void TestOptionValues::whatIsNoNumberIsRefused()
{
    QFETCH(const std::string, text);
    QVERIFY(reasonOf(numberOption(wordsWith(text), "n", 5, 1, 9)) != "accepted");
}

void TestOptionValues::sharesArePercentagesOrFractions_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<double>("share"); // negative: refused
    QTest::newRow("percentage") << std::string("5%") << 0.05;
    QTest::newRow("fraction") << std::string("0.05") << 0.05;
    QTest::newRow("nothing") << std::string("0") << 0.0;
    QTest::newRow("all") << std::string("100%") << 1.0;
    QTest::newRow("one") << std::string("1") << 1.0;
    QTest::newRow("part of a percent") << std::string("0.5%") << 0.005;
    QTest::newRow("more than all") << std::string("101%") << -1.0;
    QTest::newRow("forgotten percent sign") << std::string("5") << -1.0;
    QTest::newRow("negative") << std::string("-5%") << -1.0;
    QTest::newRow("only the sign") << std::string("%") << -1.0;
    QTest::newRow("twice the sign") << std::string("5%%") << -1.0;
    QTest::newRow("no number") << std::string("nan") << -1.0;
    QTest::newRow("infinity") << std::string("inf") << -1.0;
    QTest::newRow("empty") << std::string() << -1.0;
}

void TestOptionValues::sharesArePercentagesOrFractions()
{
    QFETCH(const std::string, text);
    QFETCH(const double, share);
    QCOMPARE(parseShare(text).value_or(-1.0), share);
    QCOMPARE(reasonOf(shareOption(wordsWith(text), "n", 0)) == "accepted", share >= 0);
}

void TestOptionValues::distributionsAreRead()
{
    const auto result = distributionOption(wordsWith("5ms..20ms"), "n", {});
    QCOMPARE(workload::toText(std::get<Distribution>(result)), std::string("5ms..20ms"));
    QCOMPARE(reasonOf(distributionOption(wordsWith("20ms..5ms"), "n", {})),
             std::string("--n: \"20ms..5ms\" is not a time; write 10ms, 5ms..20ms (evenly between) "
                         "or ~20ms (exponential)"));
}

void TestOptionValues::whatWasNotGivenIsTheFallback()
{
    const app::Words none;
    QCOMPARE(std::get<std::uint64_t>(numberOption(none, "n", 5, 6, 9)), 5U);
    QCOMPARE(std::get<double>(shareOption(none, "n", 0.25)), 0.25);
    const Distribution fallback = Distribution::constant(1ms);
    QVERIFY(std::get<Distribution>(distributionOption(none, "n", fallback)) == fallback);
}

QTEST_APPLESS_MAIN(TestOptionValues)
#include "tst_option_values.moc"
