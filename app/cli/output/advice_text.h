#pragma once

#include "core/kernel/report/advice.h"

#include <optional>
#include <span>
#include <string>

namespace lockscope::cli {

/// What `advise` prints for people. The costs belong to the protocols of the advice, in its
/// order; those that do not suit need none.
std::string adviceText(const report::AdviceQuestion& question, const report::Advice& advice,
                       std::span<const std::optional<report::AdviceCost>> costs);

} // namespace lockscope::cli
