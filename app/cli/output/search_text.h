#pragma once

#include "app/cli/commands/command_list.h"
#include "core/kernel/report/cell_report.h"
#include "core/service/search_runner.h"

#include <span>
#include <string>

// What explore, simulate and matrix print for people: pure functions from values to text.
namespace lockscope::cli {

std::string exploreText(const ExploreArguments& arguments,
                        std::span<const report::CellReport> cells);

std::string simulateText(const SimulateArguments& arguments, const report::CellReport& cell);

/// The table with its legend, and what was covered.
std::string matrixTable(std::span<const report::CellReport> cells,
                        std::span<const search::Harm> never,
                        const service::SearchProgress& progress);

/// The shortest way to break something, numbered; empty when nothing broke.
std::string headlineText(std::span<const report::CellReport> cells);

} // namespace lockscope::cli
