#pragma once

#include "inspect/lock_record.h"
#include "inspect/release_plan.h"

#include <cstdint>

namespace lockscope::inspect {

/// What a change means for somebody who looked at a hold before and is about to end it.
enum class HoldNews : std::uint8_t {
    Same,       // it is that hold still, as far as can be told
    Released,   // it was released
    Expired,    // it ran out
    Taken,      // there is another hold by now
    HolderLeft, // a holder that was there is not any more, others are
    Moved,      // nobody is named, and the expiry is another one: renewed, or released and taken
};

/// `looked` is the lock as it was read at its firstSeen; what was noticed before does not count.
HoldNews newsOf(const LockRecord& looked, const LockChange& change);

/// Whether what the plan compares differs from one hold to the next: an owner, a stamp, or at least
/// the exact instant of expiry. If not, a hold that began since the look is ended just as well, and
/// only newsOf() can tell.
bool tellsHoldsApart(const ReleasePlan& plan);

} // namespace lockscope::inspect
