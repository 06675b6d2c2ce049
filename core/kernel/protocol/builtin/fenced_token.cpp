#include "protocol/builtin/builtin.h"
#include "protocol/builtin/our_steps.h"
#include "protocol/builtin/steps.h"
#include "protocol/builtin/token_steps.h"
#include "protocol_scripts.h"
#include "store/script.h"

#include <utility>
#include <vector>

// The lock of set-nx-px-token whose every grant carries a number, greater than all before. It is
// drawn in the same step that takes the lock; whoever guards the protected thing turns away what
// comes with a smaller number than it has seen (lock-flaws 90 to 94).
namespace lockscope::protocol::builtin {

namespace {

using store::Outcome;

class FencedToken final : public LockProtocol {
public:
    const ProtocolInfo& info() const override { return m_info; }

    async::Task<AcquireOutcome> attempt(Contender& self, LockRequest request) const override
    {
        const Instant sentAt = self.now();
        const Bytes token = self.freshToken();
        std::vector<Bytes> keys(1, request.key);
        keys.push_back(companionKey(request.key, "fence"));
        std::vector<Bytes> arguments(1, token);
        arguments.push_back(std::to_string(toMs(request.lease)));
        const Outcome outcome = co_await store::runScript(self.node().commands,
                                                          scripts::kFencedToken, std::move(keys),
                                                          std::move(arguments));
        AcquireOutcome taken = listedOutcome(outcome, grantFor(request, token, sentAt, self.now()));
        const auto* const grant = std::get_if<Grant>(&taken);
        if (grant != nullptr && !grant->fence) {
            co_return Uncertain{unexpectedReply(), *grant};
        }
        co_return taken;
    }

    async::Task<RenewOutcome> renew(Contender& self, Grant grant) const override
    {
        return renewWithToken(self, self.node(), std::move(grant));
    }

    async::Task<ReleaseOutcome> release(Contender& self, Grant grant) const override
    {
        return releaseWithToken(self.node(), std::move(grant));
    }

private:
    const ProtocolInfo m_info = describe();

    static ProtocolInfo describe()
    {
        ProtocolInfo info;
        info.id = "fenced-token";
        info.title = "Token with a fence";
        info.summary = "The token lock, and a number with every grant that only grows: the "
                       "protected resource turns away whoever comes with an older one.";
        info.claims = {
            {Promise::MutualExclusion, "the holder is done before its lease is over, and the "
                                       "server loses no acknowledged write"},
            {Promise::OwnerOnlyRelease, ""},
            {Promise::NoStuckLock, ""},
            {Promise::FencingOrder, "the server loses no acknowledged write"},
            {Promise::LeaseHonesty, "the clocks of client and server run equally fast"},
            {Promise::Progress, ""},
        };
        info.needs = {{"acquire", ServerFeature::Scripts},
                      {"renew", ServerFeature::Scripts},
                      {"release", ServerFeature::Scripts}};
        info.keys = KeyUse::Two;
        info.hasFence = true;
        info.canRenew = true;
        return info;
    }
};

} // namespace

const LockProtocol& fencedToken()
{
    static const FencedToken kProtocol;
    return kProtocol;
}

} // namespace lockscope::protocol::builtin
