#pragma once

#include "core/kernel/trace/run_steps.h"
#include "ui/models/timeline/event_rows.h"
#include "ui/models/timeline/timeline_scale.h"

// Between the two axes of a simulated run: what is shown by time, and the same by its steps.
namespace lockscope::models {

/// Where a line of the list of events, which is by time, stands in the chronicle by steps.
Instant stepOf(const EventRow& row, const trace::Chronicle& inSteps, const trace::RunSteps& steps);

/// When a step was over.
Instant timeOfStep(Instant step, const trace::RunSteps& steps);

/// The time that a range of steps took.
VisibleRange timesOf(VisibleRange range, const trace::RunSteps& steps);

} // namespace lockscope::models
