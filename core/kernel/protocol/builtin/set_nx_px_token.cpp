#include "core/kernel/protocol/builtin/builtin.h"
#include "core/kernel/protocol/builtin/token_steps.h"

// SET k token NX PX lease, and a script that deletes only what holds the token: the recipe of the
// Redis documentation for one server. A fresh token for every try.
namespace lockscope::protocol::builtin {

namespace {

ProtocolInfo describeSetNxPxToken()
{
    ProtocolInfo info;
    info.id = "set-nx-px-token";
    info.title = "SET NX PX with a token";
    info.summary = "One command sets the key with a token and an expiry; a script deletes it only "
                   "while it contains that token.";
    info.claims = {
        {Promise::MutualExclusion,
         "the holder is done before its lease is over, and the "
         "server loses no acknowledged write",
         Condition::HolderInTime | Condition::DurableWrites},
        {Promise::OwnerOnlyRelease, ""},
        {Promise::NoStuckLock, ""},
        {Promise::LeaseHonesty,
         "the clocks of client and server run equally fast, and the server loses no "
         "acknowledged write",
         Condition::EqualClockRates | Condition::DurableWrites},
        {Promise::Progress, ""},
    };
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
