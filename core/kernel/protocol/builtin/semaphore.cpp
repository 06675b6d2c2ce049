#include "core/kernel/protocol/builtin/builtin.h"
#include "core/kernel/protocol/builtin/our_steps.h"
#include "core/kernel/protocol/builtin/steps.h"
#include "core/kernel/store/script.h"
#include "protocol_scripts.h"

// N permits: a sorted set of tokens by the instant at which each runs out, by the server's clock.
// A client that comes removes the expired tokens and enters while there are fewer than N.
namespace lockscope::protocol::builtin {

namespace {

using store::Outcome;

class Semaphore final : public LockProtocol {
public:
    const ProtocolInfo& info() const override { return m_info; }

    async::Task<AcquireOutcome> attempt(Contender& self, LockRequest request) const override
    {
        const Instant sentAt = self.now();
        const Bytes token = self.freshToken();
        const Outcome outcome = co_await store::runScript(
            self.node().commands, scripts::kSemaphoreAcquire, store::wordsOf(request.key),
            store::wordsOf(token, toMs(request.lease), request.permits));
        co_return listedOutcome(outcome, grantFor(request, token, sentAt, self.now()));
    }

    async::Task<RenewOutcome> renew(Contender& self, Grant grant) const override
    {
        const Instant sentAt = self.now();
        const Outcome outcome = co_await store::runScript(
            self.node().commands, scripts::kSemaphoreRenew, store::wordsOf(grant.request.key),
            store::wordsOf(grant.token, toMs(grant.request.lease)));
        if (auto failure = renewFailure(outcome)) {
            co_return *failure;
        }
        switch (integerIn(outcome).value_or(0)) {
        case 1: co_return Renewed{sentAt + grant.request.lease};
        case -1: co_return NotHeld{};
        default: co_return Uncertain{unexpectedReply(), std::nullopt};
        }
    }

    async::Task<ReleaseOutcome> release(Contender& self, Grant grant) const override
    {
        const Outcome outcome = co_await store::runScript(self.node().commands,
                                                          scripts::kSemaphoreRelease,
                                                          store::wordsOf(grant.request.key),
                                                          store::wordsOf(grant.token));
        if (auto failure = releaseFailure(outcome)) {
            co_return *failure;
        }
        switch (integerIn(outcome).value_or(0)) {
        case 1: co_return Released{};
        case -1: co_return NotHeld{};
        default: co_return Uncertain{unexpectedReply(), std::nullopt};
        }
    }

private:
    const ProtocolInfo m_info = describe();

    static ProtocolInfo describe()
    {
        using namespace std::chrono_literals;
        ProtocolInfo info = descriptionOf("semaphore");
        info.needs = {{"acquire", ServerFeature::ScriptTime},
                      {"renew", ServerFeature::ScriptTime},
                      {"release", ServerFeature::ScriptTime}};
        info.defaults.retry.jitter = 50ms;
        info.hasPermits = true;
        info.canRenew = true;
        return info;
    }
};

} // namespace

const LockProtocol& semaphore()
{
    static const Semaphore kProtocol;
    return kProtocol;
}

} // namespace lockscope::protocol::builtin
