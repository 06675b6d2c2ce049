#include "core/kernel/search/random_pick.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace lockscope::search {

using world::Step;

namespace {

/// Each run draws its own rate up to this: some see hardly a fault, others many.
constexpr double kFaultRateMax = 0.3;

} // namespace

/// Two streams of numbers: which faults are drawn does not change the draws of the order.
RandomPicker::RandomPicker(Rng rng, int clientCount, Picking picking, int changeCount)
    : m_order(rng.split()),
      m_faults(rng.split()),
      m_picking(picking),
      m_faultRate(m_faults.fraction() * kFaultRateMax),
      m_priorities(static_cast<std::size_t>(clientCount) + 1)
{
    std::iota(m_priorities.begin(), m_priorities.end(), 1);
    for (std::size_t i = m_priorities.size(); i > 1; --i) {
        std::swap(m_priorities[i - 1], m_priorities[m_order.below(i)]);
    }
    for (int i = 0; i < changeCount; ++i) {
        m_changes.push_back(m_order.below(kPriorityReach));
    }
}

std::size_t RandomPicker::pick(std::span<const Step> steps)
{
    const auto isFault = [](const Step& step) { return step.kind == Step::Kind::Fault; };
    // Worlds list faults last, except before the beginning, where there is one other step.
    const auto firstFault = std::ranges::find_if(steps, isFault);
    const auto usualCount = static_cast<std::size_t>(
        std::ranges::count_if(steps, [&isFault](const Step& step) { return !isFault(step); }));
    const std::size_t faultCount = steps.size() - usualCount;
    if (faultCount > 0 && (usualCount == 0 || m_faults.fraction() < m_faultRate)) {
        return static_cast<std::size_t>(firstFault - steps.begin()) + m_faults.below(faultCount);
    }
    ++m_stepCount;
    const std::size_t begin = firstFault == steps.begin() ? faultCount : 0;
    const std::span<const Step> usual = steps.subspan(begin, usualCount);
    return begin
           + (m_picking == Picking::Uniform ? m_order.below(usualCount)
                                            : pickByPriority(usual, usualCount));
}

/// The clients are the threads of PCT. Late requests and time have one priority of their own, as if
/// the network were one more thread; chanceOf() counts it as one.
int RandomPicker::priorityOf(const Step& step) const
{
    if (step.kind == Step::Kind::Serve && step.client + 1U < m_priorities.size()) {
        return m_priorities[step.client];
    }
    return m_priorities.back();
}

std::size_t RandomPicker::pickByPriority(std::span<const Step> steps, std::size_t count)
{
    std::size_t best = 0;
    for (std::size_t i = 1; i < count; ++i) {
        if (priorityOf(steps[i]) > priorityOf(steps[best])) {
            best = i;
        }
    }
    const auto change = std::ranges::find(m_changes, m_stepCount);
    if (change != m_changes.end() && steps[best].kind == Step::Kind::Serve) {
        // In any order among themselves, below all of the beginning.
        m_priorities[steps[best].client] = -static_cast<int>(change - m_changes.begin());
    }
    return best;
}

} // namespace lockscope::search
