#pragma once

#include "async/task.h"
#include "protocol/contender.h"
#include "protocol/lock_request.h"

// The steps of a lock whose value is its owner's token, on one server. Several protocols have them
// in common.
namespace lockscope::protocol::builtin {

/// SET key token NX PX lease.
async::Task<AcquireOutcome> takeWithToken(Contender& self, const store::Node& node,
                                          LockRequest request, Bytes token);

/// Begins the lease anew if the value is still the token.
async::Task<RenewOutcome> renewWithToken(Contender& self, const store::Node& node, Grant grant);

/// Deletes the key if the value is still the token.
async::Task<ReleaseOutcome> releaseWithToken(const store::Node& node, Grant grant);

} // namespace lockscope::protocol::builtin
