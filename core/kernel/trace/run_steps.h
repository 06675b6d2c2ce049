#pragma once

#include "core/kernel/base/time.h"
#include "core/kernel/trace/chronicle.h"
#include "core/kernel/trace/event.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lockscope::trace {

/// The steps of a simulated run, in which many things happen in one instant: those that a story
/// numbers, from 1. What was there from the beginning has the number 0.
struct RunSteps {
    std::vector<Instant> times;            // when each was over, by its number
    std::vector<std::uint32_t> eventSteps; // of each event of the run, in their order

    bool isKnown() const { return !times.empty(); }
    /// The last one where there are not so many.
    Instant timeOf(std::uint32_t step) const;
    /// The first that was over at that time or later, or else the last.
    std::uint32_t stepAt(Instant time) const;

    friend bool operator==(const RunSteps&, const RunSteps&) = default;
};

/// How a step stands on the axis of a chronicle in steps.
constexpr Instant instantOfStep(std::uint32_t step)
{
    return Instant(Duration(step));
}

/// A run once more, by the order of its steps instead of their time. Spans, marks, server holds and
/// messages keep their places in their lists, and so do overlaps. `steps` are known, and of these
/// `events`.
Chronicle chronicleInSteps(std::span<const Event> events, const Chronicle& run,
                           const RunSteps& steps, int permits);

} // namespace lockscope::trace
