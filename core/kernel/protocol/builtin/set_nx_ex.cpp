#include "core/kernel/protocol/builtin/builtin.h"
#include "core/kernel/protocol/builtin/flag_steps.h"
#include "core/kernel/protocol/builtin/steps.h"

#include <utility>

// SET k 1 EX T NX, DEL k. The holder that comes late deletes the lock of the next one (lock-flaws
// 11).
namespace lockscope::protocol::builtin {

namespace {

using store::Command;
using store::Outcome;

class SetNxEx final : public FlagLock {
public:
    SetNxEx() : FlagLock(describe()) {}

    async::Task<AcquireOutcome> attempt(Contender& self, LockRequest request) const override
    {
        const auto lease = inWholeSeconds(request.lease);
        request.lease = lease;
        const Instant sentAt = self.now();
        Command take("SET", request.key, kFlag, "EX", lease.count(), "NX");
        const Outcome taken = co_await self.node().commands.submit(std::move(take));
        co_return grantedIfOk(taken, grantFor(request, Bytes(kFlag), sentAt, self.now()));
    }

private:
    static ProtocolInfo describe()
    {
        ProtocolInfo info = descriptionOf("set-nx-ex");
        info.needs = {{"acquire", ServerFeature::SetOptions}};
        return info;
    }
};

} // namespace

const LockProtocol& setNxEx()
{
    static const SetNxEx kProtocol;
    return kProtocol;
}

} // namespace lockscope::protocol::builtin
