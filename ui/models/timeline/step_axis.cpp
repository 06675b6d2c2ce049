#include "ui/models/timeline/step_axis.h"

#include <algorithm>

namespace lockscope::models {

Instant stepOf(const EventRow& row, const trace::Chronicle& inSteps, const trace::RunSteps& steps)
{
    using enum EventRow::Kind;
    switch (row.kind) {
    case Begin: return inSteps.spans.at(row.index).from;
    case End: return inSteps.spans.at(row.index).to;
    case Mark: return inSteps.marks.at(row.index).at;
    case ServerHold: return inSteps.serverHolds.at(row.index).from;
    case ServerHoldEnd: return inSteps.serverHolds.at(row.index).to;
    case Message: return inSteps.messages.at(row.index).sentAt;
    case Overlap:     // more of them by steps: they are not the same ones
    case Note: break; // of real programs, whose runs have no steps
    }
    return trace::instantOfStep(steps.stepAt(row.at));
}

Instant timeOfStep(Instant step, const trace::RunSteps& steps)
{
    const std::int64_t number = std::max<std::int64_t>(step.time_since_epoch().count(), 0);
    return steps.timeOf(static_cast<std::uint32_t>(number));
}

VisibleRange timesOf(VisibleRange range, const trace::RunSteps& steps)
{
    return {timeOfStep(range.from, steps), timeOfStep(range.to, steps)};
}

} // namespace lockscope::models
