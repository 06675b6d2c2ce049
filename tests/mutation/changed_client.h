#pragma once

#include "core/kernel/protocol/lock_protocol.h"

#include <array>
#include <memory>
#include <string_view>
#include <utility>

namespace lockscope::mutation {

/// A mistake in how a client reads its answers.
struct ClientMistake {
    std::string_view operation; // docs/mutation.md
    void (*ofAcquire)(protocol::AcquireOutcome&) = nullptr;
    void (*ofRenew)(protocol::RenewOutcome&) = nullptr;
    bool isOfOneTry = false; // what a whole acquisition comes to may hide it
    bool skipsRelease = false;
    bool needsRenewal = false; // it shows only where a hold is renewed
    bool needsExpiry = false;
};

extern const std::array<ClientMistake, 5> kClientMistakes;

/// Another protocol, by a client that makes the mistake, which outlives the lock.
class ChangedClient final : public protocol::LockProtocol {
public:
    ChangedClient(std::shared_ptr<const protocol::LockProtocol> lock, const ClientMistake& mistake)
        : m_lock(std::move(lock)),
          m_mistake(mistake)
    {}

    const protocol::ProtocolInfo& info() const override { return m_lock->info(); }
    async::Task<protocol::AcquireOutcome> attempt(protocol::Contender& self,
                                                  protocol::LockRequest request) const override;
    async::Task<protocol::AcquireOutcome> acquire(protocol::Contender& self,
                                                  protocol::LockRequest request) const override;
    async::Task<protocol::RenewOutcome> renew(protocol::Contender& self,
                                              protocol::Grant grant) const override;
    async::Task<protocol::ReleaseOutcome> release(protocol::Contender& self,
                                                  protocol::Grant grant) const override;
    std::unique_ptr<protocol::ClientMemory> makeMemory() const override
    {
        return m_lock->makeMemory();
    }

private:
    std::shared_ptr<const protocol::LockProtocol> m_lock;
    const ClientMistake& m_mistake;
};

} // namespace lockscope::mutation
