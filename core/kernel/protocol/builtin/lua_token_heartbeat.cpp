#include "core/kernel/protocol/builtin/builtin.h"
#include "core/kernel/protocol/builtin/steps.h"
#include "core/kernel/store/script.h"
#include "protocol_scripts.h"

// GET, SET, EXPIRE in one script with a UUID, a heartbeat every 3 s of a 5 s lease, and a script
// that compares and deletes. The heartbeat stops at the first error, and the holder is not told
// (lock-flaws 14, 64).
namespace lockscope::protocol::builtin {

namespace {

using namespace std::chrono_literals;
using store::Outcome;

class LuaTokenHeartbeat final : public LockProtocol {
public:
    const ProtocolInfo& info() const override { return m_info; }

    async::Task<AcquireOutcome> attempt(Contender& self, LockRequest request) const override
    {
        const auto lease = inWholeSeconds(request.lease);
        request.lease = lease;
        const Instant sentAt = self.now();
        const Bytes token = self.freshToken();
        const Outcome taken = co_await store::runScript(self.node().commands,
                                                        scripts::kTokenHeartbeatLock,
                                                        store::wordsOf(request.key),
                                                        store::wordsOf(token, lease.count()));
        co_return grantedIfOne(taken, grantFor(request, token, sentAt, self.now()));
    }

    async::Task<RenewOutcome> renew(Contender& self, Grant grant) const override
    {
        const auto lease = inWholeSeconds(grant.request.lease);
        const Instant sentAt = self.now();
        const Outcome outcome = co_await store::runScript(
            self.node().commands, scripts::kTokenHeartbeatRenew, store::wordsOf(grant.request.key),
            store::wordsOf(grant.token, lease.count()));
        co_return renewedIfOne(outcome, sentAt + lease);
    }

    async::Task<ReleaseOutcome> release(Contender& self, Grant grant) const override
    {
        const Outcome outcome = co_await store::runScript(self.node().commands,
                                                          scripts::kTokenHeartbeatUnlock,
                                                          store::wordsOf(grant.request.key),
                                                          store::wordsOf(grant.token));
        if (auto failure = releaseFailure(outcome)) {
            co_return *failure;
        }
        if (isNil(outcome)) {
            co_return Released{}; // the script ends without a word when it has deleted
        }
        switch (integerIn(outcome).value_or(-2)) {
        case 0: co_return NotHeld{true};
        case -1: co_return NotHeld{false};
        default: co_return Uncertain{unexpectedReply(), std::nullopt};
        }
    }

private:
    const ProtocolInfo m_info = describe();

    static ProtocolInfo describe()
    {
        ProtocolInfo info = descriptionOf("lua-token-heartbeat");
        info.needs = {{"acquire", ServerFeature::Scripts},
                      {"renew", ServerFeature::Scripts},
                      {"release", ServerFeature::Scripts}};
        info.defaults.lease = 5s;
        info.defaults.renewal.period = 3s;
        info.defaults.renewal.stopsAtFirstError = true;
        info.defaults.renewal.tellsHolder = false;
        info.canRenew = true;
        return info;
    }
};

} // namespace

const LockProtocol& luaTokenHeartbeat()
{
    static const LuaTokenHeartbeat kProtocol;
    return kProtocol;
}

} // namespace lockscope::protocol::builtin
