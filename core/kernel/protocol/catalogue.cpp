#include "core/kernel/protocol/catalogue.h"

#include "core/kernel/protocol/builtin/builtin.h"

#include <algorithm>
#include <vector>

namespace lockscope::protocol {

std::span<const LockProtocol* const> builtinProtocols()
{
    static const std::vector<const LockProtocol*> kProtocols{
        &builtin::existsThenSet(),   &builtin::setnxNoExpiry(),     &builtin::setnxThenExpire(),
        &builtin::setnxGetset(),     &builtin::setNxEx(),           &builtin::luaSetnxExpire(),
        &builtin::setNxPxToken(),    &builtin::luaTokenHeartbeat(), &builtin::boundedWatchdog(),
        &builtin::clientReentrant(), &builtin::reentrantHash(),     &builtin::redissonLock(),
        &builtin::redissonFair(),    &builtin::redlock(),           &builtin::redlockUnchecked(),
        &builtin::rwTwoKeys(),       &builtin::rwTwoKeysCounted(),  &builtin::rwHashStamps(),
        &builtin::rwHashFields(),    &builtin::rwHashOwners(),      &builtin::redissonReadWrite(),
        &builtin::fencedToken(),     &builtin::listHandoff(),       &builtin::semaphore(),
    };
    return kProtocols;
}

const LockProtocol* findProtocol(std::string_view id)
{
    const auto protocols = builtinProtocols();
    const auto found = std::find_if(protocols.begin(), protocols.end(),
                                    [id](const LockProtocol* p) { return p->info().id == id; });
    return found != protocols.end() ? *found : nullptr;
}

} // namespace lockscope::protocol
