#include "core/kernel/protocol/promise.h"

namespace lockscope::protocol {

std::string_view idOf(Promise promise)
{
    switch (promise) {
    case Promise::MutualExclusion: return "mutual-exclusion";
    case Promise::ReadWriteExclusion: return "read-write-exclusion";
    case Promise::OwnerOnlyRelease: return "owner-only-release";
    case Promise::NoStuckLock: return "no-stuck-lock";
    case Promise::ReentryBalance: return "reentry-balance";
    case Promise::NoLostWakeup: return "no-lost-wakeup";
    case Promise::FencingOrder: return "fencing-order";
    case Promise::LeaseHonesty: return "lease-honesty";
    case Promise::Progress: return "progress";
    case Promise::Fairness: return "fairness";
    case Promise::PromiseCount: break;
    }
    return "unknown";
}

} // namespace lockscope::protocol
