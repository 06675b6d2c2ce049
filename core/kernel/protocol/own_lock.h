#pragma once

#include "core/kernel/protocol/lock_protocol.h"
#include "core/kernel/protocol/own_step.h"

#include <optional>

namespace lockscope::protocol {

/// What a protocol file says.
struct OwnLockPlan {
    ProtocolInfo info;
    OwnStep acquire;
    std::optional<OwnStep> renew;
    OwnStep release;
    // What is run before such a step, as a request of its own.
    std::optional<OwnStep> acquireCheck;
    std::optional<OwnStep> renewCheck;
    std::optional<OwnStep> releaseCheck;
    std::optional<Word> wakeUpChannel; // that refused clients listen to

    // Positions in the answers (see numberAt) of further details.
    std::optional<int> remainingMsAt; // of a refusal: how long the hold in the way lasts
    std::optional<int> holdsAt;       // of a grant: how often its owner holds the lock now
    std::optional<int> fenceAt;       // of a grant: its fence
    std::optional<int> holdsLeftAt;   // of a release that leaves holds
};

/// A lock protocol from a file of the user's: three scripts, and how their answers are read.
/// Waiters poll, or listen to the channel on which the release tells them.
class OwnLock final : public LockProtocol {
public:
    explicit OwnLock(OwnLockPlan plan) : m_plan(std::move(plan)) {}

    const ProtocolInfo& info() const override { return m_plan.info; }

    async::Task<AcquireOutcome> acquire(Contender& self, LockRequest request) const override;
    async::Task<AcquireOutcome> attempt(Contender& self, LockRequest request) const override;
    async::Task<RenewOutcome> renew(Contender& self, Grant grant) const override;
    async::Task<ReleaseOutcome> release(Contender& self, Grant grant) const override;

private:
    async::Task<std::optional<AcquireOutcome>> failedAcquireCheck(Contender& self,
                                                                  Grant grant) const;
    async::Task<std::optional<RenewOutcome>> failedRenewCheck(Contender& self, Grant grant) const;
    async::Task<std::optional<ReleaseOutcome>> failedReleaseCheck(Contender& self,
                                                                  Grant grant) const;

    OwnLockPlan m_plan;
};

} // namespace lockscope::protocol
