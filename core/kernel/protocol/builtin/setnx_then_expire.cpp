#include "core/kernel/protocol/builtin/builtin.h"
#include "core/kernel/protocol/builtin/flag_steps.h"
#include "core/kernel/protocol/builtin/steps.h"

#include <utility>

// SETNX k 1, then EXPIRE k T, DEL k. A client that dies between the two leaves a key that never
// expires (lock-flaws 4), and DEL does not check whose lock it is (11).
namespace lockscope::protocol::builtin {

namespace {

using store::Command;
using store::Outcome;

class SetnxThenExpire final : public FlagLock {
public:
    SetnxThenExpire() : FlagLock(describe()) {}

    async::Task<AcquireOutcome> attempt(Contender& self, LockRequest request) const override
    {
        const auto lease = inWholeSeconds(request.lease);
        request.lease = lease;
        Command take("SETNX", request.key, kFlag);
        const Outcome taken = co_await self.node().commands.submit(std::move(take));
        AcquireOutcome endless = grantedIfOne(taken,
                                              endlessGrantFor(request, Bytes(kFlag), self.now()));
        if (!isGranted(endless)) {
            co_return endless;
        }
        const Instant sentAt = self.now();
        Command expire("EXPIRE", request.key, lease.count());
        const Outcome expires = co_await self.node().commands.submit(std::move(expire));
        if (auto problem = problemUnlessInteger(expires)) {
            co_return Uncertain{std::move(*problem), takeGrant(std::move(endless))};
        }
        co_return grantFor(request, Bytes(kFlag), sentAt, self.now()); // whatever EXPIRE said
    }

private:
    static ProtocolInfo describe() { return descriptionOf("setnx-then-expire"); }
};

} // namespace

const LockProtocol& setnxThenExpire()
{
    static const SetnxThenExpire kProtocol;
    return kProtocol;
}

} // namespace lockscope::protocol::builtin
