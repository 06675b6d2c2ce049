#include "core/kernel/protocol/builtin/builtin.h"
#include "core/kernel/protocol/builtin/our_steps.h"
#include "core/kernel/protocol/builtin/steps.h"
#include "core/kernel/protocol/builtin/token_steps.h"
#include "core/kernel/store/script.h"
#include "protocol_scripts.h"

// The lock of set-nx-px-token whose every grant carries a number, greater than all before. It is
// drawn in the same step that takes the lock; the guard of the protected resource rejects a
// request with a smaller number than it has seen (lock-flaws 90 to 94).
namespace lockscope::protocol::builtin {

namespace {

using store::Outcome;

class FencedToken final : public TokenLock {
public:
    using TokenLock::TokenLock;

    async::Task<AcquireOutcome> attempt(Contender& self, LockRequest request) const override
    {
        const Instant sentAt = self.now();
        const Bytes token = self.freshToken();
        const Outcome outcome = co_await store::runScript(
            self.node().commands, scripts::kFencedToken,
            store::wordsOf(request.key, companionKey(request.key, "fence")),
            store::wordsOf(token, toMs(request.lease)));
        AcquireOutcome taken = listedOutcome(outcome, grantFor(request, token, sentAt, self.now()));
        const auto* const grant = grantOf(taken);
        if (grant != nullptr && !grant->fence) {
            co_return Uncertain{unexpectedReply(), *grant};
        }
        co_return taken;
    }
};

ProtocolInfo describeFencedToken()
{
    ProtocolInfo info = descriptionOf("fenced-token");
    info.needs = {{"acquire", ServerFeature::Scripts},
                  {"renew", ServerFeature::Scripts},
                  {"release", ServerFeature::Scripts}};
    info.keys = KeyUse::Two;
    info.hasFence = true;
    info.canRenew = true;
    return info;
}

} // namespace

const LockProtocol& fencedToken()
{
    static const FencedToken kProtocol(describeFencedToken());
    return kProtocol;
}

} // namespace lockscope::protocol::builtin
