#include "ui/models/charts/chart_content.h"

#include "ui/models/charts/chart_geometry.h"
#include "ui/models/formatting.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace lockscope::models {

using Shape = ChartSeries::Shape;

namespace {

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
