#include "ui/models/charts/chart_geometry.h"

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

} // namespace lockscope::models
