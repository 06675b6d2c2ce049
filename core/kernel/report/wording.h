#pragma once

#include "core/kernel/base/duration_text.h"
#include "core/kernel/inspect/client_kill.h"
#include "core/kernel/inspect/decoder.h"
#include "core/kernel/inspect/lock_record.h"
#include "core/kernel/inspect/release_plan.h"
#include "core/kernel/report/release_call.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The words that the window and the command line share. English, plain, no codes.
namespace lockscope::report {

// Durations in words and back, from base/duration_text.h.
using lockscope::durationText;
using lockscope::parseDuration;

/// "no expiry", "count only grows": the flag in the Warnings column.
std::string flagText(inspect::Flag flag);

/// The sentence behind the flag, for this lock: "Nothing will ever remove it: it has no expiry."
std::string flagSentence(inspect::Flag flag, const inspect::LockRecord& record, Instant now);

/// "Held for 4 s so far; the last 6 holds that were watched took at most 1.0 s. It was not
/// renewed."
std::string silentPastUsualSentence(const inspect::LockRecord& record, Instant now);

/// "3 keys are probably data, not locks"
std::string probablyDataSentence(std::uint64_t count);

/// "3 keys looked like locks and were not taken for one"
std::string nearMissSentence(std::uint64_t count);

/// How the flag could be wrong: "Could be wrong if a program removes it by hand on purpose."
std::string flagDoubt(inspect::Flag flag);

/// All flags in words, most urgent first, joined by " · "; empty without flags.
std::string whyLook(const inspect::LockRecord& record, Instant now);

/// "17", "none", "at most 3: …", "not visible: …": how many wait, or why that is not known.
std::string waitersInWords(const inspect::LockRecord& record);

/// The opening of the details panel.
struct Verdict {
    int severity = 0;     // as severityOf() the lock: no finding about it is worse
    std::string headline; // "Stuck: it can never expire"
    std::string reason;   // one to three sentences
    std::string doubt;    // how it could be wrong; empty when nothing is alleged
};
Verdict verdictOf(const inspect::LockRecord& record, Instant now);

/// "Released.", "The lock changed hands; nothing was done." …: what the user reads about an
/// attempt.
std::string resultSentence(const inspect::ReleaseReport& report,
                           inspect::ReleaseAction action = inspect::ReleaseAction::Release);
/// What a plan does, in one sentence: "Ends the hold of 5f0c…:63 on order:42, but only if …".
std::string planSentence(const inspect::ReleasePlan& plan);
/// Whose holds a release ends, where that needs saying: of several holders, or of readers that are
/// not told apart. "Only the hold of A; 2 other holders go on." Empty for a lock with one holder.
std::string endedSentence(const inspect::ReleasePlan& plan);
std::string nextHoldSentence(const inspect::NextHold& nextHold);
/// What became of the connection of a holder, and of its lock. `now`: to tell when the lock ends.
std::string disconnectSentence(const inspect::KillReport& report, const inspect::ClientInfo& client,
                               Instant now);
/// What ending the connection of a holder does, and what it does not.
std::string disconnectPriceSentence();
/// Where else the hold that was released may be: "Released here; 2 of 3 servers still hold it."
/// Empty where it was no vote, or where all of its servers are known to be without it.
std::string votesSentence(const inspect::ReleaseReport& report);

/// How long a waiter sleeps that no wake-up reaches, where the lock expires after `left` (nullopt:
/// never). Empty where its waiters do not sleep, or how long is not known.
std::string sleepSentence(const inspect::ReleaseRecipe& recipe, std::optional<Duration> left);
/// A cap or a tombstone runs out in silence: what that means for those who sleep. Empty where
/// nobody does.
std::string silentEndSentence(const inspect::ReleasePlan& plan, Instant now);
/// Of an attempt that was refused because the message to the waiters is forbidden: why nothing was
/// done without it. Empty for any other.
std::string forbiddenWakeUpSentence(const inspect::ReleaseReport& report,
                                    const inspect::ReleasePlan& plan, Instant now);
/// What a tombstone costs.
std::string tombstonePriceSentence(const inspect::ReleasePlan& tombstone);

/// "A, B and 3 others": some of `count` things, of which these are named.
std::string listText(std::vector<std::string> words, std::size_t count);

/// "The same owner also holds order:2 and order:3. Taken together: probably one multi-lock." Empty
/// where no other lock of this holder of the lock is known.
std::string tieSentence(const inspect::Holder& holder, std::string_view name);

/// The same of names alone; empty without any.
std::string alsoHeldSentence(const std::vector<Bytes>& names, bool isOfThread);

/// What is to be known of locks with the same owner beside their names; often nothing.
std::string tieRemark(const inspect::OwnerTie& tie);

/// After a release: "Released here; the same owner still holds order:2." Empty where none is known.
std::string stillHeldSentence(const inspect::ReleasePlan& plan,
                              const inspect::ReleaseReport& report);

/// "Redisson": the title of a format; the id itself when it is not known.
std::string formatTitle(std::string_view format,
                        const inspect::Recognisers& recognisers = inspect::builtinDecoders());

std::string modeText(inspect::Mode mode);                   // "exclusive", "read", …
std::string confidenceText(inspect::Confidence confidence); // "low", …
std::string goneText(inspect::ChangeKind kind);             // "released", "expired", …
std::string stateText(inspect::LockState state); // "Suspicious", "Held, others wait", "Read by
                                                 // several", …

} // namespace lockscope::report
