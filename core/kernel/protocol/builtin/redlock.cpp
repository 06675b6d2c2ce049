#include "core/kernel/async/before.h"
#include "core/kernel/async/when_all.h"
#include "core/kernel/protocol/builtin/builtin.h"
#include "core/kernel/protocol/builtin/quorum.h"
#include "core/kernel/protocol/builtin/token_steps.h"

#include <algorithm>
#include <utility>
#include <vector>

// Redlock: the same token on N independent masters at once. A client with a majority of them and
// time left on the lease holds the lock; any other gives back what it may have got, also
// where no answer came. A fresh token for every try, so that a late clean-up of one try cannot hit
// the next (lock-flaws 55).
namespace lockscope::protocol::builtin {

namespace {

using namespace std::chrono_literals;
using store::Node;

constexpr Duration kNodeTimeOutMin = 5ms;
constexpr Duration kNodeTimeOutMax = 50ms;

/// A node that does not answer soon is passed over: 50 ms of a 10 s lease, less of a shorter one.
Duration nodeTimeOutFor(Duration lease)
{
    return std::clamp(lease / 200, kNodeTimeOutMin, kNodeTimeOutMax);
}

/// By how much the clocks of the nodes may disagree with ours while the lease lasts.
Duration driftAllowanceFor(Duration lease)
{
    return lease / 100 + 2ms;
}

/// What a node said, or Uncertain if it has said nothing within its time-out.
template<class StepOutcome>
async::Task<StepOutcome> inTime(Contender& self, Duration lease, async::Task<StepOutcome> step)
{
    const Instant deadline = self.now() + nodeTimeOutFor(lease);
    auto outcome = co_await async::before(self.executor(), self.clock(), deadline, std::move(step));
    if (outcome) {
        co_return std::move(*outcome);
    }
    co_return Uncertain{noAnswerInTime(), std::nullopt};
}

class Redlock final : public LockProtocol {
public:
    Redlock(ProtocolInfo info, Elapsed elapsed) : m_info(std::move(info)), m_elapsed(elapsed) {}

    const ProtocolInfo& info() const override { return m_info; }

    async::Task<AcquireOutcome> attempt(Contender& self, LockRequest request) const override
    {
        const Instant startedAt = self.now();
        Grant grant;
        grant.request = request;
        grant.token = self.freshToken();
        const std::vector<AcquireOutcome> votes = co_await takeEverywhere(self, grant);
        grant.grantedAt = self.now();
        grant.trustedUntil = validUntil(startedAt, grant.grantedAt, request.lease);
        const bool isInTime = grant.grantedAt < *grant.trustedUntil;
        if (isInTime && countOf<Boxed<Grant>>(votes) >= majorityOf(votes.size())) {
            co_return grant;
        }
        const std::size_t leftoverCount = co_await withdraw(self, grant, votes);
        co_return afterWithdrawal(votes, leftoverCount, std::move(grant));
    }

    async::Task<RenewOutcome> renew(Contender& self, Grant grant) const override
    {
        const Duration lease = grant.request.lease;
        const Instant startedAt = self.now();
        std::vector<async::Task<RenewOutcome>> steps;
        for (const Node& node : self.nodes()) {
            steps.push_back(inTime(self, lease, renewWithToken(self, node, grant)));
        }
        const auto votes = co_await async::whenAll(self.executor(), std::move(steps));
        co_return extension(votes, validUntil(startedAt, self.now(), lease), self.now());
    }

    async::Task<ReleaseOutcome> release(Contender& self, Grant grant) const override
    {
        std::vector<async::Task<ReleaseOutcome>> steps;
        for (const Node& node : self.nodes()) {
            steps.push_back(inTime(self, grant.request.lease, releaseWithToken(node, grant)));
        }
        co_return quorumRelease(co_await async::whenAll(self.executor(), std::move(steps)));
    }

private:
    const ProtocolInfo m_info;
    const Elapsed m_elapsed;

    Instant validUntil(Instant startedAt, Instant answeredAt, Duration lease) const
    {
        return m_elapsed == Elapsed::Subtracted ? startedAt + lease - driftAllowanceFor(lease)
                                                : answeredAt + lease;
    }

    static async::Task<std::vector<AcquireOutcome>> takeEverywhere(Contender& self, Grant grant)
    {
        std::vector<async::Task<AcquireOutcome>> steps;
        for (const Node& node : self.nodes()) {
            steps.push_back(inTime(self, grant.request.lease,
                                   takeWithToken(self, node, grant.request, grant.token)));
        }
        co_return co_await async::whenAll(self.executor(), std::move(steps));
    }

    /// Takes the token away from every node that has it or may have it. On how many it may still
    /// stand after that.
    static async::Task<std::size_t> withdraw(Contender& self, Grant grant,
                                             std::vector<AcquireOutcome> votes)
    {
        std::vector<async::Task<ReleaseOutcome>> steps;
        for (std::size_t i = 0; i < votes.size(); ++i) {
            if (isGranted(votes[i]) || std::holds_alternative<Uncertain>(votes[i])) {
                steps.push_back(inTime(self, grant.request.lease,
                                       releaseWithToken(self.nodes()[i], grant)));
            }
        }
        const auto answers = co_await async::whenAll(self.executor(), std::move(steps));
        co_return countOf<Unavailable>(answers) + countOf<Uncertain>(answers);
    }
};

ProtocolInfo describeRedlock(const std::string& id)
{
    ProtocolInfo info = descriptionOf(id);
    info.needs = {{"acquire", ServerFeature::SetOptions},
                  {"acquire", ServerFeature::SeveralMasters},
                  {"renew", ServerFeature::Scripts},
                  {"release", ServerFeature::Scripts}};
    info.keys = KeyUse::OnePerServer;
    info.defaults.lease = 10s;
    info.defaults.retry.interval = 50ms;
    info.defaults.retry.jitter = 150ms; // what voted against each other must not meet again
    info.canRenew = true;
    return info;
}

} // namespace

std::unique_ptr<const LockProtocol> redlockWith(const std::string& id, Elapsed elapsed)
{
    return std::make_unique<const Redlock>(describeRedlock(id), elapsed);
}

const LockProtocol& redlock()
{
    static const auto kProtocol = redlockWith("redlock", Elapsed::Subtracted);
    return *kProtocol;
}

} // namespace lockscope::protocol::builtin
