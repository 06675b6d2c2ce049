#include "core/kernel/protocol/protocol_info.h"

#include <algorithm>

namespace lockscope::protocol {

std::string_view idOf(KeyUse use)
{
    switch (use) {
    case KeyUse::One: return "one";
    case KeyUse::Two: return "two";
    case KeyUse::OnePerServer: return "n servers";
    }
    return "unknown";
}

std::string_view idOf(ServerFeature feature)
{
    switch (feature) {
    case ServerFeature::SetOptions: return "set-options";
    case ServerFeature::Scripts: return "scripts";
    case ServerFeature::ScriptTime: return "script-time";
    case ServerFeature::PubSub: return "pub-sub";
    case ServerFeature::BlockingPop: return "blocking-pop";
    case ServerFeature::SeveralMasters: return "several-masters";
    }
    return "unknown";
}

bool ProtocolInfo::claimsPromise(Promise promise) const
{
    return std::any_of(claims.begin(), claims.end(),
                       [promise](const Claim& claim) { return claim.promise == promise; });
}

} // namespace lockscope::protocol
