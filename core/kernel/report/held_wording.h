#pragma once

#include "core/kernel/inspect/lock_record.h"

#include <string>

namespace lockscope::report {

/// "Held", "Held for writing", "3 permits held": who has it, in short.
std::string heldHow(const inspect::LockRecord& record);

/// A span of the past: whole seconds, no false precision ("4 s", "41 m", "5 h 12 m").
std::string ageText(Duration age);

/// A single look says nothing about how long the lock has been held.
bool isFirstLook(const inspect::LockRecord& record, Instant now);

/// Its key is to stay, and its holds end on their own, or are not known.
bool endsElsewhere(const inspect::LockRecord& record);

} // namespace lockscope::report
