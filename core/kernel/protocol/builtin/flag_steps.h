#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/protocol/contender.h"
#include "core/kernel/protocol/lock_request.h"

#include <string_view>

// The steps of a lock whose value names no owner. Deleting the key ends the hold, even if it is
// another client's by then (lock-flaws 11).
namespace lockscope::protocol::builtin {

constexpr std::string_view kFlag = "1";

/// DEL key, without a look at the value.
async::Task<ReleaseOutcome> deleteBlindly(Contender& self, Grant grant);

} // namespace lockscope::protocol::builtin
