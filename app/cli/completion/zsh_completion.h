#pragma once

#include "app/cli/completion/completion_facts.h"

#include <span>
#include <string>

namespace lockscope::cli {

/// What zsh reads to complete calls of these programs.
std::string zshCompletion(std::span<const CompletedProgram> programs);

} // namespace lockscope::cli
