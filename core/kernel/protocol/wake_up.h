#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/protocol/lock_protocol.h"
#include "core/kernel/store/channels.h"

namespace lockscope::protocol {

/// Goes on once the subscription is confirmed, cannot be had at the moment, or at `deadline`.
async::Task<void> waitUntilListening(Contender& self, store::Subscription& subscription,
                                     Instant deadline);

/// Goes on with the next message; also when messages may have been missed (after a reconnection),
/// when the contender is interrupted, and at `deadline`.
async::Task<void> waitForMessage(Contender& self, store::Subscription& subscription,
                                 Instant deadline);

/// A refused client listens to `channel`, tries once more, and then again with every message, or
/// when the hold in the way would have run out.
async::Task<AcquireOutcome> acquireListening(const LockProtocol& protocol, Contender& self,
                                             LockRequest request, Bytes channel);

} // namespace lockscope::protocol
