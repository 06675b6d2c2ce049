#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/protocol/contender.h"
#include "core/kernel/protocol/lock_request.h"
#include "core/kernel/protocol/protocol_info.h"

#include <memory>

namespace lockscope::protocol {

/// One way of locking with Redis, written once: it cannot tell whether the servers, the clock and
/// the luck it is given are real. Immutable; everything that changes is on the servers, in the
/// grant, or in the client's memory. Any number of contenders on any threads use one object.
///
/// The tasks refer to the protocol and to the contender, which outlive them.
class LockProtocol {
public:
    virtual ~LockProtocol() = default;

    virtual const ProtocolInfo& info() const = 0;

    /// One try.
    virtual async::Task<AcquireOutcome> attempt(Contender& self, LockRequest request) const = 0;

    /// Tries until granted, the request's limits are used up, or the contender is interrupted. By
    /// default: attempt(), with the pauses of the request's retry policy in between. Protocols
    /// whose waiters are woken have a wait of their own.
    virtual async::Task<AcquireOutcome> acquire(Contender& self, LockRequest request) const;

    /// Begins the lease anew. By default there is no such step: Unavailable.
    virtual async::Task<RenewOutcome> renew(Contender& self, Grant grant) const;

    /// Gives one hold back.
    virtual async::Task<ReleaseOutcome> release(Contender& self, Grant grant) const = 0;

    /// For each client program that uses the protocol.
    virtual std::unique_ptr<ClientMemory> makeMemory() const
    {
        return std::make_unique<ClientMemory>();
    }
};

} // namespace lockscope::protocol
