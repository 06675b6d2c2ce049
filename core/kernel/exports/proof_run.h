#pragma once

#include "core/kernel/conduct/proof.h"
#include "core/kernel/report/run/run_file.h"

#include <string>
#include <vector>

namespace lockscope::exports {

/// What real processes did in the run of a find: what they say that they hold, their requests, what
/// they wrote and the story. Libraries name their keys as they like, so that holds on the server
/// are not known; only the hold that the find calls late is there, with its end. `adapter`: the
/// words that started them. The command that does it again is up to the caller.
report::RunFile runFileOf(const conduct::Find& find, const std::vector<std::string>& adapter);

} // namespace lockscope::exports
