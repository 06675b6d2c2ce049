#pragma once

#include "app/cli/commands/command_list.h"
#include "core/kernel/report/remedy_checks.h"
#include "core/service/search_runner.h"

#include <span>
#include <vector>

// From what was typed to what is searched.
namespace lockscope::cli {

/// One task per kind of fault; for a scenario without --faults a single one.
std::vector<search::SearchTask> tasksOf(const ExploreArguments& arguments);

/// One task, whose plans allow everything that was named: every run leaves out a random half.
std::vector<search::SearchTask> tasksOf(const SimulateArguments& arguments);

/// Protocol by protocol.
std::vector<search::SearchTask> tasksOf(const MatrixArguments& arguments);

/// The same, without protocols that are out of the question whatever a search says.
std::vector<search::SearchTask> tasksOf(const AdviseArguments& arguments);

/// What else is to be searched for it, check by check.
std::vector<search::SearchTask> tasksOf(const AdviseArguments& arguments,
                                        std::span<const report::RemedyCheck> checks);

/// The one protocol.
std::vector<search::SearchTask> tasksOf(const LintArguments& arguments);

} // namespace lockscope::cli
