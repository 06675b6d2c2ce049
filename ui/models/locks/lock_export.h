#pragma once

#include <string>

namespace lockscope::models {

class LockTableModel;

/// The locks that the table shows, in its order, as `lockscope-cli list --format csv` writes them.
std::string shownLocksAsCsv(const LockTableModel& locks);

/// The same as `list --format json`.
std::string shownLocksAsJson(const LockTableModel& locks);

} // namespace lockscope::models
