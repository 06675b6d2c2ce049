#include "core/kernel/protocol/builtin/builtin.h"
#include "core/kernel/protocol/builtin/token_steps.h"

// A token lock with a watchdog of its own for every hold: renewed every third of the lease, so
// often and no more, and the worker hears when that ends. A worker that hangs blocks the others for
// n periods and one lease, not for ever (lock-flaws 42, 64).
namespace lockscope::protocol::builtin {

namespace {

using namespace std::chrono_literals;

constexpr int kWatchdogRenewalsMax = 20;

ProtocolInfo describeBoundedWatchdog()
{
    ProtocolInfo info;
    info.id = "bounded-watchdog";
    info.title = "Bounded watchdog";
    info.summary = "A token lock that is renewed every third of its lease, at most 20 times; "
                   "the worker is told when the lock can no longer be trusted.";
    info.flaw = "Work that outlasts all renewals and the last lease loses its lock: the price of "
                "not blocking the others forever.";
    info.claims = {
        {Promise::MutualExclusion,
         "the holder stops as soon as it is told, is never slower "
         "than the rest of its lease, and the server loses no "
         "acknowledged write",
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
