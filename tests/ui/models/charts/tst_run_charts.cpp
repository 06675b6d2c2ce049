#include "tests/support/test_program.h"
#include "ui/models/charts/chart_content.h"
#include "ui/models/contend/latency_text.h"
#include "ui/models/contend/run_figures.h"

#include <QTest>

namespace lockscope::tst_run_charts {

using namespace lockscope::models;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class TestRunCharts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ceilingsAreRoundNumbers()
    {
        QCOMPARE(niceCeiling(0), 1.0);
        QCOMPARE(niceCeiling(1.5), 2.0);
        QCOMPARE(niceCeiling(200), 200.0);
        QCOMPARE(niceCeiling(201), 500.0);
        QCOMPARE(niceCeiling(41'000), 50'000.0);
        QCOMPARE(niceCeiling(60'000), 100'000.0);
    }

    void everyTimeFallsIntoTheBinThatSpansIt()
    {
        trace::Histogram histogram;
        histogram.add(0us);
        histogram.add(95us);
        histogram.add(105us);
        histogram.add(105us);
        histogram.add(2s);
        const auto bins = timeBins(histogram, 4);
        std::uint64_t total = 0;
        for (const TimeBin& bin : bins) {
            QVERIFY(bin.from < bin.to);
            total += bin.count;
        }
        QCOMPARE(total, histogram.count());
        QCOMPARE(bins.front().from, Duration(0));
        QVERIFY(bins.back().from <= 2s && bins.back().to > 2s);
        const auto hundreds = std::find_if(bins.begin(), bins.end(),
                                           [](const TimeBin& bin) { return bin.from == 100us; });
        QVERIFY(hundreds != bins.end());
        QCOMPARE(hundreds->count, std::uint64_t(2));
        QCOMPARE((hundreds - 1)->count, std::uint64_t(1));
    }

    void aLongRunKeepsAsManySamplesAsAScreenCanShow()
    {
        RateSeries series;
        for (int tenth = 0; tenth < 36'000; ++tenth) {
            series.add({100ms * tenth, tenth < 18'000 ? 10.0 : 30.0});
            QVERIFY(series.samples().size() <= RateSeries::kSamplesAtMost);
        }
        QVERIFY(series.samples().size() > RateSeries::kSamplesAtMost / 4);
        QCOMPARE(series.largest(), 30.0);
        QVERIFY(series.samples().front().at < 60s);
        QVERIFY(series.samples().back().at > 3500s);
        Duration before{-1};
        for (const RateSample& sample : series.samples()) {
            QVERIFY(sample.at > before);
            before = sample.at;
        }
        series.clear();
        QVERIFY(series.samples().empty());
    }

    void latenciesHaveThreeDigits()
    {
        QCOMPARE(latencyText(48us), u"48 µs"_s);
        QCOMPARE(latencyText(1930us), u"1.93 ms"_s);
        QCOMPARE(latencyText(28'400us), u"28.4 ms"_s);
        QCOMPARE(latencyText(999'600us), u"1.00 s"_s);
        QCOMPARE(latencyText(1240ms), u"1.24 s"_s);
        QCOMPARE(latencyText(125s), u"2 m 05 s"_s);
        QCOMPARE(numberText(8.409), u"8.41"_s);
        QCOMPARE(numberText(206.4), u"206"_s);
        QCOMPARE(numberText(12'400), u"12,400"_s);
    }
};

LOCKSCOPE_TEST(TestRunCharts, Core)

} // namespace lockscope::tst_run_charts

#include "tst_run_charts.moc"
