#pragma once

#include "core/kernel/inspect/observation.h"
#include "core/kernel/inspect/release_plan.h"

// Hazards of a release that depend on how long the lock would have lived.
namespace lockscope::inspect {

/// The renewal of a holder that lives on makes the key anew, or may do so. A renewal comes before
/// the key runs out: what is left of its time bounds how long that takes.
void addRecreation(ReleaseRecipe& recipe, ReleaseRecipe::Recreation recreation,
                   const Observation& key);

/// The waiters cannot be woken. They sleep for the time to live that they last saw, at most for
/// what is left of it now.
void addSleepingWaiters(ReleaseRecipe& recipe, const Observation& key);

} // namespace lockscope::inspect
