#pragma once

#include "app/option_set.h"
#include "core/kernel/search/harm.h"

#include <vector>

namespace lockscope::cli {

/// --never: what must not happen. `never` holds what is meant where the option is not given, and
/// outlives the options.
void declareNever(app::OptionSet& options, std::vector<search::Harm>& never);

} // namespace lockscope::cli
