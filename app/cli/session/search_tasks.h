#pragma once

#include "cli/commands/explore_command.h"
#include "cli/commands/matrix_command.h"
#include "cli/commands/simulate_command.h"
#include "search_runner.h"

#include <vector>

// From what was typed to what is searched.
namespace lockscope::cli {

/// One task per kind of fault; for a scenario without --faults a single one.
std::vector<service::SearchTask> tasksOf(const ExploreArguments& arguments);

/// One task, whose plans allow everything that was named: every run leaves out a random half.
std::vector<service::SearchTask> tasksOf(const SimulateArguments& arguments);

/// Protocol by protocol.
std::vector<service::SearchTask> tasksOf(const MatrixArguments& arguments);

} // namespace lockscope::cli
