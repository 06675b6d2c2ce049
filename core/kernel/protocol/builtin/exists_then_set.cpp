#include "core/kernel/protocol/builtin/builtin.h"
#include "core/kernel/protocol/builtin/flag_steps.h"
#include "core/kernel/protocol/builtin/steps.h"

#include <utility>

// EXISTS k, SET k 1, DEL k. Another client may act between check and set (lock-flaws 1, 2, 3).
namespace lockscope::protocol::builtin {

namespace {

using store::Command;
using store::Outcome;

class ExistsThenSet final : public FlagLock {
public:
    ExistsThenSet() : FlagLock(describe()) {}

    async::Task<AcquireOutcome> attempt(Contender& self, LockRequest request) const override
    {
        Command look("EXISTS", request.key);
        const Outcome there = co_await self.node().commands.submit(std::move(look));
        if (auto problem = problemUnlessInteger(there)) {
            co_return Unavailable{std::move(*problem)}; // looking changes nothing
        }
        if (integerIn(there) != 0) {
            co_return Refused{};
        }
        Command take("SET", request.key, kFlag);
        const Outcome taken = co_await self.node().commands.submit(std::move(take));
        co_return grantedIfOk(taken, endlessGrantFor(request, Bytes(kFlag), self.now()));
    }

private:
    static ProtocolInfo describe()
    {
        ProtocolInfo info = descriptionOf("exists-then-set");
        info.hasExpiry = false;
        return info;
    }
};

} // namespace

const LockProtocol& existsThenSet()
{
    static const ExistsThenSet kProtocol;
    return kProtocol;
}

} // namespace lockscope::protocol::builtin
