#include "tests/support/test_program.h"
#include "ui/models/contend/run_figures.h"

#include <QTest>

namespace lockscope::tst_run_figures {

using namespace lockscope::models;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using trace::Chronicle;
using trace::Event;
using trace::EventKind;
using trace::Mark;
using trace::Span;
using trace::SpanEnd;

class TestRunFigures : public QObject {
    Q_OBJECT

    static TimelineNames names()
    {
        return {[](trace::ContenderId id) { return u"client %1"_s.arg(id); },
                [](trace::LockId) { return u"k"_s; }};
    }

    /// Client 0 holds from 1 s to 3 s; client 1 waits from 2 s to 5 s and holds to 9 s, when the
    /// record ends; client 2 waits from 4 s and gives up at 6 s.
    static Chronicle story()
    {
        using enum Span::Kind;
        Chronicle chronicle;
        chronicle.spans = {{Instant(1s), Instant(1s), 0, 0, Waiting, SpanEnd::Granted, false},
                           {Instant(1s), Instant(3s), 0, 0, Holding, SpanEnd::Released, false},
                           {Instant(2s), Instant(5s), 1, 0, Waiting, SpanEnd::Granted, false},
                           {Instant(4s), Instant(6s), 2, 0, Waiting, SpanEnd::GaveUp, false},
                           {Instant(5s), Instant(9s), 1, 0, Holding, SpanEnd::Released, false},
                           {Instant(7s), Instant(8s), 2, 0, Paused, SpanEnd::Resumed, false}};
        chronicle.marks = {{Instant(2s), 1, 0, Mark::Kind::Refused},
                           {Instant(6s), 1, 0, Mark::Kind::Renewed}};
        chronicle.overlaps = {{Instant(2s), Instant(4s), 0, 0, 1}};
        chronicle.end = Instant(9s);
        return chronicle;
    }

    static RunFigures of(std::optional<VisibleRange> range)
    {
        return figuresOf(story(), range, names(), 3);
    }

    static std::uint64_t grantsIn(const std::vector<RateBin>& bins)
    {
        std::uint64_t sum = 0;
        for (const RateBin& bin : bins) {
            sum += bin.count.value_or(0);
        }
        return sum;
    }

private Q_SLOTS:
    void theWholeRecordIsCounted()
    {
        const RunFigures figures = of(std::nullopt);
        const trace::RunStatistics& s = figures.statistics;
        QCOMPARE(s.requests, std::uint64_t(3));
        QCOMPARE(s.acquisitions, std::uint64_t(2));
        QCOMPARE(s.acquisitionsOf, (std::vector<std::uint64_t>{1, 1, 0}));
        QCOMPARE(s.tries, std::uint64_t(3));
        QCOMPARE(s.gaveUp, std::uint64_t(1));
        QCOMPARE(s.renewals, std::uint64_t(1));
        QCOMPARE(s.pauses, std::uint64_t(1));
        QCOMPARE(s.overlaps, std::uint64_t(1));
        QCOMPARE(s.wait.count(), std::uint64_t(3)); // that of who gave up, too
        QCOMPARE(s.wait.max(), Duration(3s));
        QCOMPARE(s.hold.count(), std::uint64_t(2));
        QCOMPARE(s.elapsed, Duration(9s));
        QVERIFY(figures.isOfSpans);
        QCOMPARE(figures.contenderNames,
                 QStringList({u"client 0"_s, u"client 1"_s, u"client 2"_s}));
    }

    void aRangeCountsWhatLiesInIt()
    {
        const trace::RunStatistics s = of(VisibleRange{Instant(3500ms), Instant(8s)}).statistics;
        QCOMPARE(s.requests, std::uint64_t(1));
        QCOMPARE(s.acquisitions, std::uint64_t(1));
        QCOMPARE(s.acquisitionsOf, (std::vector<std::uint64_t>{0, 1, 0}));
        QCOMPARE(s.wait.count(), std::uint64_t(2)); // in full, although they began before
        QCOMPARE(s.wait.max(), Duration(3s));
        QCOMPARE(s.hold.count(), std::uint64_t(0));
        QCOMPARE(s.overlaps, std::uint64_t(1)); // it reaches into the range
        QCOMPARE(s.elapsed, Duration(4500ms));
        QCOMPARE(of(VisibleRange{Instant(4s), Instant(9s)}).statistics.overlaps, std::uint64_t(0));
    }

    void rangesSideBySideCountEverythingOnce()
    {
        const trace::RunStatistics whole = of(std::nullopt).statistics;
        trace::RunStatistics sum;
        for (const auto& [from, to] : {std::pair(0s, 1s), std::pair(1s, 5s), std::pair(5s, 9s)}) {
            sum.add(of(VisibleRange{Instant(from), Instant(to)}).statistics);
        }
        QCOMPARE(sum.requests, whole.requests);
        QCOMPARE(sum.acquisitions, whole.acquisitions);
        QCOMPARE(sum.tries, whole.tries);
        QCOMPARE(sum.wait.count(), whole.wait.count());
        QCOMPARE(sum.hold.count(), whole.hold.count()); // the last one ends with the record
        QCOMPARE(sum.pauses, whole.pauses);
    }

    void spansAndEventsAgree()
    {
        std::vector<Event> events;
        const auto happens = [&](Duration at, trace::ContenderId who, EventKind kind) {
            events.push_back({Instant(at), 0, who, 0, kind, false});
        };
        happens(0s, 0, EventKind::Requested);
        happens(1s, 0, EventKind::Granted);
        happens(2s, 1, EventKind::Requested);
        happens(2s, 1, EventKind::Refused);
        happens(3s, 0, EventKind::Renewed);
        happens(4s, 0, EventKind::Releasing);
        happens(4s, 0, EventKind::Released);
        happens(5s, 1, EventKind::Granted);
        happens(7s, 1, EventKind::Releasing);
        happens(8s, 1, EventKind::ReleaseRefused);
        const trace::RunStatistics exact = trace::statisticsOf(events, 2);
        const Chronicle chronicle = trace::chronicleOf(events, Instant(8s));
        const trace::RunStatistics s = figuresOf(chronicle, std::nullopt, names(), 2).statistics;
        QCOMPARE(s.requests, exact.requests);
        QCOMPARE(s.acquisitions, exact.acquisitions);
        QCOMPARE(s.tries, exact.tries);
        QCOMPARE(s.renewals, exact.renewals);
        QCOMPARE(s.lateReleases, exact.lateReleases);
        QCOMPARE(s.acquisitionsOf, exact.acquisitionsOf);
        QCOMPARE(s.wait.quantile(0.5), exact.wait.quantile(0.5));
        QCOMPARE(s.hold.max(), exact.hold.max());
        QCOMPARE(s.jainFairness(), exact.jainFairness());
    }

    void ratesCoverTheRangeWithoutGaps()
    {
        const VisibleRange range{Instant(500ms), Instant(9s)};
        const std::vector<RateBin> bins = ratesOf(story(), range);
        QVERIFY(bins.size() > 2);
        QCOMPARE(bins.front().from, range.from);
        QCOMPARE(bins.back().to, range.to);
        for (std::size_t i = 1; i < bins.size(); ++i) {
            QCOMPARE(bins[i].from, bins[i - 1].to);
        }
        QCOMPARE(grantsIn(bins), std::uint64_t(2));
        QVERIFY(ratesOf(story(), {Instant(1s), Instant(1s)}).empty());
    }

    void aGrantAtTheVeryEndIsCounted()
    {
        Chronicle chronicle = story();
        chronicle.spans.push_back({Instant(9s), Instant(9s), 2, 0, Span::Kind::Holding,
                                   SpanEnd::Open, false});
        QCOMPARE(grantsIn(ratesOf(chronicle, wholeOf(chronicle))), std::uint64_t(3));
        QCOMPARE(figuresOf(chronicle, std::nullopt, names(), 3).statistics.acquisitions,
                 std::uint64_t(3));
    }

    void manyGrantsHaveFewStretches()
    {
        Chronicle chronicle;
        for (int i = 0; i < 10'000; ++i) {
            const Instant at(1ms * i);
            chronicle.spans.push_back({at, at + 1ms, 0, 0, Span::Kind::Holding, SpanEnd::Released,
                                       false});
        }
        chronicle.end = Instant(10s);
        const std::vector<RateBin> bins = ratesOf(chronicle, wholeOf(chronicle));
        QVERIFY(bins.size() >= 20 && bins.size() <= 61);
        QCOMPARE(grantsIn(bins), std::uint64_t(10'000));
        QVERIFY(std::abs(bins[3].perSecond - 1000) < 1e-6);
    }

    void samplesBecomeStretches()
    {
        RateSeries series;
        series.add({0s, 0});
        series.add({1s, 40});
        series.add({2s, 60});
        const std::vector<RateBin> bins = ratesOf(series);
        QCOMPARE(bins.size(), std::size_t(2));
        QCOMPARE(bins[1].from, Instant(1s));
        QCOMPARE(bins[1].perSecond, 60.0);
        QVERIFY(!bins[1].count);
    }

    void whoGotMostComesFirst()
    {
        trace::RunStatistics statistics;
        statistics.acquisitionsOf = {10, 60, 10, 20};
        const RunFigures figures = figuresOf(statistics, {u"a"_s, u"b"_s, u"c"_s});
        const std::vector<ContenderShare> shares = sharesOf(figures);
        QStringList order;
        for (const ContenderShare& share : shares) {
            order += share.name;
        }
        QCOMPARE(order, QStringList({u"b"_s, u"contender 3"_s, u"a"_s, u"c"_s}));
        QCOMPARE(shares.front().share, 0.6);
        statistics.acquisitionsOf = {0, 0};
        QCOMPARE(sharesOf(figuresOf(statistics, {})).front().share, 0.0);
    }

    void theCumulativeCurveRisesToOne()
    {
        trace::Histogram waits;
        QVERIFY(cumulativeOf(waits).empty());
        for (const Duration wait : {Duration(0s), Duration(1ms), Duration(1ms), Duration(3s)}) {
            waits.add(wait);
        }
        const std::vector<CumulativePoint> points = cumulativeOf(waits);
        QCOMPARE(points.size(), std::size_t(3));
        QCOMPARE(points[0].share, 0.25);
        QCOMPARE(points[1].share, 0.75);
        QCOMPARE(points[2].share, 1.0);
        QVERIFY(points[2].at <= waits.max());
        QVERIFY(points[0].at < points[1].at);
    }

    void withoutTimesThereAreNoRates()
    {
        QVERIFY(figuresOf(trace::RunStatistics(), {}).rates.empty());
        QVERIFY(figuresOf(trace::RunStatistics(), {}).isEmpty());
        QVERIFY(!of(std::nullopt).isEmpty());
    }
};

LOCKSCOPE_TEST(TestRunFigures, Core)

} // namespace lockscope::tst_run_figures

#include "tst_run_figures.moc"
