#pragma once

#include "core/kernel/base/rng.h"
#include "core/kernel/conduct/deviation.h"

#include <cstddef>
#include <vector>

namespace lockscope::conduct {

/// Draws the deviations of runs at random from the candidates of one workload: in half of the runs
/// some kinds of faults, in the others changes of the order.
class RandomSchedules {
public:
    static constexpr int kCountMin = 2; // single ones are tried without chance

    explicit RandomSchedules(std::vector<Deviation> candidates);

    /// There is something to draw from.
    bool hasAny() const { return m_candidates.size() >= static_cast<std::size_t>(kCountMin); }

    /// At most `countMax` of them, which is kCountMin or more; fewer where no more fit together.
    std::vector<Deviation> draw(int countMax, Rng& rng) const;

    /// Of some kinds of faults alone, which differ from run to run: all of them together hide what
    /// few of them show (A. Groce et al., "Swarm testing", 2012).
    std::vector<Deviation> drawKinds(int count, Rng& rng) const;

    /// Of the order alone. Each change of it falls on any request with the same chance, however
    /// many ways there are to delay it, and then ends in any of these ways: the chance of a certain
    /// combination falls with the number of requests, and not with that of all candidates. After S.
    /// Burckhardt et al., "A randomized scheduler with probabilistic guarantees of finding bugs",
    /// 2010.
    std::vector<Deviation> drawOrder(int count, Rng& rng) const;

private:
    std::vector<Deviation> m_candidates;
    std::vector<std::vector<Deviation>> m_delays; // within a lease, by request
};

} // namespace lockscope::conduct
