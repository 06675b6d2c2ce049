#include "core/kernel/protocol/builtin/builtin.h"
#include "core/kernel/protocol/builtin/rw_steps.h"
#include "core/kernel/protocol/builtin/steps.h"
#include "protocol_scripts.h"

#include <utility>

// One hash with a field for every hold: what its owner does and until when, on the server's clock.
// No lease depends on another client's, no release touches another client's field, and expired
// fields are removed by the next client. A writer that has to wait leaves a short-lived
// field of its own, behind which new readers queue.
namespace lockscope::protocol::builtin {

namespace {

using namespace std::chrono_literals;
using store::Command;
using store::Outcome;

/// Room for the way to the server and back between two tries of a waiting writer.
constexpr Duration kPatienceMargin = 500ms;

class RwHashOwners final : public LockProtocol {
public:
    const ProtocolInfo& info() const override { return m_info; }

    async::Task<AcquireOutcome> attempt(Contender& self, LockRequest request) const override
    {
        const Instant sentAt = self.now();
        const Bytes owner = self.identity().owner();
        Bytes field = owner + ':' + self.freshToken();
        const Outcome outcome = co_await store::runScript(
            self.node().commands, scripts::kRwHashOwnersLock, store::wordsOf(request.key),
            store::wordsOf(isForReading(request) ? "read" : "write", field, owner,
                           toMs(request.lease), toMs(patienceOf(request))));
        Grant grant = grantFor(request, std::move(field), sentAt, self.now());
        if (auto failure = acquireFailure(outcome, grant)) {
            co_return *failure;
        }
        const std::int64_t remainingMs = integerIn(outcome).value_or(-1);
        if (remainingMs < 0) {
            co_return Uncertain{unexpectedReply(), std::move(grant)};
        }
        if (remainingMs > 0) {
            co_return Refused{std::chrono::milliseconds(remainingMs)};
        }
        co_return grant;
    }

    async::Task<AcquireOutcome> acquire(Contender& self, LockRequest request) const override
    {
        AcquireOutcome outcome = co_await LockProtocol::acquire(self, request);
        const bool isAnnounced = !isForReading(request) && patienceOf(request) > Duration(0);
        if (isAnnounced && !isGranted(outcome)) {
            Command withdraw("HDEL", request.key, self.identity().owner());
            co_await self.node().commands.submit(std::move(withdraw));
        }
        co_return outcome;
    }

    async::Task<RenewOutcome> renew(Contender& self, Grant grant) const override
    {
        const Instant sentAt = self.now();
        const Outcome outcome = co_await store::runScript(
            self.node().commands, scripts::kRwHashOwnersRenew, store::wordsOf(grant.request.key),
            store::wordsOf(grant.token, toMs(grant.request.lease)));
        co_return renewedIfOne(outcome, sentAt + grant.request.lease);
    }

    async::Task<ReleaseOutcome> release(Contender& self, Grant grant) const override
    {
        co_return releasedIfOne(co_await store::runScript(self.node().commands,
                                                          scripts::kRwHashOwnersUnlock,
                                                          store::wordsOf(grant.request.key),
                                                          store::wordsOf(grant.token)));
    }

private:
    const ProtocolInfo m_info = describe();

    /// For how long a refused writer is announced: until it has certainly tried again. 0: it is not
    /// waited for, because that was not wanted or because it does not come back.
    static Duration patienceOf(const LockRequest& request)
    {
        const bool comesBack = isForReading(request) || request.waitLimit > Duration(0);
        if (!request.areWritersPreferred || !comesBack) {
            return Duration(0);
        }
        const Retry& retry = request.retry;
        const bool isGrowing = retry.kind == Retry::Kind::Exponential;
        return (isGrowing ? retry.intervalMax : retry.interval) + retry.jitter + kPatienceMargin;
    }

    static ProtocolInfo describe()
    {
        ProtocolInfo info = descriptionOf("rw-hash-owners");
        info.needs = {{"acquire", ServerFeature::ScriptTime},
                      {"renew", ServerFeature::ScriptTime},
                      {"release", ServerFeature::ScriptTime}};
        info.defaults.renewal.period = 10s;
        info.hasModes = true;
        info.canRenew = true;
        return info;
    }
};

} // namespace

const LockProtocol& rwHashOwners()
{
    static const RwHashOwners kProtocol;
    return kProtocol;
}

} // namespace lockscope::protocol::builtin
