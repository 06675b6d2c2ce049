#pragma once

#include "app/cli/commands/command_list.h"
#include "core/kernel/lint/lint.h"

#include <span>
#include <string>

namespace lockscope::cli {

/// What is proved with its stories, what is suspected, and how far the search went.
std::string lintText(const LintArguments& arguments, const lint::Lint& lint,
                     std::span<const report::CellReport> cells);

} // namespace lockscope::cli
