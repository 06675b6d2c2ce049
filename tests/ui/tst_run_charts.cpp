#include "chart_geometry.h"
#include "latency_text.h"
#include "rate_series.h"

#include <QTest>

using namespace lockscope;
using namespace lockscope::models;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class TestRunCharts : public QObject {
    Q_OBJECT

    const QRectF m_area{10, 20, 100, 50};

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

    void theLineRunsFromTheLeftToTheRightAndUpwards()
    {
        const std::vector<RateSample> samples{{0s, 0}, {5s, 50}, {10s, 100}, {20s, 1000}};
        const QPolygonF line = rateLine(samples, 10s, 100, m_area);
        QCOMPARE(line, QPolygonF({{10, 70}, {60, 45}, {110, 20}, {110, 20}}));
    }

    void aLineOfNoTimeStaysAtTheEdge()
    {
        const std::vector<RateSample> samples{{0s, 3}};
        QCOMPARE(rateLine(samples, 0s, 0, m_area), QPolygonF({{10, 70}}));
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

    void emptyBinsMakeUpTheLeastNumber()
    {
        trace::Histogram histogram;
        QVERIFY(timeBins(histogram, 4, 8).empty());
        histogram.add(1ms);
        QCOMPARE(timeBins(histogram, 4).size(), std::size_t(1));
        const auto bins = timeBins(histogram, 4, 8);
        QCOMPARE(bins.size(), std::size_t(8));
        QCOMPARE(bins.front().count, std::uint64_t(1));
        QCOMPARE(bins.front().from, Duration(1ms));
    }

    void barsStandOnTheGroundAndTheRareOnesAreSeen()
    {
        const std::vector<TimeBin> bins{{1ms, 2ms, 1000}, {2ms, 4ms, 0}, {4ms, 8ms, 1}};
        const auto bars = binBars(bins, QRectF(0, 0, 90, 40), 2);
        QCOMPARE(bars.size(), std::size_t(3));
        QCOMPARE(bars[0], QRectF(0, 0, 28, 40));
        QCOMPARE(bars[1].height(), 0.0);
        QCOMPARE(bars[2], QRectF(60, 39, 28, 1));
    }

    void marksStandWithinTheirBin()
    {
        const std::vector<TimeBin> bins{{100us, 1ms, 1}, {1ms, 10ms, 1}};
        QCOMPARE(xOfTime(10us, bins, m_area), 10.0);
        QCOMPARE(xOfTime(1ms, bins, m_area), 60.0);
        QVERIFY(std::abs(xOfTime(3162us, bins, m_area) - 85) < 0.1);
        QCOMPARE(xOfTime(1s, bins, m_area), 110.0);
        QCOMPARE(xOfTime(1s, {}, m_area), 10.0);
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

QTEST_GUILESS_MAIN(TestRunCharts)
#include "tst_run_charts.moc"
