#pragma once

#include "app/cli/session/prove_order.h"
#include "core/kernel/base/time.h"

#include <string>

namespace lockscope::cli {

/// What prove prints for people.
std::string proveText(const ProveOrder& order, const ProveOutcome& outcome, Duration elapsed);

} // namespace lockscope::cli
