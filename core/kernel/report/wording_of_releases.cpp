#include "core/kernel/base/kernel_text.h"
#include "core/kernel/report/wording.h"

#include <algorithm>

// What is said about attempts to release.

namespace lockscope::report {

namespace {

constexpr std::size_t kShownOwnerLength = 28;
constexpr std::size_t kShownKeyLength = 60;

std::string ownerText(std::string_view owner)
{
    return elidedMiddle(escaped(owner), kShownOwnerLength);
}

constexpr std::size_t kHoldersNamed = 5; // more make no sentence

/// Who holds it, in a sentence: "5f0c…:63", "A, B and C", "A, B, C, D, E and 3 others".
std::string holdersText(const std::vector<inspect::Holder>& holders)
{
    std::vector<std::string> names;
    for (const inspect::Holder& holder : holders) {
        if (!holder.owner.empty() && names.size() < kHoldersNamed) {
            names.push_back(ownerText(holder.owner));
        }
    }
    if (names.empty()) {
        return KernelText::tr("an owner that its format does not record");
    }
    return listText(std::move(names), holders.size());
}

std::string nextOwnerText(const inspect::LockPtr& lock)
{
    return holdersText(lock ? lock->holders : Few<inspect::Holder>());
}

/// Empty where nothing is known but the result itself.
std::string whyOf(const inspect::ReleaseReport& report)
{
    const bool isKnown = report.problem.kind != store::Problem::Kind::None;
    return report.ownReason.empty() && isKnown ? explain(report.problem) : report.ownReason;
}

std::string uncertainSentence(inspect::ReleaseAction action)
{
    switch (action) {
    case inspect::ReleaseAction::CapTtl:
        return KernelText::tr("It is unknown whether the expiry was set: the command was sent, but "
                              "no reply came. Check the lock before you try again.");
    case inspect::ReleaseAction::Restore:
        return KernelText::tr("It is unknown whether the lock was put back: the command was sent, "
                              "but no reply came. Check the lock.");
    case inspect::ReleaseAction::Release:
    case inspect::ReleaseAction::Tombstone: break;
    }
    return KernelText::tr("It is unknown whether the lock was released: the command was sent, but "
                          "no reply came. Check the lock before you try again.");
}

std::string existsSentence(const inspect::ReleaseReport& report)
{
    return report.nowThere
               ? KernelText::tr("The key exists again; nothing was done. It is held by %1.",
                                nextOwnerText(report.nowThere))
               : KernelText::tr("The key exists again; nothing was done.");
}

std::string changedHandsSentence(const inspect::ReleaseReport& report)
{
    if (report.wasWritten) {
        return KernelText::tr("The lock was written to since you last looked. This may have been a "
                              "renewal or another hold, so nothing was done. Check the lock "
                              "again.");
    }
    return report.nowThere
               ? KernelText::tr("The lock changed hands; nothing was done. It is now held by %1.",
                                nextOwnerText(report.nowThere))
               : KernelText::tr("The lock changed hands; nothing was done.");
}

std::string doneSentence(inspect::ReleaseAction action, std::int64_t wokenCount)
{
    if (action == inspect::ReleaseAction::CapTtl) {
        return KernelText::tr("The lock now has an expiry.");
    }
    if (action == inspect::ReleaseAction::Tombstone) {
        return KernelText::tr("Replaced by a tombstone. The lock stays taken until the tombstone "
                              "expires.");
    }
    if (action == inspect::ReleaseAction::Restore) {
        return KernelText::tr("Put back. Its holder may already have noticed the release.");
    }
    if (wokenCount <= 0) {
        return KernelText::tr("Released.");
    }
    return wokenCount == 1 ? KernelText::tr("Released; 1 waiter was woken.")
                           : KernelText::tr("Released; %1 waiters were woken.", wokenCount);
}

/// Of a plan that ran on several servers.
bool isReleasedSomewhere(const inspect::ReleaseReport& report)
{
    return std::ranges::any_of(report.perServer, [](const auto& entry) {
        return entry.second == inspect::ReleaseResult::Released;
    });
}

std::string refusedSentence(const inspect::ReleaseReport& report)
{
    const std::string reason = whyOf(report);
    const std::string result =
        isReleasedSomewhere(report)
            ? KernelText::tr("Released, but not on every server: the lock may still be held.")
            : KernelText::tr("Refused; nothing was done.");
    return reason.empty() ? result : result + ' ' + reason;
}

} // namespace

std::string resultSentence(const inspect::ReleaseReport& report, inspect::ReleaseAction action)
{
    using Result = inspect::ReleaseResult;
    switch (report.result) {
    case Result::Released: return doneSentence(action, report.woken);
    case Result::ChangedHands:
        return action == inspect::ReleaseAction::Restore ? existsSentence(report)
                                                         : changedHandsSentence(report);
    case Result::AlreadyGone:
        return report.nowThere ? KernelText::tr(
                   "That owner does not hold the lock; nothing was done. It is held by %1.",
                   nextOwnerText(report.nowThere))
                               : KernelText::tr("The lock was already gone; nothing was done.");
    case Result::Refused: return refusedSentence(report);
    case Result::Unknown: break;
    }
    const std::string reason = whyOf(report);
    const std::string sentence = uncertainSentence(action);
    return reason.empty() ? sentence : sentence + ' ' + reason;
}

std::string planSentence(const inspect::ReleasePlan& plan)
{
    if (!plan.lock) {
        return {};
    }
    const std::string key = elidedMiddle(escaped(plan.lock->id.name), kShownKeyLength);
    const std::string owner = plan.owner().empty() ? KernelText::tr("an unrecorded owner")
                                                   : holdersText(plan.holders);
    switch (plan.action) {
    case inspect::ReleaseAction::Release: break;
    case inspect::ReleaseAction::CapTtl:
        return KernelText::tr("Gives %1, held by %2, an expiry of %3, but only if that hold is "
                              "still there and does not end sooner; otherwise nothing is done.",
                              key, owner, durationText(plan.cap));
    case inspect::ReleaseAction::Tombstone:
        return KernelText::tr("Ends the hold of %1 on %2 and keeps the lock taken for %3, but only "
                              "if that hold is still there; otherwise nothing is done.",
                              owner, key, durationText(plan.cap));
    case inspect::ReleaseAction::Restore:
        return KernelText::tr("Creates %1 again as it was, held by %2, but only if nothing is "
                              "under the key; otherwise nothing is done.",
                              key, owner);
    }
    return KernelText::tr("Ends the hold of %1 on %2, but only if that hold is still there; "
                          "otherwise nothing is done.",
                          owner, key);
}

std::string endedSentence(const inspect::ReleasePlan& plan)
{
    if (!plan.lock || plan.action != inspect::ReleaseAction::Release) {
        return {};
    }
    if (plan.leavesOthers() && plan.holders.size() == plan.lock->holders.size()) {
        return KernelText::tr("Releases only one of %1 holds; this format does not distinguish "
                              "them.",
                              plan.lock->holds());
    }
    if (plan.leavesOthers()) {
        const std::size_t others = plan.lock->holders.size() - plan.holders.size();
        const std::string ended = holdersText(plan.holders);
        return others == 1
                   ? KernelText::tr("Releases only the hold of %1; 1 other holder remains.", ended)
                   : KernelText::tr("Releases only the hold of %1; %2 other holders remain.", ended,
                                    others);
    }
    if (plan.recipe.endsUnnamedReaders && plan.lock->mode == inspect::Mode::Semaphore) {
        return KernelText::tr("All %1 holds end; this format does not distinguish them.",
                              plan.lock->holds());
    }
    if (plan.recipe.endsUnnamedReaders) {
        return KernelText::tr(
            "All readers lose their holds; this format does not distinguish them.");
    }
    return plan.holders.size() > 1
               ? KernelText::tr("All %1 holds: %2.", plan.holders.size(), holdersText(plan.holders))
               : std::string();
}

std::string nextHoldSentence(const inspect::NextHold& nextHold)
{
    using Kind = inspect::NextHold::Kind;
    const std::string after = durationText(nextHold.after);
    switch (nextHold.kind) {
    case Kind::StillFree:
        return nextHold.isOfOneVote
                   ? KernelText::tr("Still free on this server after %1.", after)
                   : KernelText::tr("Still free after %1: not acquired by any client.", after);
    case Kind::TakenByOther:
        return KernelText::tr("Acquired after %1 by %2.", after, nextOwnerText(nextHold.next));
    case Kind::Taken:
        return KernelText::tr("Acquired again after %1. Whether by the same client cannot be told: "
                              "the owner of this lock does not identify its holder.",
                              after);
    case Kind::TakenBySameOwner:
        return KernelText::tr(
            "Acquired again by the same owner after %1: the release did not help; "
            "stop the holder itself.",
            after);
    case Kind::CameBack:
        return KernelText::tr("It came back after %1: the same token is there again. Its holder is "
                              "still running and created it again; stop the holder itself.",
                              after);
    case Kind::NotKnown: return KernelText::tr("It is unknown what happened next.");
    }
    return {};
}

std::string sleepSentence(const inspect::ReleaseRecipe& recipe, std::optional<Duration> left)
{
    using Sleep = inspect::ReleaseRecipe::Sleep;
    switch (recipe.sleep) {
    case Sleep::NotAtAll: break;
    case Sleep::TimeLeft:
        return left ? KernelText::tr("A waiter that no wake-up reaches sleeps for the time left "
                                     "that it saw last, at most %1.",
                                     durationText(*left))
                    : KernelText::tr("A waiter that no wake-up reaches sleeps for ever: it saw a "
                                     "lock without expiry.");
    case Sleep::Lease:
        return KernelText::tr("A waiter that no wake-up reaches sleeps for as long as the lease "
                              "that it wants for itself, and for ever if that has no end.");
    case Sleep::OwnWait:
        return KernelText::tr("A waiter that no wake-up reaches sleeps until its own wait is over, "
                              "which may be never.");
    }
    return {};
}

std::string silentEndSentence(const inspect::ReleasePlan& plan, Instant now)
{
    const std::optional<Instant> end = plan.lock ? plan.lock->expiresAt : std::nullopt;
    const std::string sleep = sleepSentence(plan.recipe,
                                            end ? std::optional(*end - now) : std::nullopt);
    if (sleep.empty()) {
        return {};
    }
    const std::string silence =
        plan.action == inspect::ReleaseAction::Tombstone
            ? KernelText::tr("When the tombstone expires, nothing tells the waiters.")
            : KernelText::tr("When the lock expires, nothing tells the waiters.");
    return silence + ' ' + sleep;
}

std::string forbiddenWakeUpSentence(const inspect::ReleaseReport& report,
                                    const inspect::ReleasePlan& plan, Instant now)
{
    const bool isForbidden = report.result == inspect::ReleaseResult::Refused
                             && report.problem.rule.starts_with('&');
    if (!isForbidden) {
        return {};
    }
    const std::optional<Instant> end = plan.lock ? plan.lock->expiresAt : std::nullopt;
    const std::string sleep = sleepSentence(plan.recipe,
                                            end ? std::optional(*end - now) : std::nullopt);
    const std::string why = KernelText::tr("A release without the message would leave the waiters "
                                           "asleep.");
    return sleep.empty() ? why : why + ' ' + sleep;
}

std::string tombstonePriceSentence(const inspect::ReleasePlan& tombstone)
{
    return KernelText::tr("The lock stays taken for another %1, for everyone; a holder that goes "
                          "on trying may take it again after that.",
                          durationText(tombstone.cap));
}

std::string votesSentence(const inspect::ReleaseReport& report)
{
    if (report.result != inspect::ReleaseResult::Released || !report.votesLeft) {
        return {};
    }
    const inspect::Quorum& votes = *report.votesLeft;
    if (votes.total == 1) {
        return KernelText::tr("This is about one server only: the lock may be held by votes on "
                              "several servers, and no others were asked.");
    }
    if (votes.held > 0) {
        return KernelText::tr("Released here; %1 of %2 servers still hold it.", votes.held,
                              votes.total);
    }
    return votes.unknown > 0
               ? KernelText::tr("%1 of %2 servers could not be asked and may still hold it.",
                                votes.unknown, votes.total)
               : std::string();
}

namespace {

std::string lockAfterwards(const inspect::KillReport& report, Instant now)
{
    if (!report.lockNow) {
        return KernelText::tr("Its lock is gone.");
    }
    const OptionalInstant end = report.lockNow->expiresAt;
    return end ? KernelText::tr("Its lock is still there and expires in %1.",
                                durationText(*end - now))
               : KernelText::tr("Its lock is still there and never expires: release it.");
}

} // namespace

std::string disconnectSentence(const inspect::KillReport& report, const inspect::ClientInfo& client,
                               Instant now)
{
    const std::string address = escaped(client.address);
    if (!report.ownReason.empty()) {
        return KernelText::tr("Nothing was done. %1", report.ownReason);
    }
    switch (report.result) {
    case inspect::ReleaseResult::Released: {
        const std::string done =
            report.isProven
                ? KernelText::tr("Disconnected: the server does not list %1 any more.", address)
                : KernelText::tr("Disconnected, but whether %1 is gone was not answered.", address);
        return done + ' ' + lockAfterwards(report, now);
    }
    case inspect::ReleaseResult::ChangedHands:
        return KernelText::tr("Nothing was done: the server has another client under this number "
                              "now.");
    case inspect::ReleaseResult::AlreadyGone:
        return KernelText::tr("Nothing was done: %1 is not connected any more.", address);
    case inspect::ReleaseResult::Refused:
        return KernelText::tr("Nothing was done. %1", store::explain(report.problem));
    case inspect::ReleaseResult::Unknown: break;
    }
    return KernelText::tr("It is not known whether %1 was disconnected: %2", address,
                          store::explain(report.problem));
}

std::string disconnectPriceSentence()
{
    return KernelText::tr("This closes the connection on the server. It does not release the lock, "
                          "which stays until it expires. The client may connect again and renew "
                          "it, and everything else that it does over this connection is "
                          "interrupted as well.");
}

} // namespace lockscope::report
