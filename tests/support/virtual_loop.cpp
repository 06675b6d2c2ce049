#include "tests/support/virtual_loop.h"

#include <optional>

namespace lockscope::testing {

namespace {

/// What runs on and on at one instant is stuck in a loop.
constexpr int kStepsMax = 1'000'000;

} // namespace

void VirtualLoop::settle()
{
    for (int step = 0; step < kStepsMax; ++step) {
        if (!m_executor.runOne()) {
            return;
        }
    }
    throw std::logic_error("the tasks go round in circles");
}

void VirtualLoop::advance(Duration span)
{
    const Instant end = m_clock.now() + span;
    settle();
    for (std::optional<Instant> next = m_clock.nextWake(); next && *next <= end;
         next = m_clock.nextWake()) {
        m_clock.moveTo(*next);
        settle();
    }
    m_clock.moveTo(end);
    settle();
}

} // namespace lockscope::testing
