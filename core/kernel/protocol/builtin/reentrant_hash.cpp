#include "core/kernel/protocol/builtin/builtin.h"
#include "core/kernel/protocol/builtin/redisson_steps.h"
#include "core/kernel/protocol/builtin/steps.h"
#include "core/kernel/store/script.h"
#include "protocol_scripts.h"

#include <algorithm>
#include <utility>

// EXISTS, HEXISTS, HINCRBY, EXPIRE in one script: a hash from owner to count. The unlock counts
// down and leaves the expiry alone (lock-flaws 19, 43).
namespace lockscope::protocol::builtin {

namespace {

using namespace std::chrono_literals;
using store::Outcome;

class ReentrantHash final : public LockProtocol {
public:
    const ProtocolInfo& info() const override { return m_info; }

    async::Task<AcquireOutcome> attempt(Contender& self, LockRequest request) const override
    {
        const auto lease = inWholeSeconds(request.lease);
        request.lease = lease;
        const Instant sentAt = self.now();
        const Outcome outcome = co_await store::runScript(
            self.node().commands, scripts::kReentrantHashLock, store::wordsOf(request.key),
            store::wordsOf(ownerField(self), lease.count()));
        co_return redissonOutcome(outcome, grantFor(request, ownerField(self), sentAt, self.now()));
    }

    async::Task<RenewOutcome> renew(Contender& self, Grant grant) const override
    {
        const auto lease = inWholeSeconds(grant.request.lease);
        const Instant sentAt = self.now();
        const Outcome outcome = co_await store::runScript(
            self.node().commands, scripts::kReentrantHashRenew, store::wordsOf(grant.request.key),
            store::wordsOf(grant.token, lease.count()));
        if (auto failure = renewFailure(outcome)) {
            co_return *failure;
        }
        switch (integerIn(outcome).value_or(-1)) {
        case 1: co_return Renewed{sentAt + lease};
        case 0: co_return NotHeld{};
        default: co_return Uncertain{unexpectedReply(), std::nullopt};
        }
    }

    async::Task<ReleaseOutcome> release(Contender& self, Grant grant) const override
    {
        const Outcome outcome = co_await store::runScript(self.node().commands,
                                                          scripts::kReentrantHashUnlock,
                                                          store::wordsOf(grant.request.key),
                                                          store::wordsOf(ownerField(self)));
        if (auto failure = releaseFailure(outcome)) {
            co_return *failure;
        }
        if (isNil(outcome)) {
            co_return NotHeld{};
        }
        switch (integerIn(outcome).value_or(-1)) {
        case 1: co_return Released{};
        case 0:
            co_return Released{std::max(grant.holds - 1, 1)}; // the answer does not say how many
        default: co_return Uncertain{unexpectedReply(), std::nullopt};
        }
    }

private:
    const ProtocolInfo m_info = describe();

    /// Not Redisson's "<client>:<task>": the two must not be taken for each other.
    static Bytes ownerField(const Contender& self)
    {
        return self.identity().client + '-' + std::to_string(self.identity().task);
    }

    static ProtocolInfo describe()
    {
        ProtocolInfo info = descriptionOf("reentrant-hash");
        info.needs = {{"acquire", ServerFeature::Scripts},
                      {"renew", ServerFeature::Scripts},
                      {"release", ServerFeature::Scripts}};
        info.defaults.lease = 30s;
        info.defaults.renewal.period = 10s;
        info.isReentrant = true;
        info.canRenew = true;
        return info;
    }
};

} // namespace

const LockProtocol& reentrantHash()
{
    static const ReentrantHash kProtocol;
    return kProtocol;
}

} // namespace lockscope::protocol::builtin
