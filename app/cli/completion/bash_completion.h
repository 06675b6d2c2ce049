#pragma once

#include "app/cli/completion/completion_facts.h"

#include <span>
#include <string>

namespace lockscope::cli {

/// What bash reads to complete calls of these programs.
std::string bashCompletion(std::span<const CompletedProgram> programs);

} // namespace lockscope::cli
