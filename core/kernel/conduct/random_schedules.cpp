#include "core/kernel/conduct/random_schedules.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lockscope::conduct {

namespace {

/// So many candidates are looked at for each deviation that a run may have.
constexpr int kDrawsForEach = 20;

bool fits(const Deviation& next, const std::vector<Deviation>& known)
{
    return std::ranges::all_of(known,
                               [&next](const Deviation& one) { return areApart(one, next); });
}

/// What `drawOne` comes up with, as long as it fits.
template<class DrawOne>
std::vector<Deviation> drawApart(int count, DrawOne drawOne)
{
    std::vector<Deviation> drawn;
    for (int draws = count * kDrawsForEach; draws > 0 && static_cast<int>(drawn.size()) < count;
         --draws) {
        const Deviation* const next = drawOne();
        if (next != nullptr && fits(*next, drawn)) {
            drawn.push_back(*next);
        }
    }
    return drawn;
}

} // namespace

RandomSchedules::RandomSchedules(std::vector<Deviation> candidates)
    : m_candidates(std::move(candidates))
{
    for (const Deviation& one : m_candidates) {
        const bool isOrder = one.kind == Interference::DelayRequest && one.leap == Leap::None;
        if (!isOrder) {
            continue;
        }
        const auto known = std::ranges::find_if(m_delays, [&one](const auto& delays) {
            return delays.front().message == one.message;
        });
        (known != m_delays.end() ? *known : m_delays.emplace_back()).push_back(one);
    }
}

std::vector<Deviation> RandomSchedules::draw(int countMax, Rng& rng) const
{
    const auto choices = static_cast<std::uint64_t>(countMax - kCountMin) + 1;
    const int count = kCountMin + static_cast<int>(rng.below(choices));
    const bool isOrderPossible = m_delays.size() >= static_cast<std::size_t>(kCountMin);
    return isOrderPossible && rng.below(2) == 0 ? drawOrder(count, rng) : drawKinds(count, rng);
}

std::vector<Deviation> RandomSchedules::drawKinds(int count, Rng& rng) const
{
    std::array<bool, static_cast<std::size_t>(Interference::InterferenceCount)> isIn{};
    for (bool& one : isIn) {
        one = rng.below(2) == 0;
    }
    return drawApart(count, [&]() -> const Deviation* {
        const Deviation& next = m_candidates[rng.below(m_candidates.size())];
        return isIn[static_cast<std::size_t>(next.kind)] ? &next : nullptr;
    });
}

std::vector<Deviation> RandomSchedules::drawOrder(int count, Rng& rng) const
{
    return drawApart(count, [&]() -> const Deviation* {
        const std::vector<Deviation>& delays = m_delays[rng.below(m_delays.size())];
        return &delays[rng.below(delays.size())];
    });
}

} // namespace lockscope::conduct
