#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/protocol/contender.h"
#include "core/kernel/protocol/lock_request.h"

#include <string_view>

// What the read-write locks have in common.
namespace lockscope::protocol::builtin {

/// A request that does not ask for reading writes.
bool isForReading(const LockRequest& request);

/// "key:read" and "key:write": the two keys of a lock that keeps its sides apart.
Bytes readKeyOf(std::string_view key);
Bytes writeKeyOf(std::string_view key);

/// Of a hash with the fields `read` and `write`: removes the grant's side if its token stands
/// there.
async::Task<ReleaseOutcome> removeStamp(Contender& self, Grant grant);

} // namespace lockscope::protocol::builtin
