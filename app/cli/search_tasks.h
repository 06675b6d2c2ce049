#pragma once

#include "cli/search_arguments.h"
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
