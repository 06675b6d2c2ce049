#pragma once

#include "core/kernel/report/cell_report.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::report {

/// What stands in a cell of the matrix: "7" a promise broke in 7 steps, "(7)" only something that
/// is not promised did, "ok" nothing did, "ok?" nothing did before the search was cut, "!" nothing
/// could, "-" the fault makes no difference to the protocol, "" not searched.
std::string cellText(const CellReport& cell);

/// Rows of cells: a head with the names of the faults, then one row per protocol. The reports come
/// protocol by protocol, the same faults in the same order for each.
std::vector<std::vector<std::string>> matrixRows(std::span<const CellReport> cells);

/// What the cells mean, one line each.
std::string_view matrixLegend();

/// The rows as a table in Markdown.
std::string matrixMarkdown(std::span<const CellReport> cells);

/// A line per cell and promise, behind a head with the names of the columns. No word in it holds a
/// comma.
std::string matrixCsv(std::span<const CellReport> cells);

} // namespace lockscope::report
