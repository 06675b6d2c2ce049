#pragma once

#include "core/kernel/report/run/run_file.h"

#include <QString>

#include <variant>

namespace lockscope::models {

/// The run in a file, or why there is none, in a sentence. A counterexample is replayed. Reads and
/// replays before it returns.
std::variant<report::RunFile, QString> openedRun(const QString& path);

} // namespace lockscope::models
