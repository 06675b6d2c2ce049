#pragma once

#include "core/kernel/inspect/lock_record.h"

#include <cstdint>
#include <optional>

namespace lockscope::inspect {

/// How a hold is kept alive: a timer of its client renews it at even intervals.
struct RenewalRhythm {
    Duration every{0};       // rounded: the instants of renewals are only measured
    std::int64_t missed = 0; // renewals that should have come since the last one
    friend bool operator==(const RenewalRhythm&, const RenewalRhythm&) = default;
};

/// nullopt: too few renewals were seen to tell, or they come at any time, as for a session that is
/// prolonged by its use.
std::optional<RenewalRhythm> rhythmOf(const LockRecord& record, Instant now);

/// When a second renewal in a row is missing, unless one comes: from then on rhythmOf() counts two.
/// nullopt: it is not renewed at even intervals.
std::optional<Instant> missesTwoRenewalsFrom(const LockRecord& record);

/// Renewed at even intervals of a sixth to six sevenths of its lease, as the clients of locks do.
/// Data is prolonged whenever it is used.
bool isRenewedLikeLock(const LockRecord& record);

/// What a lock does says more than its name and its value: it was renewed like one, released, and
/// taken again by another owner.
void promoteForBehaviour(LockRecord& record);

} // namespace lockscope::inspect
