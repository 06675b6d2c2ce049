#include "tests/support/test_program.h"
#include "ui/models/charts/chart_content.h"

#include <QTest>

namespace lockscope::tst_chart_content {

using namespace lockscope::models;
using namespace Qt::StringLiterals;
using Shape = ChartSeries::Shape;

class TestChartContent : public QObject {
    Q_OBJECT

    static ChartContent bars()
    {
        ChartContent content;
        ChartSeries series;
        series.marks = {{0, 1, 5, u"five"_s}, {1, 2, 7, u"seven"_s}, {3, 4, 1, u"one"_s}};
        content.series = {series};
        return content;
    }

    static QStringList textsOf(const std::vector<ChartTick>& ticks)
    {
        QStringList texts;
        for (const ChartTick& tick : ticks) {
            texts += tick.text;
        }
        return texts;
    }

    static QString textAt(const ChartContent& content, double x)
    {
        const auto readout = readoutAt(content, x, u"A"_s, u"B"_s);
        return readout ? readout->text : QString();
    }

private Q_SLOTS:
    void aBarSpeaksForItsOwnStretch()
    {
        const ChartContent content = bars();
        QCOMPARE(textAt(content, 0.4), u"five"_s);
        QCOMPARE(textAt(content, 1.9), u"seven"_s);
        QCOMPARE(textAt(content, 2.4), QString());
        QCOMPARE(textAt(content, 9), QString());
        const auto readout = readoutAt(content, 3.5, {}, {});
        QCOMPARE(readout->from, 3.0);
        QCOMPARE(readout->to, 4.0);
        QVERIFY(!readoutAt({}, 1, {}, {}));
    }

    void aCurveSpeaksByItsNearestMark()
    {
        ChartContent content = bars();
        ChartSeries curve;
        curve.shape = Shape::Curve;
        curve.marks = {{1, 1, 0.5, u"half"_s}, {2, 2, 1, u"all"_s}};
        content.series.push_back(curve);
        QCOMPARE(textAt(content, 0.2), u"five\nhalf"_s);
        QCOMPARE(textAt(content, 1.6), u"seven\nall"_s);
        QCOMPARE(textAt(content, 8), u"all"_s);
    }

    void twoRunsAreToldApartByName()
    {
        ChartContent content = bars();
        content.series.push_back(content.series.front());
        content.series.back().isOther = true;
        content.series.back().marks[0].readout = u"four"_s;
        QCOMPARE(textAt(content, 0.5), u"A: five\nB: four"_s);
    }

    void stepsGoFromMarkToMark()
    {
        const ChartContent content = bars();
        QCOMPARE(nextPlace(content, std::nullopt, 1), std::optional(0.5));
        QCOMPARE(nextPlace(content, std::nullopt, -1), std::optional(3.5));
        QCOMPARE(nextPlace(content, 0.5, 1), std::optional(1.5));
        QCOMPARE(nextPlace(content, 3.5, -1), std::optional(1.5));
        QCOMPARE(nextPlace(content, 3.5, 1), std::optional(3.5));
        QVERIFY(!nextPlace({}, 1, 1));
    }

    void anAxisEndsAtARoundValueAboveAll()
    {
        QCOMPARE(axisTop(21), 30.0);
        QCOMPARE(textsOf(axisTicks(21, u" %"_s)),
                 QStringList({u"0 %"_s, u"10 %"_s, u"20 %"_s, u"30 %"_s}));
        QCOMPARE(axisTop(0.5), 0.6);
        QCOMPARE(textsOf(axisTicks(100)).size(), 3);
        QCOMPARE(axisTop(100), 100.0);
        QCOMPARE(textsOf(axisTicks(41'231)).back(), u"60,000"_s);
        QVERIFY(axisTop(0) > 0);
        QVERIFY(axisTicks(0).size() > 1);
    }
};

LOCKSCOPE_TEST(TestChartContent, Core)

} // namespace lockscope::tst_chart_content

#include "tst_chart_content.moc"
