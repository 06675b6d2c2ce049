#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/protocol/lock_protocol.h"

#include <optional>

namespace lockscope::protocol {

/// A held lock: keeps it alive as the policy says, and knows the moment from which it can no longer
/// be trusted. Rings the contender's bell then, and with every renewal.
///
/// The destructor stops the renewals and releases nothing, as a crash does. `protocol` and `self`
/// outlive the hold. Not to be destroyed from inside its own release().
class Hold {
public:
    Hold(const LockProtocol& protocol, Contender& self, Grant grant, Renewal renewal);
    ~Hold();
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

    const Grant& grant() const { return m_grant; }
    const Renewal& renewal() const { return m_renewal; }

    /// Why the lock cannot be trusted any more, and since when; nullopt while it can.
    struct Loss {
        trace::LossReason reason;
        Instant at;
    };
    const std::optional<Loss>& loss() const { return m_loss; }
    int renewalCount() const { return m_renewalCount; }
    /// The first error with which the server answered a renewal or the release; nullopt: none.
    const std::optional<store::Problem>& errorReply() const { return m_errorReply; }

    /// Goes on when the hold is lost, at `deadline`, or when the contender is interrupted.
    async::Task<void> waitUntil(Instant deadline);

    /// An observer saw that the lock is not ours any more. Asks the server at once, by a renewal,
    /// where that keeps this hold; otherwise trusts the observer.
    async::Task<void> doubt(trace::LossReason reason);

    /// Stops renewing and gives the lock back, also after a loss: the server decides what is still
    /// there. Called once.
    async::Task<ReleaseOutcome> release();

    /// Another task of the same program gives the lock back, with what this one was granted. When
    /// the server refuses that, the renewals go on: nothing tells them to stop. `other` outlives
    /// the hold.
    async::Task<ReleaseOutcome> releaseBy(Contender& other);

private:
    async::Task<void> keep();
    async::Task<void> watchLease();
    async::Task<bool> renewOnce();
    /// The other holds of the same owner live and die with it.
    bool isOutermost() const { return m_grant.holds == 1; }
    bool mayRenewAgain() const;
    void noteTrouble(trace::RenewalFailure failure);
    void noteErrorReply(const store::Problem& problem);
    void lose(trace::LossReason reason);
    void stopKeeping();
    void recordEnd(const ReleaseOutcome& outcome);

    const LockProtocol& m_protocol;
    Contender& m_self;
    Grant m_grant;
    Renewal m_renewal;
    std::optional<Loss> m_loss;
    std::optional<trace::RenewalFailure> m_trouble; // of the renewals since the last good one
    std::optional<store::Problem> m_errorReply;
    int m_renewalTries = 0;
    int m_renewalCount = 0; // of the good ones
    async::BackgroundTask m_keeper;
    async::BackgroundTask m_leaseWatch;
};

} // namespace lockscope::protocol
