#include "core/kernel/base/duration_text.h"
#include "tests/kernel/random_input.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

Q_DECLARE_METATYPE(lockscope::Duration)

namespace lockscope::tst_duration_text {

using namespace std::chrono_literals;
using namespace std::string_literals;

class TestDurationText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void durationsAreSaidInTwoUnitsAtMost_data();
    void durationsAreSaidInTwoUnitsAtMost();
    void durationsAreRead_data();
    void durationsAreRead();
    void malformedDurationsAreRefused_data();
    void malformedDurationsAreRefused();
    void wholeDurationsComeBack();
    void garbageIsNeverMisread();
    void theShortestWordComesBack_data();
    void theShortestWordComesBack();
};

void TestDurationText::durationsAreSaidInTwoUnitsAtMost_data()
{
    QTest::addColumn<Duration>("duration");
    QTest::addColumn<std::string>("text");
    QTest::newRow("negative") << Duration(-5s) << "0 ms"s;
    QTest::newRow("zero") << Duration(0) << "0 ms"s;
    QTest::newRow("less than a millisecond") << Duration(999us) << "0 ms"s;
    QTest::newRow("milliseconds") << Duration(850ms) << "850 ms"s;
    QTest::newRow("just below a second") << Duration(999999us) << "999 ms"s;
    QTest::newRow("a second") << Duration(1s) << "1.0 s"s;
    QTest::newRow("seconds") << Duration(28449ms) << "28.4 s"s;
    QTest::newRow("cut off, not rounded") << Duration(59999ms) << "59.9 s"s;
    QTest::newRow("minutes") << Duration(125s) << "2 m 05 s"s;
    QTest::newRow("just below an hour") << Duration(3599999ms) << "59 m 59 s"s;
    QTest::newRow("hours") << Duration(5h + 12min + 59s) << "5 h 12 m"s;
    QTest::newRow("days") << Duration(76h) << "3 d 04 h"s;
    QTest::newRow("years") << Duration(24h * 4000) << "4000 d 00 h"s;
}

void TestDurationText::durationsAreSaidInTwoUnitsAtMost()
{
    QFETCH(Duration, duration);
    QFETCH(std::string, text);
    QCOMPARE(durationText(duration), text);
}

void TestDurationText::durationsAreRead_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<Duration>("duration");
    QTest::newRow("milliseconds") << "250ms"s << Duration(250ms);
    QTest::newRow("seconds") << "10s"s << Duration(10s);
    QTest::newRow("minutes") << "5m"s << Duration(5min);
    QTest::newRow("hours") << "2h"s << Duration(2h);
    QTest::newRow("days") << "1d"s << Duration(24h);
    QTest::newRow("a fraction") << "1.5s"s << Duration(1500ms);
    QTest::newRow("a fine fraction") << "0.000001s"s << Duration(1us);
    QTest::newRow("finer than we count") << "0.00000099s"s << Duration(0);
    QTest::newRow("fraction of a day") << "0.25d"s << Duration(6h);
    QTest::newRow("zero") << "0s"s << Duration(0);
    QTest::newRow("leading zeros") << "0010s"s << Duration(10s);
    QTest::newRow("ten years") << "3653d"s << Duration(24h * 3653);
}

void TestDurationText::durationsAreRead()
{
    QFETCH(std::string, text);
    QFETCH(Duration, duration);
    QCOMPARE(parseDuration(text), std::optional(duration));
}

void TestDurationText::malformedDurationsAreRefused_data()
{
    QTest::addColumn<std::string>("text");
    for (const char* text : {"",        "s",
                             "10",      "-1s",
                             "+1s",     "1 s",
                             " 1s",     "1s ",
                             "1S",      "1.s",
                             ".5s",     "1..5s",
                             "1,5s",    "1e3s",
                             "0x1s",    "1us",
                             "1w",      "1sec",
                             "1s1",     "3654d",
                             "3653.1d", "99999999999999999999d",
                             "1m30s"}) {
        QTest::newRow(*text == '\0' ? "empty" : text) << std::string(text);
    }
}

void TestDurationText::malformedDurationsAreRefused()
{
    QFETCH(std::string, text);
    QCOMPARE(parseDuration(text), std::nullopt);
}

void TestDurationText::wholeDurationsComeBack()
{
    testing::RandomInput input;
    for (int i = 0; i < 5000; ++i) {
        const Duration duration = std::chrono::milliseconds(input.rng().below(1'000'000'000));
        const std::string inMs = std::to_string(toMs(duration)) + "ms";
        const std::string inSeconds = std::to_string(toMs(duration) / 1000) + '.'
                                      + std::to_string(1000 + toMs(duration) % 1000).substr(1)
                                      + 's';
        QVERIFY2(parseDuration(inMs) == duration, input.recipe(inMs).c_str());
        QVERIFY2(parseDuration(inSeconds) == duration, input.recipe(inSeconds).c_str());
    }
}

void TestDurationText::garbageIsNeverMisread()
{
    testing::RandomInput input;
    const std::string_view pieces[] = {"0", "1", "9",  "99999", ".", "-",
                                       "m", "s", "ms", "h",     "d", " "};
    for (int i = 0; i < 20000; ++i) {
        const Bytes text = input.assembled(pieces, 6);
        const std::optional<Duration> duration = parseDuration(text);
        QVERIFY2(!duration || (*duration >= Duration(0) && *duration <= Duration(24h * 3653)),
                 input.recipe(text).c_str());
    }
}

void TestDurationText::theShortestWordComesBack_data()
{
    QTest::addColumn<Duration>("duration");
    QTest::addColumn<std::string>("word");
    QTest::newRow("nothing") << Duration(0) << std::string("0ms");
    QTest::newRow("a microsecond") << Duration(1) << std::string("0.001ms");
    QTest::newRow("a quarter") << Duration(250) << std::string("0.25ms");
    QTest::newRow("milliseconds") << Duration(20'000) << std::string("20ms");
    QTest::newRow("seconds") << Duration(10'000'000) << std::string("10s");
    QTest::newRow("a second and a half") << Duration(1'500'000) << std::string("1500ms");
    QTest::newRow("odd seconds") << Duration(1'500'001) << std::string("1.500001s");
    QTest::newRow("minutes") << Duration(300'000'000) << std::string("5m");
    QTest::newRow("hours") << Duration(7'200'000'000) << std::string("2h");
}

void TestDurationText::theShortestWordComesBack()
{
    QFETCH(const Duration, duration);
    QFETCH(const std::string, word);
    QCOMPARE(durationWord(duration), word);
    QCOMPARE(parseDuration(word), std::optional(duration));
}

LOCKSCOPE_TEST(TestDurationText, Core)

} // namespace lockscope::tst_duration_text

#include "tst_duration_text.moc"
