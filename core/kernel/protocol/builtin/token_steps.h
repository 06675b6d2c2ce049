#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/protocol/lock_protocol.h"

#include <utility>

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

/// A lock of nothing but these steps, with a fresh token for every try. What else there is to say
/// of it is in its info.
class TokenLock : public LockProtocol {
public:
    explicit TokenLock(ProtocolInfo info) : m_info(std::move(info)) {}

    const ProtocolInfo& info() const override { return m_info; }
    async::Task<AcquireOutcome> attempt(Contender& self, LockRequest request) const override;
    async::Task<RenewOutcome> renew(Contender& self, Grant grant) const override;
    async::Task<ReleaseOutcome> release(Contender& self, Grant grant) const override;

private:
    const ProtocolInfo m_info;
};

} // namespace lockscope::protocol::builtin
