#pragma once

#include "core/kernel/inspect/lock_record.h"

#include <optional>

// The usual length of a lock's holds, judged by those before.
namespace lockscope::inspect {

/// The longest of the last holds that were watched; nullopt: too few were.
std::optional<Duration> usualLengthOf(const LockRecord& record);

/// Until then it may be renewed again and again without a reason to wonder: others took as long.
/// nullopt: what is usual is not known.
std::optional<Instant> usualUntil(const LockRecord& record);

/// From then on it is held far longer than usual, and silent, unless it is renewed: its holder may
/// hang, or have died. nullopt: what is usual is not known.
std::optional<Instant> overdueFrom(const LockRecord& record);

} // namespace lockscope::inspect
