#include "core/kernel/protocol/builtin/builtin.h"
#include "core/kernel/protocol/builtin/flag_steps.h"
#include "core/kernel/protocol/builtin/steps.h"
#include "core/kernel/store/script.h"
#include "protocol_scripts.h"

#include <utility>

// SETNX and EXPIRE in one script, DEL k. The gap between the two is closed, the late DEL is not
// (lock-flaws 11, 15).
namespace lockscope::protocol::builtin {

namespace {

using store::Outcome;

class LuaSetnxExpire final : public FlagLock {
public:
    LuaSetnxExpire() : FlagLock(describe()) {}

    async::Task<AcquireOutcome> attempt(Contender& self, LockRequest request) const override
    {
        const auto lease = inWholeSeconds(request.lease);
        request.lease = lease;
        const Instant sentAt = self.now();
        const Outcome taken = co_await store::runScript(self.node().commands,
                                                        scripts::kLuaSetnxExpire,
                                                        store::wordsOf(request.key),
                                                        store::wordsOf(lease.count()));
        co_return grantedIfOne(taken, grantFor(request, Bytes(kFlag), sentAt, self.now()));
    }

private:
    static ProtocolInfo describe()
    {
        ProtocolInfo info = descriptionOf("lua-setnx-expire");
        info.needs = {{"acquire", ServerFeature::Scripts}};
        return info;
    }
};

} // namespace

const LockProtocol& luaSetnxExpire()
{
    static const LuaSetnxExpire kProtocol;
    return kProtocol;
}

} // namespace lockscope::protocol::builtin
