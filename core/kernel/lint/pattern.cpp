#include "core/kernel/lint/pattern.h"

#include "core/kernel/base/kernel_text.h"

#include <algorithm>
#include <array>
#include <vector>

namespace lockscope::lint {

using world::FaultKind;
using world::ViolationKind;
using enum world::ViolationKind;

namespace {

struct PatternInfo {
    Pattern pattern;
    std::string_view id;
    const char* sentence;
    const char* remedy;
    std::vector<ViolationKind> kinds; // that prove it; none: a single server cannot show it
    std::vector<FaultKind> faults{};  // under which they do; none: under any
};

/// Of patterns that show on a good day; after a fault the same things happen to sound locks.
const std::vector<FaultKind> kGoodDay{FaultKind::Interleaving};

std::vector<PatternInfo> infosOfAnswers()
{
    return {
        {Pattern::ScriptError,
         "script-error",
         QT_TRANSLATE_NOOP("KernelText", "the server answers this step with an error"),
         QT_TRANSLATE_NOOP("KernelText", "An error leaves behind what the script wrote before it."),
         {ErrorAnswer, ViolationKind::NeverGranted}},
        {Pattern::UnlistedAnswer,
         "unlisted-answer",
         QT_TRANSLATE_NOOP("KernelText", "this step gives an answer that the file does not list"),
         QT_TRANSLATE_NOOP("KernelText", "List the answer, or \"*\" for all others: a client does "
                                         "not know what became of its lock."),
         {UnknownAnswer, ViolationKind::NeverGranted}},
        {Pattern::NeverGranted,
         "never-granted",
         QT_TRANSLATE_NOOP("KernelText", "a client that is alone is refused"),
         QT_TRANSLATE_NOOP("KernelText", "A lock that nobody holds has to be granted."),
         {ViolationKind::NeverGranted, NoProgress}},
        {Pattern::GrantedWhileHeld,
         "granted-while-held",
         QT_TRANSLATE_NOOP("KernelText", "a second client is granted a lock that is held"),
         QT_TRANSLATE_NOOP("KernelText", "Take the lock only if it is not there: SET … NX."),
         {DoubleGrant, DoubleBelief, LostWrite},
         kGoodDay},
        {Pattern::NoExpiry,
         "no-expiry",
         QT_TRANSLATE_NOOP("KernelText", "the lock of a client that died stays for ever"),
         QT_TRANSLATE_NOOP("KernelText", "Set an expiry with the command that takes the lock: "
                                         "SET … NX PX."),
         {PermanentLock, Orphan}},
        {Pattern::LateExpiry,
         "late-expiry",
         QT_TRANSLATE_NOOP("KernelText", "the lock is taken with one command, and gets its expiry "
                                         "with the next"),
         QT_TRANSLATE_NOOP("KernelText", "A client that dies between the two leaves a lock that "
                                         "stays for ever. Make them one: SET … NX PX."),
         {PermanentLock}},
        {Pattern::WrongLease,
         "wrong-lease",
         QT_TRANSLATE_NOOP("KernelText",
                           "the server keeps the lock longer or shorter than its lease"),
         QT_TRANSLATE_NOOP("KernelText", "PX and PEXPIRE take milliseconds, EX and EXPIRE seconds; "
                                         "{leaseMs} is in milliseconds."),
         {PermanentLock, NoProgress, DishonestLease, DoubleGrant},
         {FaultKind::Interleaving, FaultKind::Crash}},
    };
}

std::vector<PatternInfo> infosOfOwners()
{
    return {
        {Pattern::NoOwner,
         "no-owner",
         QT_TRANSLATE_NOOP("KernelText", "nothing on the server tells whose hold it is"),
         QT_TRANSLATE_NOOP("KernelText", "Store {token} or {clientId}, and compare it before "
                                         "anything is deleted or extended."),
         {ViolationKind::WrongRelease, WrongExtension, Takeover}},
        {Pattern::RefusalChangesLock,
         "refusal-changes-lock",
         QT_TRANSLATE_NOOP("KernelText", "a refused client changes the hold that blocks it"),
         QT_TRANSLATE_NOOP("KernelText", "Write only after it is certain that the lock is free."),
         {WrongExtension, Takeover, PermanentLock}},
        {Pattern::AcquireInTwoCommands,
         "acquire-in-two-commands",
         QT_TRANSLATE_NOOP("KernelText", "one command looks whether the lock is free, and the next "
                                         "takes it"),
         QT_TRANSLATE_NOOP("KernelText", "Two clients can look before either takes it. Look and "
                                         "take in one script."),
         {DoubleGrant, DoubleBelief, LostWrite},
         kGoodDay},
        {Pattern::UncomparedRelease,
         "uncompared-release",
         QT_TRANSLATE_NOOP("KernelText", "the release deletes the lock whoever holds it"),
         QT_TRANSLATE_NOOP("KernelText", "Compare the owner and delete in one script."),
         {ViolationKind::WrongRelease}},
        {Pattern::ReleaseInTwoCommands,
         "release-in-two-commands",
         QT_TRANSLATE_NOOP("KernelText", "one command compares the owner, and the next deletes the "
                                         "lock"),
         QT_TRANSLATE_NOOP("KernelText", "The lock may change hands in between. Compare and delete "
                                         "in one script."),
         {ViolationKind::WrongRelease}},
        {Pattern::ReleaseLeavesLock,
         "release-leaves-lock",
         QT_TRANSLATE_NOOP("KernelText", "the lock is still there after its release"),
         QT_TRANSLATE_NOOP("KernelText", "The release has to free what the acquisition took."),
         {Orphan, PermanentLock, NoProgress, ReentryImbalance},
         kGoodDay},
        {Pattern::ForgetsCount,
         "forgets-count",
         QT_TRANSLATE_NOOP("KernelText", "the first release frees a lock that was taken twice"),
         QT_TRANSLATE_NOOP("KernelText", "Count down, and delete at zero only."),
         {ReentryImbalance, ViolationKind::WrongRelease, DoubleGrant, DoubleBelief},
         kGoodDay},
    };
}

std::vector<PatternInfo> infosOfRenewals()
{
    return {
        {Pattern::RenewsAnybody,
         "renews-anybody",
         QT_TRANSLATE_NOOP("KernelText", "the renewal extends the lock whoever holds it"),
         QT_TRANSLATE_NOOP("KernelText", "Compare the owner and extend in one script."),
         {WrongExtension, Takeover}},
        {Pattern::RenewalInTwoCommands,
         "renewal-in-two-commands",
         QT_TRANSLATE_NOOP("KernelText", "one command compares the owner, and the next extends the "
                                         "lock"),
         QT_TRANSLATE_NOOP("KernelText", "The lock may change hands in between. Compare and extend "
                                         "in one script."),
         {WrongExtension, Takeover}},
        {Pattern::RevivesLock,
         "revives-lock",
         QT_TRANSLATE_NOOP("KernelText", "the renewal creates a lock again that has ended"),
         QT_TRANSLATE_NOOP("KernelText", "If the lock no longer exists, answer that it is gone."),
         {WrongExtension, Orphan}},
        {Pattern::UselessRenewal,
         "useless-renewal",
         QT_TRANSLATE_NOOP("KernelText", "the lease does not begin anew with a renewal"),
         QT_TRANSLATE_NOOP("KernelText", "Set the expiry again: PEXPIRE."),
         {DishonestLease, DoubleGrant, DoubleBelief},
         kGoodDay},
        {Pattern::UntruthfulRenewal,
         "untruthful-renewal",
         QT_TRANSLATE_NOOP("KernelText", "the renewal succeeds where there is nothing to renew"),
         QT_TRANSLATE_NOOP("KernelText", "Answer that the lock is gone, so that its holder stops."),
         {DishonestLease},
         {FaultKind::Interleaving, FaultKind::Pause, FaultKind::MessageDelay,
          FaultKind::MessageLoss, FaultKind::ConnectionLoss}},
        {Pattern::LateRenewal,
         "late-renewal",
         QT_TRANSLATE_NOOP("KernelText", "the first renewal comes when the lease is over"),
         QT_TRANSLATE_NOOP("KernelText", "Renew every third of the lease, so that one renewal may "
                                         "fail."),
         {DishonestLease, DoubleGrant, DoubleBelief, LostWrite},
         kGoodDay},
        {Pattern::NoWakeUp,
         "no-wake-up",
         QT_TRANSLATE_NOOP("KernelText", "waiters listen to a channel on which the release "
                                         "publishes nothing"),
         QT_TRANSLATE_NOOP("KernelText", "PUBLISH to the channel of \"retry\" when the lock is "
                                         "free."),
         {ViolationKind::LostWakeup}},
        {Pattern::ClientClock,
         "client-clock",
         QT_TRANSLATE_NOOP("KernelText", "{nowMs} is the time of the client's clock, which may "
                                         "differ from others"),
         QT_TRANSLATE_NOOP("KernelText", "Use the server's, by the command TIME."),
         {DoubleGrant, DoubleBelief, LostWrite, DishonestLease, PermanentLock, NoProgress,
          ViolationKind::WrongRelease, WrongExtension, Takeover},
         {FaultKind::ClockSkew}},
        {Pattern::UndeclaredKey,
         "undeclared-key",
         QT_TRANSLATE_NOOP("KernelText", "the script uses a key that is not among its \"keys\""),
         QT_TRANSLATE_NOOP("KernelText", "A cluster refuses such a script. Name the key in "
                                         "\"keys\", with the same {…} part as the others."),
         {}},
    };
}

std::vector<PatternInfo> allInfos()
{
    std::vector<PatternInfo> all = infosOfAnswers();
    for (std::vector<PatternInfo> more : {infosOfOwners(), infosOfRenewals()}) {
        all.insert(all.end(), more.begin(), more.end());
    }
    std::ranges::sort(all, {}, &PatternInfo::pattern);
    return all;
}

const PatternInfo& infoOf(Pattern pattern)
{
    static const std::vector<PatternInfo> kInfos = allInfos();
    return kInfos.at(static_cast<std::size_t>(pattern));
}

} // namespace

std::string_view idOf(Pattern pattern)
{
    return infoOf(pattern).id;
}

std::string sentenceFor(Pattern pattern)
{
    return KernelText::lookUp(infoOf(pattern).sentence);
}

std::string remedyFor(Pattern pattern)
{
    return KernelText::lookUp(infoOf(pattern).remedy);
}

bool isProvedBy(Pattern pattern, ViolationKind kind, std::optional<FaultKind> fault)
{
    const PatternInfo& info = infoOf(pattern);
    const bool isUnderIt = info.faults.empty()
                           || (fault
                               && std::ranges::find(info.faults, *fault) != info.faults.end());
    return isUnderIt && std::ranges::find(info.kinds, kind) != info.kinds.end();
}

} // namespace lockscope::lint
