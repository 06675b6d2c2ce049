#pragma once

#include "core/kernel/base/time.h"
#include "core/kernel/trace/histogram.h"

#include <vector>

// The scales of charts.
namespace lockscope::models {

/// The smallest of 1, 2, 5, 10, 20, 50 … that is not below `value`; at least 1.
double niceCeiling(double value);

/// Times of equal length on a logarithmic scale, and how many of the recorded ones are in it.
struct TimeBin {
    Duration from{0};
    Duration to{0};
    std::uint64_t count = 0;
};

/// The distribution as bins, `binsPerDecade` to a factor of ten, from the first that has something
/// in it to the last. Times below 10 µs are all in the first possible bin. Empty when nothing was
/// recorded.
std::vector<TimeBin> timeBins(const trace::Histogram& histogram, int binsPerDecade);

} // namespace lockscope::models
