#pragma once

#include "core/kernel/inspect/release_plan.h"

#include <string>
#include <string_view>

namespace lockscope::cli {

/// What a release does, for people: its steps, numbered, then the command with its script in lines
/// of its own. Every line begins with `indent`.
std::string planText(const inspect::ReleasePlan& plan, std::string_view indent);

} // namespace lockscope::cli
