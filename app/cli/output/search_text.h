#pragma once

#include "app/cli/commands/command_list.h"
#include "core/kernel/base/time.h"
#include "core/kernel/report/cell_report.h"
#include "core/kernel/report/matrix_text.h"

#include <optional>
#include <span>
#include <string>

// What explore, simulate and matrix print for people: pure functions from values to text.
namespace lockscope::cli {

std::string exploreText(const ExploreArguments& arguments,
                        std::span<const report::CellReport> cells);

std::string simulateText(const SimulateArguments& arguments, const report::CellReport& cell);

/// The table with its legend, and what was covered. `elapsed` is nullopt where a merge cannot know.
std::string matrixText(std::span<const report::CellReport> cells, const report::MatrixLook& look,
                       std::optional<Duration> elapsed);

/// The shortest way to break something, numbered; empty when nothing broke.
std::string headlineText(std::span<const report::CellReport> cells);

} // namespace lockscope::cli
