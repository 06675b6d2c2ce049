#include "protocol/builtin/token_steps.h"

#include "protocol/builtin/steps.h"
#include "protocol_scripts.h"
#include "store/script.h"

#include <utility>
#include <vector>

namespace lockscope::protocol::builtin {

using store::Command;
using store::Outcome;

async::Task<AcquireOutcome> takeWithToken(Contender& self, const store::Node& node,
                                          LockRequest request, Bytes token)
{
    const Instant sentAt = self.now();
    Command take("SET", request.key, token, "NX", "PX", toMs(request.lease));
    const Outcome outcome = co_await node.commands.submit(std::move(take));
    co_return grantedIfOk(outcome, grantFor(request, std::move(token), sentAt, self.now()));
}

async::Task<RenewOutcome> renewWithToken(Contender& self, const store::Node& node, Grant grant)
{
    const Instant sentAt = self.now();
    std::vector<Bytes> keys(1, grant.request.key);
    std::vector<Bytes> arguments(1, grant.token);
    arguments.push_back(std::to_string(toMs(grant.request.lease)));
    const Outcome outcome = co_await store::runScript(node.commands, scripts::kExpireIfEqual,
                                                      std::move(keys), std::move(arguments));
    co_return renewedIfOne(outcome, sentAt + grant.request.lease);
}

async::Task<ReleaseOutcome> releaseWithToken(const store::Node& node, Grant grant)
{
    std::vector<Bytes> keys(1, grant.request.key);
    std::vector<Bytes> arguments(1, grant.token);
    const Outcome outcome = co_await store::runScript(node.commands, scripts::kDeleteIfEqual,
                                                      std::move(keys), std::move(arguments));
    co_return releasedIfOne(outcome);
}

} // namespace lockscope::protocol::builtin
