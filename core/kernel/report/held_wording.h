#pragma once

#include "core/kernel/inspect/lock_record.h"

#include <string>

namespace lockscope::report {

/// "Held", "Held for writing", "3 permits held": who has it, in short.
std::string heldHow(const inspect::LockRecord& record);

/// Its key is to stay, and its holds end on their own, or are not known.
bool endsElsewhere(const inspect::LockRecord& record);

} // namespace lockscope::report
