#include "ui/models/charts/figure_charts.h"

#include "ui/models/charts/chart_content.h"
#include "ui/models/contend/latency_text.h"
#include "ui/models/contend/run_tiles.h"
#include "ui/models/formatting.h"
#include "ui/models/ui_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using trace::RunStatistics;
using Shape = ChartSeries::Shape;

namespace {

constexpr int kBinsPerDecade = 8;
constexpr double kShortestUs = 10; // where timeBins() begins
constexpr int kDecadesWithAllTicks = 2;
constexpr std::size_t kNamesAtMost = 12;
constexpr std::size_t kSeparateBarsAtMost = 60;
constexpr double kTimeTicks = 5;

QString percentText(double share)
{
    return numberText(share * 100) + u" %"_s;
}

double largestOf(const ChartContent& content)
{
    double largest = 0;
    for (const ChartSeries& series : content.series) {
        for (const ChartMark& mark : series.marks) {
            largest = series.isOnRight ? largest : std::max(largest, mark.y);
        }
    }
    return largest;
}

/// The left axis as high as the values, `level` included.
void fitHeight(ChartContent& content, const QString& unit = {})
{
    const double largest = std::max(largestOf(content), content.level.value_or(0));
    content.yTop = axisTop(largest);
    content.yTicks = axisTicks(largest, unit);
}

template<class Add>
void addEachRun(const RunFigures& figures, const RunFigures* other, const Add& add)
{
    add(figures, false);
    if (other != nullptr) {
        add(*other, true);
    }
}

// Waits

double placeOf(Duration time)
{
    return std::log10(std::max(static_cast<double>(time.count()), kShortestUs));
}

ChartSeries waitBars(const trace::Histogram& waits, bool isOther)
{
    ChartSeries series;
    series.shape = isOther ? Shape::Steps : Shape::Bars;
    series.isOther = isOther;
    for (const TimeBin& bin : timeBins(waits, kBinsPerDecade)) {
        const double share = static_cast<double>(bin.count) / static_cast<double>(waits.count());
        const QString readout = UiText::tr("%1 waits (%2) from %3 to %4")
                                    .arg(countText(bin.count), percentText(share),
                                         latencyText(bin.from), latencyText(bin.to));
        series.marks.push_back({placeOf(bin.from), placeOf(bin.to), share * 100, readout});
    }
    return series;
}

ChartSeries waitCurve(const trace::Histogram& waits, bool isOther)
{
    ChartSeries series;
    series.shape = Shape::Curve;
    series.isOther = isOther;
    series.isOnRight = true;
    for (const CumulativePoint& point : cumulativeOf(waits)) {
        const double x = placeOf(point.at);
        series.marks.push_back({x, x, point.share,
                                UiText::tr("%1 of all waits are at most %2")
                                    .arg(percentText(point.share), latencyText(point.at))});
    }
    return series;
}

/// 1, 2 and 5 of every decade around the bars, and the axis from the first to the last of them.
void fitTimes(ChartContent& content)
{
    double least = content.xTo;
    double most = content.xFrom;
    for (const ChartSeries& series : content.series) {
        if (!series.marks.empty()) {
            least = std::min(least, series.marks.front().from);
            most = std::max(most, series.marks.back().to);
        }
    }
    constexpr double kNearly = 1e-3; // the bins' edges are whole microseconds
    std::vector<ChartTick> ticks;
    bool isBeyond = false;
    for (Duration decade{1}; !isBeyond; decade *= 10) {
        for (const int digit : {1, 2, 5}) {
            const Duration time = decade * digit;
            const double at = std::log10(static_cast<double>(time.count()));
            if (at <= least + kNearly) {
                ticks.clear();
            }
            if (!isBeyond) {
                ticks.push_back({at, tickText(Instant(time))});
            }
            isBeyond = isBeyond || at >= most - kNearly;
        }
    }
    content.xFrom = ticks.front().at;
    content.xTo = ticks.back().at;
    if (content.xTo - content.xFrom > kDecadesWithAllTicks) {
        std::erase_if(ticks, [](const ChartTick& tick) {
            return std::abs(tick.at - std::round(tick.at)) > kNearly;
        });
    }
    content.xTicks = std::move(ticks);
}

// Rates

QString rateReadout(const RateBin& bin)
{
    const QString rate = UiText::tr("%1 per second").arg(numberText(bin.perSecond));
    const QString when = UiText::tr("from %1 to %2").arg(tickText(bin.from), tickText(bin.to));
    return bin.count ? UiText::tr("%1 acquisitions, %2, %3").arg(countText(*bin.count), rate, when)
                     : UiText::tr("%1, %2").arg(rate, when);
}

double secondsOf(Instant at)
{
    return std::chrono::duration<double>(at.time_since_epoch()).count();
}

void fitTimeline(ChartContent& content, VisibleRange range)
{
    content.xFrom = secondsOf(range.from);
    content.xTo = secondsOf(range.to);
    for (const Tick& tick : ticks(range, kTimeTicks, 1)) {
        content.xTicks.push_back({secondsOf(tick.at), tickText(tick.at)});
    }
}

std::optional<VisibleRange> timesOf(const RunFigures& figures, const RunFigures* other)
{
    std::optional<VisibleRange> times;
    addEachRun(figures, other, [&times](const RunFigures& run, bool) {
        if (run.rates.empty()) {
            return;
        }
        const VisibleRange own{run.rates.front().from,
                               std::max(run.rates.back().to, Instant(run.duration))};
        times = times ? VisibleRange{std::min(times->from, own.from), std::max(times->to, own.to)}
                      : own;
    });
    return times;
}

// Shares

ChartSeries shareBars(const RunFigures& run, bool isOther)
{
    ChartSeries series;
    series.shape = isOther ? Shape::Steps : Shape::Bars;
    series.isOther = isOther;
    const std::vector<ContenderShare> shares = sharesOf(run);
    if (shares.size() > kSeparateBarsAtMost) {
        series.barFrom = 0;
        series.barTo = 1;
    }
    double at = 0;
    for (const ContenderShare& share : shares) {
        series.marks.push_back({at, at + 1, share.share * 100,
                                UiText::tr("%1: %2 acquisitions, %3")
                                    .arg(share.name, countText(share.acquisitions),
                                         percentText(share.share))});
        ++at;
    }
    return series;
}

void nameContenders(ChartContent& content, const RunFigures& figures, std::size_t count)
{
    if (count > kNamesAtMost) {
        content.xTitle = UiText::tr("%1, in descending order")
                             .arg(countedText(static_cast<std::int64_t>(count),
                                              UiText::tr("contender"), UiText::tr("contenders")));
        return;
    }
    content.areTicksNames = true;
    double at = 0.5;
    for (const ContenderShare& share : sharesOf(figures)) {
        content.xTicks.push_back({at++, share.shortName});
        if (share.shortName != share.name) {
            content.xTitle = UiText::tr("number of the contender");
        }
    }
}

// Effort

struct Effort {
    QString name;
    std::uint64_t count = 0;
    bool isCounted = true;
};

std::array<Effort, 3> effortsOf(const RunStatistics& statistics)
{
    return {Effort{UiText::tr("attempts"), statistics.tries},
            Effort{UiText::tr("renewals"), statistics.renewals},
            Effort{UiText::tr("commands"), statistics.commands, statistics.commands > 0}};
}

ChartSeries effortBars(const RunStatistics& statistics, bool isOther, bool areTwo)
{
    ChartSeries series;
    series.isOther = isOther;
    series.barFrom = isOther ? 0.52 : areTwo ? 0.16 : 0.25;
    series.barTo = areTwo && !isOther ? 0.48 : areTwo ? 0.84 : 0.75;
    double at = 0;
    for (const Effort& effort : effortsOf(statistics)) {
        const double each = static_cast<double>(effort.count)
                            / static_cast<double>(statistics.acquisitions);
        const QString readout = effort.isCounted ? UiText::tr("%1 %2 per acquisition, %3 in total")
                                                       .arg(numberText(each), effort.name,
                                                            countText(effort.count))
                                                 : UiText::tr("%1: not recorded").arg(effort.name);
        series.marks.push_back({at, at + 1, each, readout});
        ++at;
    }
    return series;
}

} // namespace

ChartContent waitChart(const RunFigures& figures, const RunFigures* other)
{
    ChartContent content;
    content.title = UiText::tr("Distribution of waits");
    content.emptyText = UiText::tr("No waiting contender acquired the lock.");
    content.xFrom = std::log10(kShortestUs);
    content.xTo = 12; // the longest time that a histogram has is below
    addEachRun(figures, other, [&content](const RunFigures& run, bool isOther) {
        if (run.statistics.wait.count() > 0) {
            content.series.push_back(waitBars(run.statistics.wait, isOther));
        }
    });
    addEachRun(figures, other, [&content](const RunFigures& run, bool isOther) {
        if (run.statistics.wait.count() > 0) {
            content.series.push_back(waitCurve(run.statistics.wait, isOther));
        }
    });
    if (!content.series.empty()) {
        content.note = UiText::tr("bars: share · line: cumulative");
        content.rightTicks = {{0, u"0 %"_s}, {0.5, u"50 %"_s}, {1, u"100 %"_s}};
        fitTimes(content);
        fitHeight(content, u" %"_s);
    }
    return content;
}

ChartContent rateChart(const RunFigures& figures, const RunFigures* other)
{
    ChartContent content;
    content.title = UiText::tr("Acquisitions per second");
    content.emptyText = UiText::tr("No timeline is available: these figures combine several runs.");
    const auto times = timesOf(figures, other);
    if (!times) {
        return content;
    }
    addEachRun(figures, other, [&content](const RunFigures& run, bool isOther) {
        ChartSeries series;
        series.shape = Shape::Steps;
        series.isOther = isOther;
        for (const RateBin& bin : run.rates) {
            series.marks.push_back({secondsOf(bin.from), secondsOf(bin.to), bin.perSecond,
                                    rateReadout(bin)});
        }
        if (!series.marks.empty()) {
            content.series.push_back(std::move(series));
        }
    });
    content.note = UiText::tr("over time");
    if (other != nullptr && content.series.size() < 2) {
        content.note = UiText::tr("no timeline is available for one of the two runs");
    }
    fitTimeline(content, *times);
    fitHeight(content);
    return content;
}

ChartContent shareChart(const RunFigures& figures, const RunFigures* other)
{
    ChartContent content;
    content.title = UiText::tr("Share of each contender");
    content.emptyText = UiText::tr("No contender acquired the lock.");
    const RunStatistics& statistics = figures.statistics;
    const std::size_t count = statistics.acquisitionsOf.size();
    if (statistics.acquisitions == 0 || count == 0) {
        return content;
    }
    std::size_t widest = count;
    addEachRun(figures, other, [&](const RunFigures& run, bool isOther) {
        content.series.push_back(shareBars(run, isOther));
        widest = std::max(widest, run.statistics.acquisitionsOf.size());
    });
    content.note = UiText::tr("Jain %1, %2 · dots: even")
                       .arg(numberText(statistics.jainFairness()),
                            fairnessWord(statistics, static_cast<int>(count)));
    content.xTo = static_cast<double>(widest);
    content.level = 100.0 / static_cast<double>(count);
    nameContenders(content, figures, widest);
    fitHeight(content, u" %"_s);
    return content;
}

ChartContent effortChart(const RunFigures& figures, const RunFigures* other)
{
    ChartContent content;
    content.title = UiText::tr("Effort per acquisition");
    content.emptyText = UiText::tr("No contender acquired the lock.");
    addEachRun(figures, other, [&content, other](const RunFigures& run, bool isOther) {
        if (run.statistics.acquisitions > 0) {
            content.series.push_back(effortBars(run.statistics, isOther, other != nullptr));
        }
    });
    if (content.series.empty()) {
        return content;
    }
    const std::array<Effort, 3> efforts = effortsOf(figures.statistics);
    for (const Effort& effort : efforts) {
        content.xTicks.push_back({static_cast<double>(content.xTicks.size()) + 0.5, effort.name});
    }
    content.areTicksNames = true;
    content.note = efforts.back().isCounted ? QString() : UiText::tr("commands: not recorded");
    content.xTo = static_cast<double>(efforts.size());
    fitHeight(content);
    return content;
}

} // namespace lockscope::models
