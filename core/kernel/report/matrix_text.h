#pragma once

#include "core/kernel/report/row_verdict.h"

#include <span>
#include <string>
#include <vector>

namespace lockscope::report {

/// Rows of cells: a head with the names of the faults, then one row per protocol, the best first:
/// its id, its verdict and its cells. The reports come protocol by protocol, the same faults in the
/// same order for each. `never`: what must not happen.
std::vector<std::vector<std::string>> matrixRows(std::span<const CellReport> cells,
                                                 std::span<const search::Harm> never);

/// What the cells mean, one line each.
std::string matrixLegend(std::span<const search::Harm> never);

/// The rows as a table in Markdown.
std::string matrixMarkdown(std::span<const CellReport> cells, std::span<const search::Harm> never);

/// A line per cell and promise, behind a head with the names of the columns. No word in it holds a
/// comma.
std::string matrixCsv(std::span<const CellReport> cells);

} // namespace lockscope::report
