#include "tests/support/test_program.h"
#include "ui/models/charts/figure_charts.h"

#include <QTest>

#include <cmath>
#include <numeric>

namespace lockscope::tst_figure_charts {

using namespace lockscope::models;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using Shape = ChartSeries::Shape;

class TestFigureCharts : public QObject {
    Q_OBJECT

    static RunFigures run(std::size_t contenders = 3)
    {
        trace::RunStatistics statistics;
        statistics.elapsed = 10s;
        statistics.acquisitionsOf.assign(contenders, 20);
        statistics.acquisitionsOf.back() = 60;
        statistics.acquisitions = std::accumulate(statistics.acquisitionsOf.begin(),
                                                  statistics.acquisitionsOf.end(),
                                                  std::uint64_t(0));
        statistics.requests = statistics.acquisitions;
        statistics.tries = 2 * statistics.acquisitions;
        statistics.commands = 5 * statistics.acquisitions;
        for (int i = 0; i < 99; ++i) {
            statistics.wait.add(2ms);
        }
        statistics.wait.add(900ms);
        QStringList names;
        for (std::size_t i = 0; i < contenders; ++i) {
            names += u"c%1"_s.arg(i);
        }
        RunFigures figures = figuresOf(statistics, names);
        figures.rates = {{Instant(0s), Instant(4s), 12.5, std::uint64_t(50)},
                         {Instant(4s), Instant(10s), 8, std::nullopt}};
        return figures;
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

    static void verifyItFits(const ChartContent& content)
    {
        for (const ChartSeries& series : content.series) {
            for (const ChartMark& mark : series.marks) {
                QVERIFY(mark.from >= content.xFrom - 1e-3 && mark.to <= content.xTo + 1e-3);
                QVERIFY(mark.y >= 0 && mark.y <= (series.isOnRight ? 1 : content.yTop));
                QVERIFY(!mark.readout.isEmpty());
            }
        }
    }

private Q_SLOTS:
    void everyWaitIsInABarAndOnTheCurve()
    {
        const ChartContent content = waitChart(run());
        verifyItFits(content);
        QCOMPARE(content.series.size(), std::size_t(2));
        double sum = 0;
        for (const ChartMark& mark : content.series[0].marks) {
            sum += mark.y;
        }
        QVERIFY(std::abs(sum - 100) < 1e-9);
        QCOMPARE(content.series[1].marks.back().y, 1.0);
        const QString text = textAt(content, std::log10(2000.0));
        QVERIFY2(text.startsWith(u"99 waits (99.0 %) from "_s), qPrintable(text));
        QVERIFY2(text.contains(u"\n99.0 % of all waits are at most 2.01 ms"_s), qPrintable(text));
        QCOMPARE(textsOf(content.xTicks),
                 QStringList({u"1 ms"_s, u"10 ms"_s, u"100 ms"_s, u"1 s"_s}));
    }

    void aNarrowDistributionHasAllTicks()
    {
        RunFigures figures = run();
        figures.statistics.wait = {};
        figures.statistics.wait.add(3ms);
        const ChartContent content = waitChart(figures);
        verifyItFits(content);
        QCOMPARE(textsOf(content.xTicks), QStringList({u"2 ms"_s, u"5 ms"_s}));
        figures.statistics.wait = {};
        figures.statistics.wait.add(0s);
        verifyItFits(waitChart(figures));
        figures.statistics.wait.add(50h);
        verifyItFits(waitChart(figures));
    }

    void rateStepsReachFromEndToEnd()
    {
        const ChartContent content = rateChart(run());
        verifyItFits(content);
        QCOMPARE(content.xFrom, 0.0);
        QCOMPARE(content.xTo, 10.0);
        QCOMPARE(content.series[0].shape, Shape::Steps);
        QCOMPARE(textAt(content, 2), u"50 acquisitions, 12.5 per second, from 0 s to 4 s"_s);
        QCOMPARE(textAt(content, 5), u"8.00 per second, from 4 s to 10 s"_s);
        QCOMPARE(content.yTop, 15.0);
    }

    void withoutTimesTheRateChartSaysWhy()
    {
        RunFigures sums = run();
        sums.rates.clear();
        const ChartContent content = rateChart(sums);
        QVERIFY(content.series.empty());
        QVERIFY(content.emptyText.contains(u"several runs"_s));
        const RunFigures dated = run();
        QCOMPARE(rateChart(dated, &sums).series.size(), std::size_t(1));
        QVERIFY(rateChart(dated, &sums).note.contains(u"no timeline"_s));
        QVERIFY(rateChart(sums, &dated).series[0].isOther);
    }

    void sharesAreSortedAndAddUpToAHundred()
    {
        const ChartContent content = shareChart(run());
        verifyItFits(content);
        QCOMPARE(textsOf(content.xTicks), QStringList({u"c2"_s, u"c0"_s, u"c1"_s}));
        QCOMPARE(textAt(content, 0.5), u"c2: 60 acquisitions, 60.0 %"_s);
        QVERIFY(std::abs(*content.level - 100.0 / 3) < 1e-9);
        QVERIFY(content.note.startsWith(u"Jain 0.76, uneven"_s));
    }

    /// "contender 2" ten times over has no room below the bars.
    void contendersWithoutNamesAreNumbered()
    {
        RunFigures figures = run();
        figures.contenderNames.clear();
        const ChartContent content = shareChart(figures);
        QCOMPARE(textsOf(content.xTicks), QStringList({u"2"_s, u"0"_s, u"1"_s}));
        QCOMPARE(content.xTitle, u"number of the contender"_s);
        QCOMPARE(textAt(content, 0.5), u"contender 2: 60 acquisitions, 60.0 %"_s);
    }

    void manyContendersAreNamedOnlyWhenAsked()
    {
        const ChartContent content = shareChart(run(200));
        verifyItFits(content);
        QVERIFY(content.xTicks.empty());
        QCOMPARE(content.xTitle, u"200 contenders, in descending order"_s);
        QCOMPARE(content.series[0].marks.size(), std::size_t(200));
        QCOMPARE(content.series[0].barFrom, 0.0);
        QVERIFY(textAt(content, 0.5).startsWith(u"c199: 60 acquisitions"_s));
    }

    void effortIsPerAcquisition()
    {
        const ChartContent content = effortChart(run());
        verifyItFits(content);
        QCOMPARE(textAt(content, 0.5), u"2.00 attempts per acquisition, 200 in total"_s);
        QCOMPARE(textAt(content, 2.5), u"5.00 commands per acquisition, 500 in total"_s);
        RunFigures uncounted = run();
        uncounted.statistics.commands = 0;
        QCOMPARE(textAt(effortChart(uncounted), 2.5), u"commands: not recorded"_s);
        QCOMPARE(effortChart(uncounted).note, u"commands: not recorded"_s);
    }

    void twoRunsStandSideBySide_data()
    {
        QTest::addColumn<int>("chart");
        for (const int chart : {0, 1, 2, 3}) {
            QTest::addRow("%d", chart) << chart;
        }
    }

    void twoRunsStandSideBySide()
    {
        QFETCH(const int, chart);
        const std::array charts{waitChart, rateChart, shareChart, effortChart};
        const RunFigures ours = run();
        RunFigures theirs = run(8);
        theirs.statistics.wait.add(20s);
        const ChartContent content = charts[static_cast<std::size_t>(chart)](ours, &theirs);
        verifyItFits(content);
        const auto others = std::ranges::count_if(content.series, &ChartSeries::isOther);
        QCOMPARE(others * 2, std::ssize(content.series));
        const double middle = (content.xFrom + content.xTo) / 2;
        const QString text = textAt(content, chart == 0 ? std::log10(2000.0) : middle);
        QVERIFY2(text.contains(u"B: "_s), qPrintable(text));
    }

    void anEmptyRunSaysSoInEveryChart()
    {
        const RunFigures empty = figuresOf(trace::RunStatistics(), {u"a"_s});
        for (const ChartContent& content :
             {waitChart(empty), rateChart(empty), shareChart(empty), effortChart(empty)}) {
            QVERIFY(content.series.empty());
            QVERIFY(!content.emptyText.isEmpty());
            QVERIFY(!content.title.isEmpty());
        }
    }
};

LOCKSCOPE_TEST(TestFigureCharts, Core)

} // namespace lockscope::tst_figure_charts

#include "tst_figure_charts.moc"
