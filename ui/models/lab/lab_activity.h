#pragma once

#include "core/service/live_runner.h"
#include "core/service/proof_runner.h"
#include "core/service/search_runner.h"

#include <QString>

namespace lockscope::models {

/// What the laboratory is doing, in one line.
struct LabActivity {
    bool isUnderWay = false;
    bool isPaused = false;
    bool canPause = true;
    bool isStopping = false;
    double share = 0; // that is done, 0 to 1
    QString text;     // "12,345 schedules · 98,765/s · about 4 s left"
};

LabActivity activityOf(const service::SearchProgress& progress);
LabActivity activityOf(const workload::LiveRunProgress& progress);
/// `budget`: how long the search may take.
LabActivity activityOf(const service::ProofProgress& progress, Duration budget);

} // namespace lockscope::models
