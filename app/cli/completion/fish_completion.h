#pragma once

#include "app/cli/completion/completion_facts.h"

#include <span>
#include <string>

namespace lockscope::cli {

/// What fish reads to complete calls of these programs.
std::string fishCompletion(std::span<const CompletedProgram> programs);

} // namespace lockscope::cli
