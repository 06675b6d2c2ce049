#include "core/kernel/protocol/builtin/rw_steps.h"

#include "core/kernel/protocol/builtin/steps.h"
#include "core/kernel/store/script.h"
#include "protocol_scripts.h"

namespace lockscope::protocol::builtin {

bool isForReading(const LockRequest& request)
{
    return request.mode == Mode::Read;
}

Bytes readKeyOf(std::string_view key)
{
    return Bytes(key).append(":read");
}

Bytes writeKeyOf(std::string_view key)
{
    return Bytes(key).append(":write");
}

async::Task<ReleaseOutcome> removeStamp(Contender& self, Grant grant)
{
    co_return releasedIfOne(co_await store::runScript(
        self.node().commands, scripts::kDeleteFieldIfEqual, store::wordsOf(grant.request.key),
        store::wordsOf(isForReading(grant.request) ? "read" : "write", grant.token)));
}

} // namespace lockscope::protocol::builtin
