#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/base/clock.h"
#include "core/kernel/inspect/formats/format_table.h"
#include "core/kernel/inspect/release_plan.h"
#include "core/kernel/store/store.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace lockscope::inspect {

/// What the answer to a plan's command means.
ReleaseReport reportOf(const store::Outcome& outcome);

/// What the answers to a guarded plan's transaction (MULTI, the plan's command, EXEC) mean.
ReleaseReport reportOfGuarded(const std::vector<store::Outcome>& outcomes);

/// What the answer to the command of an undoPlan() means: also that of SET NX, besides the
/// script's.
ReleaseReport reportOfRestore(const store::Outcome& outcome);

/// Carries the plan out on one server: one script that compares and only then acts. A plan with a
/// guard has to be carried out on the store that guards it; when that has lost its connection
/// since, nothing is sent. When the lock turns out to have changed hands, who has it now is read
/// and reported.
async::Task<ReleaseReport> execute(store::Store& store, Clock& clock, std::uint16_t server,
                                   ReleasePlan plan);

/// One report for a plan that ran on several servers. Unknown outweighs everything, then
/// Refused: Released needs at least one server that released and none on which the hold may live
/// on.
ReleaseReport summaryOf(std::vector<std::pair<std::uint16_t, ReleaseReport>> reports);

/// How long to watch who takes the lock next: `usual`, or for as long as the renewal of a holder
/// that lives on may take to bring it back. Where that is only possible, long leases are not waited
/// for.
Duration followPatience(const ReleasePlan& plan, Duration usual);

/// Watches for a while who takes the lock next. Ends at the first new hold, or after `patience`.
async::Task<NextHold> follow(store::Store& store, Clock& clock, std::uint16_t server,
                             ReleasePlan released, Instant releasedAt, Duration patience,
                             FormatTablePtr formats = builtinFormatTable());

} // namespace lockscope::inspect
