#include "core/kernel/protocol/builtin/builtin.h"
#include "core/kernel/protocol/builtin/token_steps.h"

// A token lock with a watchdog of its own for every hold: renewed every third of the lease, so
// often and no more, and the worker hears when that ends. A worker that hangs blocks the others for
// n periods and one lease, not forever (lock-flaws 42, 64).
namespace lockscope::protocol::builtin {

namespace {

using namespace std::chrono_literals;

constexpr int kWatchdogRenewalsMax = 20;

ProtocolInfo describeBoundedWatchdog()
{
    ProtocolInfo info = descriptionOf("bounded-watchdog");
    info.needs = {{"acquire", ServerFeature::SetOptions},
                  {"renew", ServerFeature::Scripts},
                  {"release", ServerFeature::Scripts}};
    info.defaults.lease = 30s;
    info.defaults.renewal.period = 10s;
    info.defaults.renewal.countMax = kWatchdogRenewalsMax;
    info.canRenew = true;
    return info;
}

} // namespace

const LockProtocol& boundedWatchdog()
{
    static const TokenLock kProtocol(describeBoundedWatchdog());
    return kProtocol;
}

} // namespace lockscope::protocol::builtin
