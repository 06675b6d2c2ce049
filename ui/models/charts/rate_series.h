#pragma once

#include "core/kernel/base/time.h"

#include <span>
#include <vector>

namespace lockscope::models {

/// How fast something went at one moment of a run.
struct RateSample {
    Duration at{0};
    double perSecond = 0;
};

/// A rate over the time of a run. Of a long run it keeps coarser samples, so that there are never
/// more than a screen can show.
class RateSeries {
public:
    static constexpr std::size_t kSamplesAtMost = 1200;

    void clear();
    /// `at` does not go back; a sample closer to the one before than the resolution is left out.
    void add(RateSample sample);

    std::span<const RateSample> samples() const { return m_samples; }
    double largest() const;

private:
    void coarsen();

    std::vector<RateSample> m_samples;
    Duration m_resolution{0};
};

} // namespace lockscope::models
