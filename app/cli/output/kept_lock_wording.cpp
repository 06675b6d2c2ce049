#include "app/cli/output/kept_lock_wording.h"

#include "app/cli/exit_code.h"
#include "app/cli/session/server_link.h"
#include "core/kernel/base/duration_text.h"

namespace lockscope::cli {

using service::KeptLock;
using trace::LossReason;
using State = KeptLock::State;

std::string lossText(LossReason reason)
{
    switch (reason) {
    case LossReason::Gone: return "it was deleted or it expired";
    case LossReason::OtherOwner: return "another owner holds it now";
    case LossReason::LeaseRanOut: return "its lease expired";
    case LossReason::Disconnected: return "the server was unreachable for longer than its lease";
    case LossReason::RenewalsUsedUp:
        return "the maximum number of renewals was reached and its lease expired";
    case LossReason::Refused: return "the server refused to renew it";
    }
    return "it can no longer be trusted";
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
        return key + " is held by another owner"
               + (waitLimit > Duration(0) ? "; not acquired within " + durationText(waitLimit)
                                          : std::string("; not acquired"));
    }
    const std::string reason = lock.server + ": " + store::explain(lock.problem);
    return lock.state == State::Failed ? reason
                                       : "unknown whether " + key + " was acquired. " + reason;
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

service::KeepOrder orderFor(const LockAcquisition& acquisition,
                            const std::vector<store::Endpoint>& servers)
{
    return {servers, acquisition.protocol, acquisition.request, acquisition.renewal};
}

} // namespace lockscope::cli
