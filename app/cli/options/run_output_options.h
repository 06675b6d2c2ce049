#pragma once

#include "app/cli/output/run_outputs.h"
#include "app/option_set.h"

namespace lockscope::cli {

/// --export, --to and --save-run.
void declareRunOutputs(app::OptionSet& options, RunOutputs& outputs);

/// Throws an ArgumentError where one of --export and --to is without the other.
void checkRunOutputs(const RunOutputs& outputs);

} // namespace lockscope::cli
