#pragma once

#include "core/service/live_runner.h"
#include "ui/models/lab/lab_draft.h"

namespace lockscope::models {

/// The draft as a live run on private servers of its own, ten seconds long. Of the faults those
/// come along that a contender can do to itself, each at one hold in twenty: crashes and pauses.
workload::LiveRunOrder liveOrderOf(const LabDraft& draft);

} // namespace lockscope::models
