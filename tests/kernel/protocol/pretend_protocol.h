#pragma once

#include "core/kernel/protocol/lock_protocol.h"

#include <deque>
#include <stdexcept>
#include <utility>
#include <vector>

namespace lockscope::testing {

/// A protocol whose steps answer as the test says, each for itself; the last answer of a step is
/// given again and again.
class PretendProtocol final : public protocol::LockProtocol {
public:
    const protocol::ProtocolInfo& info() const override { return m_info; }

    async::Task<protocol::AcquireOutcome> attempt(protocol::Contender&,
                                                  protocol::LockRequest) const override
    {
        co_return next(attempts);
    }
    async::Task<protocol::RenewOutcome> renew(protocol::Contender& self,
                                              protocol::Grant) const override
    {
        renewedAt.push_back(self.now());
        co_return next(renewals);
    }
    async::Task<protocol::ReleaseOutcome> release(protocol::Contender&,
                                                  protocol::Grant) const override
    {
        co_return next(releases);
    }

    // What the steps are going to answer.
    mutable std::deque<protocol::AcquireOutcome> attempts;
    mutable std::deque<protocol::RenewOutcome> renewals;
    mutable std::deque<protocol::ReleaseOutcome> releases;
    /// When the renewals came.
    mutable std::vector<Instant> renewedAt;

private:
    template<class Outcome>
    static Outcome next(std::deque<Outcome>& outcomes)
    {
        if (outcomes.empty()) {
            throw std::logic_error("nobody expected this step");
        }
        Outcome outcome = outcomes.front();
        if (outcomes.size() > 1) {
            outcomes.pop_front();
        }
        return outcome;
    }

    protocol::ProtocolInfo m_info;
};

/// Trouble that may pass, and trouble that stays.
inline protocol::Unavailable away()
{
    return protocol::Unavailable{store::Problem{store::Problem::Kind::NotConnected, {}, {}, {}}};
}
inline protocol::Unavailable refusedByServer()
{
    return protocol::Unavailable{store::Problem{store::Problem::Kind::NoPermission, {}, {}, {}}};
}
inline protocol::Uncertain unanswered()
{
    return protocol::Uncertain{store::Problem{store::Problem::Kind::ConnectionLost, {}, {}, {}},
                               {}};
}

} // namespace lockscope::testing
