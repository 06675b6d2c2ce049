#pragma once

#include "core/kernel/base/rng.h"
#include "core/kernel/world/step.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lockscope::search {

/// How a random run picks its next step.
enum class Picking : std::uint8_t {
    Uniform,  // every possible step alike, faults now and then
    Priority, // the client with the highest priority goes first; the order changes at a few random
              // places (PCT, Burckhardt et al. 2010)
};

/// The steps of a run among which those are drawn at which the order of priorities changes. Most
/// runs of these worlds are no longer.
inline constexpr std::uint64_t kPriorityReach = 40;

/// Picks the steps of one random run. The same numbers give the same picks.
class RandomPicker {
public:
    /// `changeCount`: of Priority, how often the client with the highest priority becomes the last.
    RandomPicker(Rng rng, int clientCount, Picking picking, int changeCount);

    /// The index of one of the steps, of which there is at least one.
    std::size_t pick(std::span<const world::Step> steps);

private:
    std::size_t pickByPriority(std::span<const world::Step> steps, std::size_t count);
    int priorityOf(const world::Step& step) const;

    Rng m_order;
    Rng m_faults;
    Picking m_picking;
    double m_faultRate;
    std::vector<int> m_priorities;        // by client; the last is that of late requests
    std::vector<std::uint64_t> m_changes; // the steps at which the order changes
    std::uint64_t m_stepCount = 0;
};

} // namespace lockscope::search
