#pragma once

#include "core/kernel/report/cell_report.h"
#include "core/kernel/report/run/run_file.h"

namespace lockscope::exports {

/// The run in which a promise broke, recorded to its end and told. What ran it, and the command
/// that does it again, are up to the caller.
report::RunFile runFileOf(const report::SavedProtocol& protocol,
                          const report::CellVerdict& verdict);

} // namespace lockscope::exports
