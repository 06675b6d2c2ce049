#include "ui/models/charts/chart_content.h"

#include "ui/models/formatting.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace lockscope::models {

using Shape = ChartSeries::Shape;

namespace {

constexpr Duration kFinest = std::chrono::microseconds(10);

/// The edge between two bins; bin i reaches from edge i to edge i + 1.
Duration edgeOf(int bin, int binsPerDecade)
{
    const double us = static_cast<double>(kFinest.count())
                      * std::pow(10.0, static_cast<double>(bin) / binsPerDecade);
    return Duration(std::llround(us));
}

int binOf(Duration time, int binsPerDecade)
{
    if (time <= kFinest) {
        return 0;
    }
    const double decades = std::log10(static_cast<double>(time.count())
                                      / static_cast<double>(kFinest.count()));
    return static_cast<int>(decades * binsPerDecade);
}

constexpr double kStepsAtMost = 4;
/// niceCeiling() knows no numbers below 1.
constexpr double kFraction = 1e6;

double distanceOf(const ChartMark& mark, double x)
{
    return std::max({mark.from - x, x - mark.to, 0.0});
}

const ChartMark* markAt(const ChartSeries& series, double x)
{
    const auto nearest = std::ranges::min_element(series.marks, {}, [x](const ChartMark& mark) {
        return distanceOf(mark, x);
    });
    if (nearest == series.marks.end()) {
        return nullptr;
    }
    const bool speaks = series.shape == Shape::Curve || distanceOf(*nearest, x) == 0;
    return speaks ? &*nearest : nullptr;
}

double axisStep(double value)
{
    return niceCeiling(value * kFraction / kStepsAtMost) / kFraction;
}

QString axisText(double value)
{
    return value >= 1000 ? countText(std::llround(value)) : QString::number(value, 'g', 4);
}

bool hasTwoRuns(const ChartContent& content)
{
    return std::ranges::any_of(content.series, &ChartSeries::isOther);
}

} // namespace

double niceCeiling(double value)
{
    if (!(value > 1)) {
        return 1;
    }
    const double decade = std::pow(10.0, std::floor(std::log10(value)));
    for (const double step : {1.0, 2.0, 5.0}) {
        if (step * decade >= value) {
            return step * decade;
        }
    }
    return 10 * decade;
}

std::vector<TimeBin> timeBins(const trace::Histogram& histogram, int binsPerDecade)
{
    std::vector<TimeBin> bins;
    if (histogram.count() == 0) {
        return bins;
    }
    std::size_t first = SIZE_MAX;
    for (std::size_t i = 0; i < trace::Histogram::kBarCount; ++i) {
        const trace::Histogram::Bar bar = histogram.barAt(i);
        if (bar.count == 0) {
            continue;
        }
        const auto bin = static_cast<std::size_t>(binOf(bar.from + (bar.to - bar.from) / 2,
                                                        binsPerDecade));
        if (bin >= bins.size()) {
            bins.resize(bin + 1);
        }
        bins[bin].count += bar.count;
        first = std::min(first, bin);
    }
    for (std::size_t i = 0; i < bins.size(); ++i) {
        bins[i].from = i == 0 ? Duration(0) : edgeOf(static_cast<int>(i), binsPerDecade);
        bins[i].to = edgeOf(static_cast<int>(i) + 1, binsPerDecade);
    }
    bins.erase(bins.begin(), bins.begin() + static_cast<std::ptrdiff_t>(first));
    return bins;
}

std::optional<ChartReadout> readoutAt(const ChartContent& content, double x, const QString& ours,
                                      const QString& theirs)
{
    const bool areNamed = hasTwoRuns(content);
    std::optional<ChartReadout> readout;
    QStringList lines;
    for (const ChartSeries& series : content.series) {
        const ChartMark* const mark = markAt(series, x);
        if (mark == nullptr || mark->readout.isEmpty()) {
            continue;
        }
        if (!readout) {
            readout = ChartReadout{mark->from, mark->to, {}};
        }
        const QString& run = series.isOther ? theirs : ours;
        lines += areNamed ? run + QStringLiteral(": ") + mark->readout : mark->readout;
    }
    if (readout) {
        readout->text = lines.join(u'\n');
    }
    return readout;
}

std::optional<double> nextPlace(const ChartContent& content, std::optional<double> x, int step)
{
    if (content.series.empty() || content.series.front().marks.empty()) {
        return std::nullopt;
    }
    const std::vector<ChartMark>& marks = content.series.front().marks;
    const auto last = std::ssize(marks) - 1;
    std::ptrdiff_t index = step > 0 ? 0 : last;
    if (x) {
        const auto at = std::ranges::min_element(marks, {}, [x](const ChartMark& mark) {
            return distanceOf(mark, *x);
        });
        index = std::clamp<std::ptrdiff_t>(at - marks.begin() + step, 0, last);
    }
    const ChartMark& mark = marks[static_cast<std::size_t>(index)];
    return (mark.from + mark.to) / 2;
}

double axisTop(double value)
{
    const double step = axisStep(value);
    return std::max(std::ceil(value / step - 1e-9), 1.0) * step;
}

std::vector<ChartTick> axisTicks(double value, const QString& unit)
{
    const double step = axisStep(value);
    const auto count = std::lround(axisTop(value) / step);
    std::vector<ChartTick> ticks;
    for (long i = 0; i <= count; ++i) {
        const double at = static_cast<double>(i) * step;
        ticks.push_back({at, axisText(at) + unit});
    }
    return ticks;
}

} // namespace lockscope::models
