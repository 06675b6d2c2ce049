#pragma once

#include "core/kernel/report/advice.h"
#include "core/kernel/report/lock_json.h"

namespace lockscope::report {

/// The costs belong to the protocols of the advice, in its
/// order; those that do not suit need none.
Json adviceJson(const AdviceQuestion& question, const Advice& advice,
                std::span<const std::optional<AdviceCost>> costs);

} // namespace lockscope::report
