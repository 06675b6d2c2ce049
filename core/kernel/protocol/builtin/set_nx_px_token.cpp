#include "core/kernel/protocol/builtin/builtin.h"
#include "core/kernel/protocol/builtin/token_steps.h"

// SET k token NX PX lease, and a script that deletes only what holds the token: the recipe of the
// Redis documentation for one server. A fresh token for every try.
namespace lockscope::protocol::builtin {

namespace {

ProtocolInfo describeSetNxPxToken()
{
    ProtocolInfo info = descriptionOf("set-nx-px-token");
    info.needs = {{"acquire", ServerFeature::SetOptions},
                  {"renew", ServerFeature::Scripts},
                  {"release", ServerFeature::Scripts}};
    info.canRenew = true;
    return info;
}

} // namespace

const LockProtocol& setNxPxToken()
{
    static const TokenLock kProtocol(describeSetNxPxToken());
    return kProtocol;
}

} // namespace lockscope::protocol::builtin
