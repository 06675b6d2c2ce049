#include "core/kernel/protocol/builtin/token_steps.h"

#include "core/kernel/protocol/builtin/steps.h"
#include "core/kernel/store/script.h"
#include "protocol_scripts.h"

#include <utility>

namespace lockscope::protocol::builtin {

using store::Command;
using store::Outcome;

async::Task<AcquireOutcome> takeWithToken(Contender& self, const store::Node& node,
                                          LockRequest request, Bytes token)
{
    const Instant sentAt = self.now();
    Command take("SET", request.key, token, "NX", "PX", toMs(request.lease));
    const Outcome outcome = co_await node.commands.submit(std::move(take));
    if (isNil(outcome)) {
        co_return Refused{}; // as of most tries: a grant is not even made
    }
    co_return grantedIfOk(outcome, grantFor(request, std::move(token), sentAt, self.now()));
}

async::Task<RenewOutcome> renewWithToken(Contender& self, const store::Node& node, Grant grant)
{
    const Instant sentAt = self.now();
    const Outcome outcome = co_await store::runScript(node.commands, scripts::kExpireIfEqual,
                                                      store::wordsOf(grant.request.key),
                                                      store::wordsOf(std::move(grant.token),
                                                                     toMs(grant.request.lease)));
    co_return renewedIfOne(outcome, sentAt + grant.request.lease);
}

async::Task<ReleaseOutcome> releaseWithToken(const store::Node& node, Grant grant)
{
    const Outcome outcome = co_await store::runScript(node.commands, scripts::kDeleteIfEqual,
                                                      store::wordsOf(grant.request.key),
                                                      store::wordsOf(std::move(grant.token)));
    co_return releasedIfOne(outcome);
}

async::Task<AcquireOutcome> TokenLock::attempt(Contender& self, LockRequest request) const
{
    return takeWithToken(self, self.node(), std::move(request), self.freshToken());
}

async::Task<RenewOutcome> TokenLock::renew(Contender& self, Grant grant) const
{
    return renewWithToken(self, self.node(), std::move(grant));
}

async::Task<ReleaseOutcome> TokenLock::release(Contender& self, Grant grant) const
{
    return releaseWithToken(self.node(), std::move(grant));
}

} // namespace lockscope::protocol::builtin
