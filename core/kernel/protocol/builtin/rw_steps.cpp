#include "protocol/builtin/rw_steps.h"

#include "protocol/builtin/steps.h"
#include "protocol_scripts.h"
#include "store/script.h"

#include <utility>
#include <vector>

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
    std::vector<Bytes> keys(1, grant.request.key);
    std::vector<Bytes> arguments(1, isForReading(grant.request) ? "read" : "write");
    arguments.push_back(grant.token);
    co_return releasedIfOne(co_await store::runScript(self.node().commands,
                                                      scripts::kDeleteFieldIfEqual, std::move(keys),
                                                      std::move(arguments)));
}

} // namespace lockscope::protocol::builtin
