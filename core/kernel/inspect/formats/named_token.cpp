#include "core/kernel/inspect/formats/named_token.h"

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"
#include "core/kernel/inspect/lock_names.h"
#include "core/kernel/inspect/release_hazards.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockscope::inspect {

namespace named_token {

using Match = TokenPattern::Match;

const KeyPattern* patternOf(const FormatFile& format, std::string_view key)
{
    const auto found = std::ranges::find_if(format.keys, [key](const KeyPattern& pattern) {
        return pattern.matches(key);
    });
    return found == format.keys.end() ? nullptr : &*found;
}

std::optional<std::vector<Match>> partsOf(const FormatFile& format, std::string_view value)
{
    for (const TokenPattern& pattern : format.values) {
        if (auto parts = pattern.match(value)) {
            return parts;
        }
    }
    return std::nullopt;
}

/// A long part of it is fixed: *LOCKED_RECORD_INFO_*.
bool isDistinctive(std::string_view glob)
{
    constexpr std::size_t kLongPart = 16;
    std::size_t length = 0;
    for (const char c : glob) {
        const bool isFixed = std::string_view("*?[]\\").find(c) == std::string_view::npos;
        length = isFixed ? length + 1 : 0;
        if (length == kLongPart) {
            return true;
        }
    }
    return false;
}

/// What decides besides the form of the token when the name is not the library's own: it begins as
/// anybody likes, with a word for a lock alone, or with one letter as many names do.
bool mayBeData(const FormatFile& format, const LockSnapshot& snapshot)
{
    const KeyPattern* const pattern = patternOf(format, snapshot.main().key);
    if (format.isOfUser || format.needsLockName || pattern == nullptr
        || isDistinctive(pattern->glob())) {
        return false;
    }
    const std::string_view prefix = pattern->prefix();
    if (pattern->isName() && !isLockWord(prefix.substr(0, prefix.size() - 1))) {
        return false;
    }
    return prefix.empty() || pattern->isName() ? decoders::mayBeData(snapshot)
                                               : !decoders::isLeasedShortly(snapshot);
}

/// nullopt: what there is does not suffice.
std::optional<Confidence> confidenceOf(const FormatFile& format, const LockSnapshot& snapshot)
{
    if (mayBeData(format, snapshot)) {
        return Confidence::Low;
    }
    if (!format.needsLockName || decoders::isNamedLikeLock(snapshot)) {
        return format.confidence;
    }
    const bool mayBeToken = snapshot.main().ttl && !decoders::isNamedLikeData(snapshot);
    return mayBeToken ? std::optional(Confidence::Low) : std::nullopt;
}

/// An instant that the value states is one that a running system wrote. What ends a hold agrees
/// with the expiry of its key, if that has one.
bool isPlausible(const FormatFile& format, const Match& part, const Observation& key)
{
    // One random token in 64 is a UUID of version 1 as well, but of any time.
    constexpr std::chrono::days kRecent(7);
    constexpr std::chrono::days kNear(366);
    constexpr std::chrono::milliseconds kTolerance(2500);
    if (!statesInstant(part.part)) {
        return true;
    }
    const std::optional<WallTime> at = instantOf(part.part, part.text);
    if (!at
        || !decoders::isNear(*at, key.serverTime,
                             part.part == TokenPart::Uuid1Base64 ? kRecent : kNear)) {
        return false;
    }
    return format.stamp == FormatFile::Stamp::Acquired || !key.ttl
           || std::chrono::abs(*decoders::expiryOf(key) - *at) <= kTolerance;
}

void takeDeadline(WallTime at, const Observation& key, DecodedLock& decoded)
{
    decoded.deadline = at;
    if (at < key.serverTime) {
        decoded.flags.add(Flag::Stale);
    }
}

void takeParts(const FormatFile& format, const std::vector<Match>& parts, const Observation& key,
               DecodedLock& decoded)
{
    constexpr std::string_view kOwner = "owner";
    Holder& holder = decoded.holders.front();
    for (const Match& part : parts) {
        const std::optional<WallTime> at = instantOf(part.part, part.text);
        if (part.label == kOwner) {
            holder.owner = Bytes(part.text);
        }
        if (at && format.stamp == FormatFile::Stamp::Deadline) {
            takeDeadline(*at, key, decoded);
        } else if (at) {
            holder.setAcquiredAt(at);
            decoded.acquiredAt = at;
            if (format.endsAfter) {
                takeDeadline(
                    *at + std::chrono::duration_cast<WallTime::duration>(*format.endsAfter), key,
                    decoded);
            }
        }
    }
}

/// The key, when its type, its name and its expiry are those of the format.
const Observation* keyOf(const FormatFile& format, const LockSnapshot& snapshot)
{
    const Observation* const key = decoders::soleString(snapshot);
    const bool fits = key != nullptr && (format.expiry == FormatFile::Expiry::Optional || key->ttl)
                      && patternOf(format, key->key) != nullptr;
    return fits ? key : nullptr;
}

Bytes channelOf(const FormatFile& format, const Bytes& key)
{
    return patternOf(format, key)->withStarOf(key, format.publish->channel);
}

/// Only of what may be such a lock: every question is a question to the server.
ChannelQuestions channels(const FormatFile& format, const LockSnapshot& snapshot)
{
    const Observation* const key = keyOf(format, snapshot);
    return key != nullptr && partsOf(format, key->value)
               ? ChannelQuestions{{channelOf(format, key->key)}}
               : ChannelQuestions();
}

bool isListenedFor(const FormatFile& format, const LockSnapshot& snapshot)
{
    return format.publish
           && snapshot.listenersOf(channelOf(format, snapshot.main().key)).value_or(0) > 0;
}

/// A channel of its own is listened to by those who wait for this lock, and by no others.
void takeWaiters(const FormatFile& format, const LockSnapshot& snapshot, DecodedLock& decoded)
{
    if (format.publish && format.publish->channel.find('*') != std::string::npos) {
        decoded.waiterSource = WaiterSource::Channel;
        decoded.waiterChannel = channelOf(format, snapshot.main().key);
    }
    if (format.push) {
        decoded.waiterSource = WaiterSource::BlockedList;
    }
    if (isListenedFor(format, snapshot)) {
        decoded.because.add(QT_TRANSLATE_NOOP(
            "KernelText", "a client listens on the channel of this library's locks"));
    }
}

std::optional<DecodedLock> read(const FormatFile& format, const LockSnapshot& snapshot)
{
    const Observation* const key = keyOf(format, snapshot);
    if (key == nullptr || (format.needsListeners && !isListenedFor(format, snapshot))) {
        return std::nullopt;
    }
    const std::optional<std::vector<Match>> parts = partsOf(format, key->value);
    const std::optional<Confidence> confidence = parts ? confidenceOf(format, snapshot)
                                                       : std::nullopt;
    if (!confidence || !std::ranges::all_of(*parts, [&](const Match& part) {
            return isPlausible(format, part, *key);
        })) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.confidence = *confidence;
    Holder& holder = decoded.holders.emplace_back();
    if (format.tokenOf != FormatFile::TokenOf::None) {
        holder.owner = key->value;
    }
    takeParts(format, *parts, *key, decoded);
    if (!patternOf(format, key->key)->prefix().empty()) {
        decoded.because.add(QT_TRANSLATE_NOOP("KernelText",
                                              "the key is named as this library names its locks"));
    } else if (decoders::isNamedLikeLock(snapshot)) {
        decoded.because.add(decoders::evidenceOfName(snapshot));
    }
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText",
                                          "the value has the form of this library's tokens"));
    if (key->ttl) {
        decoded.because.add(QT_TRANSLATE_NOOP("KernelText", "it expires, as a lock should"));
    }
    takeWaiters(format, snapshot, decoded);
    return decoded;
}

void addWakeUp(ReleaseRecipe& recipe, const FormatFile& format, const Bytes& key)
{
    const KeyPattern* const pattern = patternOf(format, key);
    if (format.publish && pattern != nullptr) {
        recipe.channel = channelOf(format, key);
        recipe.payload = pattern->withStarOf(key, format.publish->message);
    }
    if (!format.push || pattern == nullptr) {
        return;
    }
    recipe.script = ReleaseRecipe::Script::PushToList;
    recipe.companions.push_back(pattern->withStarOf(key, format.push->listKey));
    recipe.payload = format.push->element;
    recipe.sleep = ReleaseRecipe::Sleep::Lease;
    recipe.moreArguments = {
        std::to_string(format.push->expiry ? toMs(*format.push->expiry) : 0),
        format.push->isTrimmed ? "trim" : "keep",
    };
}

OwnerScope scopeOf(FormatFile::TokenOf tokenOf)
{
    switch (tokenOf) {
    case FormatFile::TokenOf::Hold: break;
    case FormatFile::TokenOf::Process: return OwnerScope::Process;
    case FormatFile::TokenOf::None: return OwnerScope::None;
    }
    return OwnerScope::Hold;
}

std::string warningOf(Hazard hazard)
{
    switch (hazard) {
    case Hazard::BlindDelete: return decoders::blindDeleteWarning();
    case Hazard::BlindExtend:
        return KernelText::tr("If the old holder is still running, its renewal will prolong the "
                              "lock of the next holder: stop it first.");
    case Hazard::JobRunsAgain:
        return KernelText::tr("This is the lease of a job in a queue: after a release the job will "
                              "run again, even while its first run continues.");
    case Hazard::PartOfASet:
        return KernelText::tr("This is one key of a set: the lock is free only when most of its "
                              "keys are released.");
    case Hazard::RenewalRecreates:
    case Hazard::WaitersSleep:
    case Hazard::HazardCount: break;
    }
    return {};
}

void addHazard(ReleaseRecipe& recipe, Hazard hazard, const Observation& key)
{
    if (hazard == Hazard::RenewalRecreates) {
        addRecreation(recipe, ReleaseRecipe::Recreation::Certain, key);
    } else if (hazard == Hazard::WaitersSleep) {
        addSleepingWaiters(recipe, key);
    } else {
        recipe.warnings.push_back(warningOf(hazard));
    }
}

ReleaseRecipe release(const FormatFile& format, const LockSnapshot& snapshot)
{
    ReleaseRecipe recipe;
    // A token of a process is the same for its next hold.
    recipe.checks.push_back(decoders::valueCheck(snapshot.main(),
                                                 format.tokenOf != FormatFile::TokenOf::Hold));
    addWakeUp(recipe, format, snapshot.main().key);
    for (const Hazard hazard : format.hazards) {
        addHazard(recipe, hazard, snapshot.main());
    }
    return recipe;
}

std::vector<Fact> factsOfParts(const FormatFile& format, const LockSnapshot& snapshot)
{
    std::vector<Fact> facts;
    const std::optional<std::vector<Match>> parts = partsOf(format, snapshot.main().value);
    for (const Match& part : parts ? *parts : std::vector<Match>()) {
        std::ranges::move(decoders::machineFacts(part.text), std::back_inserter(facts));
        if (!part.label.empty()) {
            facts.push_back(Fact{part.label, std::string(part.text)});
        }
    }
    return facts;
}

/// What such a part says, where its text alone does not say it.
std::string nameOf(const FormatFile& format, const Match& part)
{
    if (!part.label.empty()) {
        return KernelText::lookUp(part.label);
    }
    if (instantOf(part.part, part.text)) {
        return format.stamp == FormatFile::Stamp::Deadline ? KernelText::tr("end of the hold")
                                                           : KernelText::tr("when it was taken");
    }
    return part.part == TokenPart::Text || part.part == TokenPart::Digits
               ? KernelText::tr("text")
               : KernelText::tr("random number");
}

/// "host: worker-7; pid: 4711; random number: 5f0c…"
std::string listOfParts(const FormatFile& format, const std::vector<Match>& parts,
                        WallTime serverTime)
{
    std::string list;
    for (const Match& part : parts) {
        const std::optional<WallTime> at = instantOf(part.part, part.text);
        const std::string said = at ? KernelText::tr("%1: %2 (%3)", nameOf(format, part),
                                                     escaped(part.text),
                                                     relativeText(*at, serverTime))
                                    : KernelText::tr("%1: %2", nameOf(format, part),
                                                     escaped(part.text));
        list = list.empty() ? said : KernelText::tr("%1; %2", list, said);
    }
    return list;
}

std::string valueSentence(const FormatFile& format, const Bytes& value)
{
    switch (format.tokenOf) {
    case FormatFile::TokenOf::Hold: break;
    case FormatFile::TokenOf::Process:
        return KernelText::tr("Its value %1 is the token of the holder, the same for every hold of "
                              "its process: a release compares the expiry as well.",
                              nameInQuotes(value));
    case FormatFile::TokenOf::None:
        return KernelText::tr("Its value %1 names no holder.", nameInQuotes(value));
    }
    return KernelText::tr("Its value %1 is the token of the holder: only the client that knows it "
                          "may release the lock.",
                          nameInQuotes(value));
}

std::string meaningOf(const FormatFile& format, const Observation& key, const HashField& part)
{
    const std::optional<std::vector<Match>> parts = partsOf(format, part.value);
    std::string text = valueSentence(format, part.value);
    // A token that is one random number is told by the sentence above.
    const bool isTelling =
        parts && (parts->size() > 1 || std::ranges::any_of(*parts, [](const Match& match) {
                      return !match.label.empty() || instantOf(match.part, match.text);
                  }));
    if (isTelling) {
        text += ' '
                + KernelText::tr("It consists of: %1.",
                                 listOfParts(format, *parts, key.serverTime));
    }
    return text;
}

/// Empty where one of the patterns begins with anything.
std::string firstBytesOf(const FormatFile& format)
{
    std::string bytes;
    for (const KeyPattern& pattern : format.keys) {
        if (pattern.prefix().empty()) {
            return {};
        }
        bytes += pattern.prefix().front();
    }
    return bytes;
}

PlainWords wordsOf(const FormatFile& format)
{
    return {
        .renewal = format.renewal,
        .ifHolderDies = format.ifHolderDies,
        .waiting = format.waiting,
        .part = [&format](const LockSnapshot&, const Observation& key,
                          const HashField& part) { return meaningOf(format, key, part); },
    };
}

} // namespace named_token

Decoder decoderOf(const FormatFile& format)
{
    Decoder decoder{
        .id = format.id,
        .library = format.library,
        .title = format.title,
        .summary = format.summary,
        .read =
            [&format](const LockSnapshot& snapshot) { return named_token::read(format, snapshot); },
        .release = [&format](const LockSnapshot& snapshot, const DecodedLock&,
                             HolderChoice) { return named_token::release(format, snapshot); },
        .facts =
            [&format](const LockSnapshot& snapshot, const DecodedLock&) {
                return named_token::factsOfParts(format, snapshot);
            },
        .quorumRole = format.mayVote ? QuorumRole::Vote : QuorumRole::None,
        .ownerScope = named_token::scopeOf(format.tokenOf),
        .isAllOrNothing = format.isAllOrNothing,
        .isJobLease = format.kind == FormatFile::Kind::JobLease,
        .words = named_token::wordsOf(format),
    };
    decoder.firstBytes = named_token::firstBytesOf(format);
    if (format.publish) { // the others need not be asked, for every key
        decoder.channels = [&format](const LockSnapshot& snapshot) {
            return named_token::channels(format, snapshot);
        };
    }
    return decoder;
}

} // namespace lockscope::inspect
