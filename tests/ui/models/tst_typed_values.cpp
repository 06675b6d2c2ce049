#include "tests/support/test_program.h"
#include "ui/models/typed_values.h"

#include <QTest>

namespace lockscope::tst_typed_values {

using namespace lockscope::models;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

template<class Value>
bool isRefused(const Typed<Value>& typed)
{
    const auto* const sentence = std::get_if<QString>(&typed);
    return sentence != nullptr && sentence->endsWith(u'.');
}

} // namespace

class TestTypedValues : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void numbersHaveLimits()
    {
        QVERIFY(typedNumber(u" 7 "_s, 1, 9) == Typed<int>(7));
        for (const auto& text : {u"0"_s, u"10"_s, u""_s, u"1.5"_s, u"seven"_s}) {
            QVERIFY2(isRefused(typedNumber(text, 1, 9)), qPrintable(text));
        }
    }

    void timesHaveUnitsAndLimits()
    {
        QVERIFY(typedSpan(u" 250ms "_s, 1ms, 1s) == Typed<Duration>(250ms));
        QVERIFY(isRefused(typedSpan(u"250"_s, 1ms, 1s)));
        const auto tooLong = typedSpan(u"2s"_s, 1ms, 1s);
        QCOMPARE(std::get<QString>(tooLong), u"Between 1ms and 1s."_s);
        QCOMPARE(spanWord(1500ms), u"1500ms"_s);
    }

    void whatIsRepeatedCanBeOff()
    {
        QVERIFY(typedPeriod(u"off"_s, 1s) == Typed<Duration>(0s));
        QVERIFY(typedPeriod(u"1s"_s, 1s) == Typed<Duration>(1s));
        QVERIFY(isRefused(typedPeriod(u"never"_s, 1s)));
        QCOMPARE(periodWord(0s), u"off"_s);
        QCOMPARE(periodWord(3s), u"3s"_s);
    }

    void distributionsAreRead()
    {
        using workload::Distribution;
        QVERIFY(typedDistribution(u" 2s..6s"_s)
                == Typed<Distribution>(Distribution::uniform(2s, 6s)));
        QVERIFY(isRefused(typedDistribution(u"2..6"_s)));
    }

    void seedsAreOfAllBits()
    {
        QVERIFY(typedSeed(u"18446744073709551615"_s) == Typed<std::uint64_t>(~std::uint64_t(0)));
        QVERIFY(isRefused(typedSeed(u"-1"_s)));
    }

    void aFilterIsNeededAndItsMistakeIsSaid()
    {
        QVERIFY(isRefused(typedFilter(u"  "_s)));
        const Typed<inspect::LockFilter> mistaken = typedFilter(u"onwer:x"_s);
        QVERIFY(std::holds_alternative<QString>(mistaken));
        QVERIFY(std::get<QString>(mistaken).contains(u"onwer"_s));
        QVERIFY(!std::get<inspect::LockFilter>(typedFilter(u" waiters>5 "_s)).isEmpty());
    }

    void sharesAreWrittenInPercent()
    {
        QCOMPARE(parseShare(u"5%"_s), std::optional(0.05));
        QCOMPARE(parseShare(u" 0.5 % "_s), std::optional(0.005));
        QCOMPARE(parseShare(u"100"_s), std::optional(1.0));
        QVERIFY(!parseShare(u"-1%"_s));
        QVERIFY(!parseShare(u"%"_s));
        QVERIFY(isRefused(typedShare(u"101%"_s)));
        QCOMPARE(shareWord(0.005), u"0.5%"_s);
        QCOMPARE(shareWord(0), u"0%"_s);
    }
};

LOCKSCOPE_TEST(TestTypedValues, None)

} // namespace lockscope::tst_typed_values

#include "tst_typed_values.moc"
