#pragma once

#include "core/kernel/inspect/lock_record.h"

#include <cstdint>
#include <span>

namespace lockscope::inspect {

/// What a change means for a user who looked at a hold before and is about to end it.
enum class HoldChange : std::uint8_t {
    Same,       // it is that hold still, as far as can be told
    Released,   // it was released
    Expired,    // it ran out
    Taken,      // there is another hold by now
    HolderLeft, // a holder who is meant is not there any more, others are
    Moved,      // no owner is named, and the expiry changed: renewed, or released and taken
};

/// `looked` is the lock as it was read at its firstSeen; what was noticed before does not count.
/// `meant` are those of its holders whose hold is about to be ended; others come and go.
HoldChange holdChangeOf(const LockRecord& looked, std::span<const Holder> meant,
                        const LockChange& change);

} // namespace lockscope::inspect
