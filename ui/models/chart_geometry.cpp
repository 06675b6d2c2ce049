#include "chart_geometry.h"

#include <algorithm>
#include <cmath>

namespace lockscope::models {

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

double shareOf(double part, double whole)
{
    return whole > 0 ? std::clamp(part / whole, 0.0, 1.0) : 0.0;
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

QPolygonF rateLine(std::span<const RateSample> samples, Duration span, double top,
                   const QRectF& area)
{
    QPolygonF line;
    line.reserve(static_cast<qsizetype>(samples.size()));
    for (const RateSample& sample : samples) {
        const double across = shareOf(static_cast<double>(sample.at.count()),
                                      static_cast<double>(span.count()));
        const double up = shareOf(sample.perSecond, top);
        line.append({area.left() + across * area.width(), area.bottom() - up * area.height()});
    }
    return line;
}

std::vector<TimeBin> timeBins(const trace::Histogram& histogram, int binsPerDecade,
                              std::size_t leastCount)
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
    bins.resize(std::max(bins.size(), first + leastCount));
    for (std::size_t i = 0; i < bins.size(); ++i) {
        bins[i].from = i == 0 ? Duration(0) : edgeOf(static_cast<int>(i), binsPerDecade);
        bins[i].to = edgeOf(static_cast<int>(i) + 1, binsPerDecade);
    }
    bins.erase(bins.begin(), bins.begin() + static_cast<std::ptrdiff_t>(first));
    return bins;
}

std::vector<QRectF> binBars(std::span<const TimeBin> bins, const QRectF& area, double gap)
{
    std::uint64_t fullest = 0;
    for (const TimeBin& bin : bins) {
        fullest = std::max(fullest, bin.count);
    }
    std::vector<QRectF> bars;
    const double pitch = bins.empty() ? 0 : area.width() / static_cast<double>(bins.size());
    for (std::size_t i = 0; i < bins.size(); ++i) {
        double height = area.height()
                        * shareOf(static_cast<double>(bins[i].count), static_cast<double>(fullest));
        if (bins[i].count > 0) {
            height = std::max(height, 1.0);
        }
        bars.emplace_back(area.left() + static_cast<double>(i) * pitch, area.bottom() - height,
                          std::max(pitch - gap, 1.0), height);
    }
    return bars;
}

double xOfTime(Duration time, std::span<const TimeBin> bins, const QRectF& area)
{
    if (bins.empty() || time <= bins.front().from) {
        return area.left();
    }
    const double pitch = area.width() / static_cast<double>(bins.size());
    for (std::size_t i = 0; i < bins.size(); ++i) {
        if (time >= bins[i].to) {
            continue;
        }
        const double from = std::max(1.0, static_cast<double>(bins[i].from.count()));
        const auto to = static_cast<double>(bins[i].to.count());
        const double within = std::log(static_cast<double>(time.count()) / from)
                              / std::log(to / from);
        return area.left() + pitch * (static_cast<double>(i) + std::clamp(within, 0.0, 1.0));
    }
    return area.right();
}

} // namespace lockscope::models
