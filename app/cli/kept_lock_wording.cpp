#include "cli/kept_lock_wording.h"

#include "base/duration_text.h"
#include "cli/exit_code.h"
#include "cli/server_link.h"

namespace lockscope::cli {

using service::KeptLock;
using trace::LossReason;
using State = KeptLock::State;

std::string lossText(LossReason reason)
{
    switch (reason) {
    case LossReason::Gone: return "it is gone: somebody deleted it, or it ran out";
    case LossReason::OtherOwner: return "somebody else has it now";
    case LossReason::LeaseRanOut: return "its lease ran out";
    case LossReason::Disconnected: return "the server was away for longer than its lease";
    case LossReason::RenewalsUsedUp: return "its renewals are used up and its lease ran out";
    case LossReason::Refused: return "the server refused to renew it";
    }
    return "it cannot be trusted any more";
}

int exitCodeOfLoss(LossReason reason)
{
    switch (reason) {
    case LossReason::OtherOwner: return ExitChangedHands;
    case LossReason::Gone:
    case LossReason::LeaseRanOut:
    case LossReason::RenewalsUsedUp: return ExitAlreadyGone;
    case LossReason::Disconnected: return ExitUnreachable;
    case LossReason::Refused: return ExitRefused;
    }
    return ExitUnknown;
}

std::string refusalSentence(const KeptLock& lock, Duration waitLimit)
{
    const std::string key = escaped(lock.key);
    if (lock.state == State::Refused) {
        return key + " is held by somebody else"
               + (waitLimit > Duration(0) ? "; not acquired within " + durationText(waitLimit)
                                          : std::string("; not acquired"));
    }
    const std::string reason = lock.server + ": " + store::explain(lock.problem);
    return lock.state == State::Failed
               ? reason
               : "it is not known whether " + key + " was acquired. " + reason;
}

int exitCodeOfRefusal(const KeptLock& lock)
{
    switch (lock.state) {
    case State::Refused: return ExitNotAcquired;
    case State::Failed: return exitCodeOf(lock.problem);
    default: return ExitUnknown;
    }
}

std::string warningAbout(const protocol::ProtocolInfo& info)
{
    return info.flaw.empty() ? std::string() : info.id + " is flawed: " + info.flaw;
}

service::KeepOrder orderFor(const LockWish& wish, const std::vector<store::Endpoint>& servers)
{
    return {servers, wish.protocol, wish.request, wish.renewal};
}

} // namespace lockscope::cli
