#include "core/kernel/report/wording.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoder.h"
#include "core/kernel/inspect/lock_names.h"
#include "core/kernel/inspect/plain_words.h"
#include "core/kernel/inspect/reason.h"
#include "core/kernel/inspect/watch/hold_history.h"
#include "core/kernel/inspect/watch/renewal_rhythm.h"
#include "core/kernel/report/held_wording.h"

#include <algorithm>
#include <array>

namespace lockscope::report {

using inspect::Flag;
using inspect::LockRecord;
using inspect::Mode;

namespace {

/// How long it has been held, as far as we can tell: "for 41 m", "for at least 41 m".
std::string heldFor(const LockRecord& record, Instant now)
{
    const std::string age = ageText(now - record.firstSeen);
    return record.isTakenWhileWatching ? KernelText::tr("for %1", age)
                                       : KernelText::tr("for at least %1", age);
}

/// "since it was taken 41 m ago", "since we first saw it 41 m ago".
std::string sinceWhen(const LockRecord& record, Instant now)
{
    const std::string age = ageText(now - record.firstSeen);
    return record.isTakenWhileWatching ? KernelText::tr("since it was taken %1 ago", age)
                                       : KernelText::tr("since we first saw it %1 ago", age);
}

std::vector<Flag> flagsByUrgency(const LockRecord& record)
{
    std::vector<Flag> found;
    for (int i = 0; i < static_cast<int>(Flag::FlagCount); ++i) {
        const auto flag = static_cast<Flag>(i);
        if (record.flags.has(flag)) {
            found.push_back(flag);
        }
    }
    // What is probably data has no other problem.
    std::stable_sort(found.begin(), found.end(), [&record](Flag a, Flag b) {
        const auto rank = [&record](Flag flag) {
            return flag == Flag::ProbablyData ? 3 : inspect::severityOf(flag, record);
        };
        return rank(a) > rank(b);
    });
    return found;
}

std::string flagHeadline(Flag flag, const LockRecord& record)
{
    switch (flag) {
    case Flag::NoExpiry:
        return record.confidence == inspect::Confidence::Low
                   ? KernelText::tr("Possibly stuck: it never expires")
                   : KernelText::tr("Stuck: it never expires");
    case Flag::Stale:
        return record.confidence == inspect::Confidence::Low
                   ? KernelText::tr("Unknown whether it is held: the time in its value has passed")
                   : KernelText::tr("Expired by its own timestamp, but still present");
    case Flag::CountOnlyGrows:
        return KernelText::tr("Suspicious: acquired again and again, never released");
    case Flag::RenewedForever:
        return KernelText::tr("Suspicious: renewed far longer than its lease");
    case Flag::Minority: return KernelText::tr("Leftover: on too few servers to be held");
    case Flag::SplitOwners: return KernelText::tr("Split: the servers name different owners");
    case Flag::ReadAndWrite: return KernelText::tr("Broken: readers and a writer at the same time");
    case Flag::MissingExpiryOfReader:
        return KernelText::tr("Stuck: one of its keys can never expire");
    case Flag::HolderGone: return KernelText::tr("Abandoned: its holder is no longer connected");
    case Flag::AtRisk: return KernelText::tr("At risk: a failover may lose it");
    case Flag::Deadlock: return KernelText::tr("Deadlock: its holder waits for another lock");
    case Flag::AbsurdLease:
        return KernelText::tr("Suspicious: a lease of %1", durationText(record.lease));
    case Flag::GrowingLease: return KernelText::tr("Suspicious: its lease grows");
    case Flag::SilentPastUsual: return KernelText::tr("Suspicious: held far longer than usual");
    case Flag::DeadReaders: return KernelText::tr("Suspicious: some of its readers are dead");
    case Flag::SilentQueueHead:
        return KernelText::tr("Suspicious: the next in its queue does not listen");
    case Flag::ProbablyData: return KernelText::tr("Not known to be a lock, probably data");
    case Flag::FlagCount: break;
    }
    return {};
}

/// What the last sign of life was, for a lock that nothing else will end.
std::string lastTouch(const LockRecord& record, Instant now)
{
    if (record.renewals > 0) {
        return KernelText::tr("It was last renewed %1 ago.", ageText(now - record.lastRenewal));
    }
    if (isFirstLook(record, now)) {
        return KernelText::tr("Its age is unknown.");
    }
    return KernelText::tr("It has not been touched %1.", sinceWhen(record, now));
}

std::string noExpirySentence(const LockRecord& record, Instant now)
{
    return KernelText::tr("Nothing will ever remove it: it has no expiry.") + ' '
           + lastTouch(record, now);
}

std::string staleSentence(const LockRecord& record)
{
    const std::string sentence =
        record.confidence == inspect::Confidence::Low
            ? KernelText::tr("The time in its value has passed. It is unknown whether the next "
                             "client may take it over: the time may be the end of the hold, or "
                             "the time at which the lock was acquired.")
            : KernelText::tr(
                "The expiry written in its value has passed, so the next client may take it over.");
    return record.expiresAt ? sentence
                            : sentence + ' ' + KernelText::tr("The key itself never expires.");
}

std::string renewedForeverSentence(const LockRecord& record, Instant now)
{
    const std::string held = heldFor(record, now);
    const std::string sentence =
        record.lease > Duration(0)
            ? KernelText::tr("It has been kept alive %1 by renewing a lease of %2", held,
                             ageText(record.lease))
            : KernelText::tr("It has been kept alive %1", held);
    if (record.renewals == 0) {
        return sentence + '.';
    }
    const std::string last = ageText(now - record.lastRenewal);
    return sentence + ' '
           + (record.renewals == 1
                  ? KernelText::tr("(1 renewal seen, the last %1 ago).", last)
                  : KernelText::tr("(%1 renewals seen, the last %2 ago).", record.renewals, last));
}

std::string minoritySentence(const LockRecord& record)
{
    const inspect::Quorum& quorum = record.quorum();
    if (quorum.unknown > 0) {
        return KernelText::tr(
            "At most %1 of %2 servers have this token, fewer than a majority: the "
            "lock is not held, but it may block others.",
            quorum.held + quorum.unknown, quorum.total);
    }
    return KernelText::tr("Only %1 of %2 servers have this token, fewer than a majority: the lock "
                          "is not held, but it blocks others.",
                          quorum.held, quorum.total);
}

std::string holderGoneSentence(const LockRecord& record, Instant now)
{
    std::string sentence =
        KernelText::tr("The client that its token names is no longer in the server's client list.");
    if (!record.expiresAt) {
        return sentence;
    }
    return sentence + ' '
           + KernelText::tr("It expires in %1.", durationText(*record.expiresAt - now));
}

std::string deadlockSentence(const LockRecord& record)
{
    const std::vector<Bytes> names = record.deadlock() ? *record.deadlock() : std::vector<Bytes>();
    if (names.empty()) {
        return KernelText::tr("Its holder waits for a lock whose holder waits for this one.");
    }
    if (names.size() == 1) {
        return KernelText::tr("Its holder waits for the lock that it holds.");
    }
    if (names.size() == 2) {
        const bool isFirst = names.front() == record.id.name;
        return KernelText::tr("Its holder waits for %1, and the holder of that lock waits for "
                              "this one: neither can go on.",
                              inspect::nameInQuotes(isFirst ? names.back() : names.front()));
    }
    std::vector<std::string> quoted;
    quoted.reserve(names.size());
    for (const Bytes& name : names) {
        quoted.push_back(inspect::nameInQuotes(name));
    }
    return KernelText::tr("It is one of %1 locks whose holders wait for each other in a ring: %2.",
                          names.size(), listText(std::move(quoted), names.size()));
}

/// "10 s", "2.5 s"
std::string intervalText(Duration every)
{
    const bool isWhole = every % std::chrono::seconds(1) == Duration(0);
    return isWhole && every < std::chrono::minutes(1) ? ageText(every) : durationText(every);
}

/// "Held, renewed every 10 s", "Held, but silent: expires in 12.3 s".
std::string rhythmHeadline(const LockRecord& record, const inspect::RenewalRhythm& rhythm,
                           const std::string& state, Instant now)
{
    if (rhythm.missed == 0 || !record.expiresAt) {
        return KernelText::tr("%1, renewed every %2", state, intervalText(rhythm.every));
    }
    return KernelText::tr("%1, but silent: expires in %2", state,
                          durationText(*record.expiresAt - now));
}

/// Behind how often it was renewed.
std::string rhythmSentence(const inspect::RenewalRhythm& rhythm)
{
    const std::string every = intervalText(rhythm.every);
    if (rhythm.missed == 0) {
        return KernelText::tr("A timer of its holder renews it every %1: its holder is alive.",
                              every);
    }
    return rhythm.missed == 1
               ? KernelText::tr("It was renewed every %1, and the last renewal is missing.", every)
               : KernelText::tr("It was renewed every %1, and the last %2 renewals are missing.",
                                every, rhythm.missed);
}

/// "Held, renewed 4 s ago", "Held, runs out in 12.3 s unless renewed".
std::string healthyHeadline(const LockRecord& record, Instant now)
{
    if (!record.isConfirmed) {
        return KernelText::tr("Not confirmed since the connection was lost");
    }
    if (record.quorum().isUndecided()) {
        return KernelText::tr("Unknown whether it is held");
    }
    std::string state = heldHow(record);
    if (const auto rhythm = inspect::rhythmOf(record, now)) {
        return rhythmHeadline(record, *rhythm, state, now);
    }
    if (record.renewals > 0) {
        return KernelText::tr("%1, renewed %2 ago", state, ageText(now - record.lastRenewal));
    }
    if (!record.expiresAt && endsElsewhere(record)) {
        return state;
    }
    if (!record.expiresAt) {
        return KernelText::tr("%1, never expires", state);
    }
    const Duration left = *record.expiresAt - now;
    return left > Duration(0)
               ? KernelText::tr("%1, expires in %2 unless renewed", state, durationText(left))
               : KernelText::tr("%1, expiring now", state);
}

std::string waitersSentence(const LockRecord& record)
{
    if (record.waiters.value_or(0) <= 0) {
        return {};
    }
    return ' '
           + (*record.waiters == 1
                  ? KernelText::tr("1 client waits for its release.")
                  : KernelText::tr("%1 clients wait for its release.", *record.waiters));
}

std::string quorumSentence(const LockRecord& record)
{
    if (record.quorum().total == 0) {
        return {};
    }
    const inspect::Quorum& quorum = record.quorum();
    const std::string onSome = ' '
                               + KernelText::tr("It is on %1 of %2 servers", quorum.held,
                                                quorum.total);
    if (quorum.unknown == 0) {
        return onSome + '.';
    }
    const std::string others = quorum.unknown == 1
                                   ? KernelText::tr("; the state of 1 other is unknown")
                                   : KernelText::tr("; the state of %1 others is unknown",
                                                    quorum.unknown);
    return onSome + others + (quorum.isUndecided() ? KernelText::tr(", which is decisive.") : ".");
}

/// What becomes of a lock without expiry that nothing is wrong with yet.
std::string leftBehindSentence(const LockRecord& record)
{
    return record.flags.has(Flag::NoExpiry)
               ? ' ' + KernelText::tr("If its holder dies, nothing will remove it.")
               : std::string();
}

std::string healthyReason(const LockRecord& record, Instant now)
{
    if (!record.isConfirmed) {
        return KernelText::tr("This is the state before the connection was lost. It will be read "
                              "again when the server replies.");
    }
    if (record.quorum().isUndecided()) {
        return KernelText::tr("It is unknown whether a majority of the servers has it.")
               + quorumSentence(record);
    }
    const std::string more = leftBehindSentence(record) + quorumSentence(record)
                             + waitersSentence(record);
    if (isFirstLook(record, now)) {
        return (record.isNewHold
                    ? KernelText::tr("Taken less than 5 minutes ago, as its value says.")
                    : KernelText::tr("Its age is unknown: this is the first look."))
               + more;
    }
    std::string reason = KernelText::tr("Held %1.", heldFor(record, now));
    const std::string since = sinceWhen(record, now);
    if (const auto rhythm = inspect::rhythmOf(record, now)) {
        reason += ' ' + rhythmSentence(*rhythm);
    } else if (record.renewals == 1) {
        reason += ' ' + KernelText::tr("Renewed 1 time %1: its holder is alive.", since);
    } else if (record.renewals > 1) {
        reason += ' '
                  + KernelText::tr("Renewed %1 times %2: its holder is alive.", record.renewals,
                                   since);
    } else if (record.expiresAt) {
        reason += ' ' + KernelText::tr("No renewal seen.");
    }
    return reason + more;
}

/// Two sentences of flags fit under a headline; what else there is stands in the Warnings column.
std::string suspiciousReason(const LockRecord& record, const std::vector<Flag>& flags, Instant now)
{
    std::string reason = flagSentence(flags.front(), record, now);
    if (flags.size() > 1) {
        reason += ' ' + flagSentence(flags[1], record, now);
    }
    if (!record.isConfirmed) {
        reason +=
            ' ' + KernelText::tr("The connection was lost since then; this is not confirmed yet.");
    }
    return reason;
}

} // namespace

std::string silentPastUsualSentence(const LockRecord& record, Instant now)
{
    const std::string age = ageText(now - record.firstSeen);
    const std::string held =
        record.history() ? KernelText::tr("Held for %1 so far; the last %2 holds that were watched "
                                          "took at most %3.",
                                          age, record.history()->holds.size(),
                                          durationText(record.history()->longest()))
                         : KernelText::tr("Held for %1 so far.", age);
    return held + ' '
           + (record.renewals == 0 ? KernelText::tr("It was not renewed.")
                                   : KernelText::tr("It was last renewed %1 ago.",
                                                    ageText(now - record.lastRenewal)));
}

std::string flagText(Flag flag)
{
    return KernelText::lookUp(inspect::infoOf(flag).text);
}

std::string flagSentence(Flag flag, const LockRecord& record, Instant now)
{
    switch (flag) {
    case Flag::NoExpiry: return noExpirySentence(record, now);
    case Flag::Stale: return staleSentence(record);
    case Flag::CountOnlyGrows:
        return KernelText::tr("Its hold count has only grown, to %1, %2: it is acquired repeatedly "
                              "and never released.",
                              record.holds(), sinceWhen(record, now));
    case Flag::RenewedForever: return renewedForeverSentence(record, now);
    case Flag::Minority: return minoritySentence(record);
    case Flag::SplitOwners:
        return KernelText::tr(
            "The servers of the set disagree about the owner of this lock; possibly no owner "
            "has a majority.");
    case Flag::ReadAndWrite:
        return KernelText::tr(
            "Readers and a writer hold it at the same time, which violates its rules.");
    case Flag::MissingExpiryOfReader:
        return KernelText::tr(
            "At least one of its keys has no expiry and will remain when the others expire.");
    case Flag::HolderGone: return holderGoneSentence(record, now);
    case Flag::AtRisk:
        return KernelText::tr("The connection to its master was lost before a replica is known to "
                              "have the lock: after a failover another client may acquire it.");
    case Flag::Deadlock: return deadlockSentence(record);
    case Flag::AbsurdLease:
        return KernelText::tr("Its lease is %1, which is as good as no expiry: if its holder dies, "
                              "it blocks other clients for that long.",
                              durationText(record.lease));
    case Flag::GrowingLease:
        return KernelText::tr("Each renewal left more time than the one before, and the last one "
                              "left %1.",
                              durationText(record.lease));
    case Flag::SilentPastUsual: return silentPastUsualSentence(record, now);
    case Flag::DeadReaders:
        return KernelText::tr("Readers whose leases are over are still counted, while other "
                              "readers keep the lock alive.");
    case Flag::SilentQueueHead:
        return KernelText::tr("No client listens on the channel on which the next in its queue "
                              "would be woken.");
    case Flag::ProbablyData:
        return inspect::soundsLikeLock(record.id.name)
                   ? KernelText::tr("Its name contains a word for a lock, but its value and its "
                                    "expiry are those of plain data.")
                   : KernelText::tr("Neither its name nor its value shows that it is a lock. It is "
                                    "read as one because you asked for this key.");
    case Flag::FlagCount: break;
    }
    return {};
}

std::string probablyDataSentence(std::uint64_t count)
{
    return count == 1 ? KernelText::tr("1 key is probably data, not a lock")
                      : KernelText::tr("%1 keys are probably data, not locks", count);
}

std::string nearMissSentence(std::uint64_t count)
{
    return count == 1 ? KernelText::tr("1 key looked like a lock but was not recognised")
                      : KernelText::tr("%1 keys looked like locks but were not recognised", count);
}

std::string flagDoubt(Flag flag)
{
    return KernelText::lookUp(inspect::infoOf(flag).doubt);
}

std::string whyLook(const LockRecord& record, Instant)
{
    std::string out;
    for (const Flag flag : flagsByUrgency(record)) {
        out += out.empty() ? "" : " · ";
        out += flagText(flag);
    }
    return out;
}

Verdict verdictOf(const LockRecord& record, Instant now)
{
    const std::vector<Flag> flags = flagsByUrgency(record);
    const int severity = inspect::severityOf(record);
    if (severity == 0 && !record.flags.has(Flag::ProbablyData)) {
        return {0, healthyHeadline(record, now), healthyReason(record, now), {}};
    }
    return {severity, flagHeadline(flags.front(), record), suspiciousReason(record, flags, now),
            flagDoubt(flags.front())};
}

std::string waitersInWords(const LockRecord& record)
{
    if (record.waitersAtMost()) {
        return KernelText::tr("at most %1: so many clients are blocked on lists; Redis does not "
                              "tell on which",
                              *record.waitersAtMost());
    }
    if (record.waiters) {
        return *record.waiters == 0 ? KernelText::tr("none") : std::to_string(*record.waiters);
    }
    switch (record.waiterSource) {
    case inspect::WaiterSource::None: break;
    case inspect::WaiterSource::SomeOnChannel:
        return KernelText::tr("not visible: nothing listens, but clients may poll");
    case inspect::WaiterSource::BlockedList:
        return KernelText::tr("not visible: they block on a list, and the clients were not "
                              "listed");
    case inspect::WaiterSource::Channel:
    case inspect::WaiterSource::Queue:
    case inspect::WaiterSource::Value: return KernelText::tr("unknown: could not be read");
    }
    return KernelText::tr("not visible: Redis does not record them");
}

std::string formatTitle(std::string_view format, const inspect::Recognisers& recognisers)
{
    const inspect::Decoder* const decoder = recognisers.decoderOf(format);
    return decoder != nullptr ? KernelText::lookUp(decoder->title) : std::string(format);
}

std::string modeText(Mode mode)
{
    switch (mode) {
    case Mode::Exclusive: return KernelText::tr("exclusive");
    case Mode::Read: return KernelText::tr("read");
    case Mode::Write: return KernelText::tr("write");
    case Mode::Semaphore: return KernelText::tr("semaphore");
    }
    return {};
}

std::string confidenceText(inspect::Confidence confidence)
{
    switch (confidence) {
    case inspect::Confidence::Low: return KernelText::tr("low");
    case inspect::Confidence::Medium: return KernelText::tr("medium");
    case inspect::Confidence::High: return KernelText::tr("high");
    }
    return {};
}

std::string goneText(inspect::ChangeKind kind)
{
    using inspect::ChangeKind;
    switch (kind) {
    case ChangeKind::Released: return KernelText::tr("released");
    case ChangeKind::Expired: return KernelText::tr("expired");
    case ChangeKind::Unwatched: return KernelText::tr("unwatched");
    case ChangeKind::Appeared:
    case ChangeKind::Changed:
    case ChangeKind::Renewed: break; // it is still there
    }
    return {};
}

std::string stateText(inspect::LockState state)
{
    using State = inspect::LockState;
    switch (state) {
    case State::Suspicious: return KernelText::tr("Suspicious");
    case State::Unconfirmed: return KernelText::tr("Not confirmed");
    case State::Contended: return KernelText::tr("Held, others wait");
    case State::ReadShared: return KernelText::tr("Read by several");
    case State::Held: return KernelText::tr("Held");
    case State::StateCount: break;
    }
    return {};
}

} // namespace lockscope::report
