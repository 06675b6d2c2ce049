#pragma once

#include "core/kernel/protocol/lock_protocol.h"

#include <memory>

namespace lockscope::protocol {

/// Another protocol of one server, whose grants count only when a replica has them: each grant is
/// followed by WAIT (redis.io, "WAIT"), and given back when no replica acknowledges it in time or
/// the connection is another one by then. Waiters poll, also where those of the other protocol are
/// woken.
///
/// WAIT does not make a grant last: a failover to a replica that lacks later writes, or to one of
/// several that is not the one which acknowledged, loses them as before.
class ReplicatedLock final : public LockProtocol {
public:
    explicit ReplicatedLock(std::shared_ptr<const LockProtocol> lock) : m_lock(std::move(lock)) {}

    const ProtocolInfo& info() const override { return m_lock->info(); }
    async::Task<AcquireOutcome> attempt(Contender& self, LockRequest request) const override;
    async::Task<RenewOutcome> renew(Contender& self, Grant grant) const override
    {
        return m_lock->renew(self, std::move(grant));
    }
    async::Task<ReleaseOutcome> release(Contender& self, Grant grant) const override
    {
        return m_lock->release(self, std::move(grant));
    }
    std::unique_ptr<ClientMemory> makeMemory() const override { return m_lock->makeMemory(); }

private:
    std::shared_ptr<const LockProtocol> m_lock;
};

} // namespace lockscope::protocol
