#include "core/kernel/protocol/catalogue.h"

#include "core/kernel/protocol/builtin/builtin.h"

#include <algorithm>

namespace lockscope::protocol {

std::span<const LockProtocol* const> builtinProtocols()
{
    static const auto kProtocols = builtin::all();
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
