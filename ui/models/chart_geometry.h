#pragma once

#include "base/time.h"
#include "rate_series.h"
#include "trace/histogram.h"

#include <QPointF>
#include <QPolygonF>
#include <QRectF>

#include <span>
#include <vector>

// Where the marks of the two small charts of a live run stand. Pure geometry: the widgets only
// paint what these return.
namespace lockscope::models {

/// The smallest of 1, 2, 5, 10, 20, 50 … that is not below `value`; at least 1.
double niceCeiling(double value);

/// The samples as a line in `area`: time from 0 to `span` from left to right, rates from 0 to `top`
/// upwards. Samples beyond an edge are drawn on it.
QPolygonF rateLine(std::span<const RateSample> samples, Duration span, double top,
                   const QRectF& area);

/// Times of equal length on a logarithmic scale, and how many of the recorded ones are in it.
struct TimeBin {
    Duration from{0};
    Duration to{0};
    std::uint64_t count = 0;
};

/// The distribution as bins, `binsPerDecade` to a factor of ten, from the first that has something
/// in it to the last, and empty ones behind it until there are `leastCount`. Times below 10 µs are
/// all in the first possible bin. Empty when nothing was recorded.
std::vector<TimeBin> timeBins(const trace::Histogram& histogram, int binsPerDecade,
                              std::size_t leastCount = 1);

/// A bar for each bin, as high as its share of the fullest one, with a gap of `gap` between them.
/// Bins with anything in them are at least one unit high.
std::vector<QRectF> binBars(std::span<const TimeBin> bins, const QRectF& area, double gap);

/// Where a time stands on the scale of the bins; on the edge when it is beyond them.
double xOfTime(Duration time, std::span<const TimeBin> bins, const QRectF& area);

} // namespace lockscope::models
