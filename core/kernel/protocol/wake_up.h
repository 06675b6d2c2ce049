#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/protocol/contender.h"
#include "core/kernel/store/channels.h"

namespace lockscope::protocol {

/// Goes on once the subscription is confirmed, cannot be had at the moment, or at `deadline`.
async::Task<void> waitUntilListening(Contender& self, store::Subscription& subscription,
                                     Instant deadline);

/// Goes on with the next message; also when messages may have been missed (after a reconnection),
/// when the contender is interrupted, and at `deadline`.
async::Task<void> waitForMessage(Contender& self, store::Subscription& subscription,
                                 Instant deadline);

} // namespace lockscope::protocol
