#include "core/kernel/protocol/builtin/flag_steps.h"

#include "core/kernel/protocol/builtin/steps.h"

#include <utility>

namespace lockscope::protocol::builtin {

async::Task<ReleaseOutcome> FlagLock::release(Contender& self, Grant grant) const
{
    store::Command remove("DEL", grant.request.key);
    co_return releaseByDel(co_await self.node().commands.submit(std::move(remove)));
}

} // namespace lockscope::protocol::builtin
