#pragma once

#include "core/kernel/inspect/observation.h"
#include "core/kernel/inspect/release_plan.h"

#include <optional>

namespace lockscope::inspect {

/// For so long after a release it makes sense to offer its undoing.
inline constexpr Duration kUndoOffered = std::chrono::seconds(60);

/// The plan that makes a released lock anew, with the value that was seen before the release and
/// with what would be left of its time by `now` (on the clock of the observation). It does nothing
/// where something is under the key again.
///
/// nullopt where that is not known or would not be the whole: the release was no deletion of one
/// key, a string or a hash that was read whole; or the lock would have expired by now.
///
/// Its holder may have noticed the release already: the lock is back, but whether anybody relies on
/// it cannot be known.
std::optional<ReleasePlan> undoPlan(const ReleasePlan& released, const LockSnapshot& seen,
                                    Instant now);

} // namespace lockscope::inspect
