#include "tests/mutation/changed_client.h"

#include <variant>

namespace lockscope::mutation {

using namespace std::chrono_literals;
using protocol::AcquireOutcome;
using protocol::Grant;
using protocol::RenewOutcome;

namespace {

/// A request without an answer counts as granted.
void believeInTheUnknown(AcquireOutcome& outcome)
{
    if (const auto* const uncertain = std::get_if<protocol::Uncertain>(&outcome)) {
        outcome = Grant(*uncertain->possible);
    }
}

void trustForever(AcquireOutcome& outcome)
{
    if (Grant* const grant = protocol::grantOf(outcome)) {
        grant->trustedUntil.reset();
    }
}

void trustTooLong(AcquireOutcome& outcome)
{
    Grant* const grant = protocol::grantOf(outcome);
    if (grant != nullptr && grant->trustedUntil) {
        *grant->trustedUntil += grant->request.lease / 2;
    }
}

void overlookLoss(RenewOutcome& outcome)
{
    if (std::holds_alternative<protocol::NotHeld>(outcome)) {
        outcome = protocol::Renewed{};
    }
}

} // namespace

const std::array<ClientMistake, 5> kClientMistakes{{
    {.operation = "believe-in-the-unknown", .ofAcquire = believeInTheUnknown, .isOfOneTry = true},
    {.operation = "trust-forever", .ofAcquire = trustForever, .needsExpiry = true},
    {.operation = "trust-too-long", .ofAcquire = trustTooLong, .needsExpiry = true},
    {.operation = "overlook-loss", .ofRenew = overlookLoss, .needsRenewal = true},
    {.operation = "skip-release", .skipsRelease = true},
}};

async::Task<AcquireOutcome> ChangedClient::attempt(protocol::Contender& self,
                                                   protocol::LockRequest request) const
{
    AcquireOutcome outcome = co_await m_lock->attempt(self, std::move(request));
    if (m_mistake.ofAcquire != nullptr) {
        m_mistake.ofAcquire(outcome);
    }
    co_return outcome;
}

async::Task<AcquireOutcome> ChangedClient::acquire(protocol::Contender& self,
                                                   protocol::LockRequest request) const
{
    if (m_mistake.isOfOneTry) {
        co_return co_await LockProtocol::acquire(self, std::move(request)); // by attempt()
    }
    AcquireOutcome outcome = co_await m_lock->acquire(self, std::move(request));
    if (m_mistake.ofAcquire != nullptr) {
        m_mistake.ofAcquire(outcome);
    }
    co_return outcome;
}

async::Task<RenewOutcome> ChangedClient::renew(protocol::Contender& self, Grant grant) const
{
    RenewOutcome outcome = co_await m_lock->renew(self, std::move(grant));
    if (m_mistake.ofRenew != nullptr) {
        m_mistake.ofRenew(outcome);
    }
    co_return outcome;
}

async::Task<protocol::ReleaseOutcome> ChangedClient::release(protocol::Contender& self,
                                                             Grant grant) const
{
    if (m_mistake.skipsRelease) {
        co_return protocol::Released{grant.holds - 1};
    }
    co_return co_await m_lock->release(self, std::move(grant));
}

} // namespace lockscope::mutation
