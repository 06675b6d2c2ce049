#pragma once

#include "core/kernel/report/cell_report.h"
#include "core/kernel/report/run/run_json.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lockscope::report {

/// What runJson() needs of a search of one protocol.
RunReport searchReport(std::string_view mode, std::span<const CellReport> cells);

/// A run of `explore` and `simulate`: the documented members, and behind them "complete" and
/// "faults", which says the same of every kind of fault.
Json searchJson(const RunReport& report, std::span<const CellReport> cells);

/// The entries of `matrix` for one cell, one per promise.
std::vector<Json> matrixEntries(const CellReport& cell);

} // namespace lockscope::report
