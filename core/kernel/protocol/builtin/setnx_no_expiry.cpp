#include "core/kernel/protocol/builtin/builtin.h"
#include "core/kernel/protocol/builtin/flag_steps.h"
#include "core/kernel/protocol/builtin/steps.h"

#include <utility>

// SETNX k 1, DEL k. Atomic, but without expiry: the hold of a dead client never ends (lock-flaws 3,
// 61, 62).
namespace lockscope::protocol::builtin {

namespace {

using store::Command;
using store::Outcome;

class SetnxNoExpiry final : public FlagLock {
public:
    SetnxNoExpiry() : FlagLock(describe()) {}

    async::Task<AcquireOutcome> attempt(Contender& self, LockRequest request) const override
    {
        Command take("SETNX", request.key, kFlag);
        const Outcome taken = co_await self.node().commands.submit(std::move(take));
        co_return grantedIfOne(taken, endlessGrantFor(request, Bytes(kFlag), self.now()));
    }

private:
    static ProtocolInfo describe()
    {
        ProtocolInfo info = descriptionOf("setnx-no-expiry");
        info.hasExpiry = false;
        return info;
    }
};

} // namespace

const LockProtocol& setnxNoExpiry()
{
    static const SetnxNoExpiry kProtocol;
    return kProtocol;
}

} // namespace lockscope::protocol::builtin
