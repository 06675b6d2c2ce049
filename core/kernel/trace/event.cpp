#include "core/kernel/trace/event.h"

namespace lockscope::trace {

std::string_view idOf(EventKind kind)
{
    switch (kind) {
    case EventKind::Requested: return "requested";
    case EventKind::Refused: return "refused";
    case EventKind::Granted: return "granted";
    case EventKind::GaveUp: return "gave-up";
    case EventKind::Withdrew: return "withdrew";
    case EventKind::Unavailable: return "unavailable";
    case EventKind::Uncertain: return "uncertain";
    case EventKind::Renewed: return "renewed";
    case EventKind::RenewalFailed: return "renewal-failed";
    case EventKind::Lost: return "lost";
    case EventKind::Releasing: return "releasing";
    case EventKind::Released: return "released";
    case EventKind::ReleaseRefused: return "release-refused";
    case EventKind::ReleaseUncertain: return "release-uncertain";
    case EventKind::Crashed: return "crashed";
    case EventKind::Paused: return "paused";
    case EventKind::Resumed: return "resumed";
    case EventKind::Entered: return "entered";
    case EventKind::Left: return "left";
    case EventKind::EffectRejected: return "effect-rejected";
    case EventKind::Expired: return "expired";
    case EventKind::Forced: return "forced";
    }
    return "unknown";
}

std::string_view idOf(LossReason reason)
{
    switch (reason) {
    case LossReason::Gone: return "gone";
    case LossReason::OtherOwner: return "other-owner";
    case LossReason::LeaseRanOut: return "lease-ran-out";
    case LossReason::Disconnected: return "disconnected";
    case LossReason::RenewalsUsedUp: return "renewals-used-up";
    case LossReason::Refused: return "refused";
    }
    return "unknown";
}

std::string_view idOf(RenewalFailure reason)
{
    switch (reason) {
    case RenewalFailure::Gone: return "gone";
    case RenewalFailure::OtherOwner: return "other-owner";
    case RenewalFailure::Unreachable: return "unreachable";
    case RenewalFailure::Unknown: return "unknown";
    case RenewalFailure::Refused: return "refused";
    }
    return "unknown";
}

} // namespace lockscope::trace
