#include "core/kernel/report/lock_explanation.h"

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/duration_text.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/report/json_text.h"
#include "core/kernel/report/wording.h"

#include <algorithm>
#include <utility>

namespace lockscope::report {

namespace {

using inspect::Holder;
using inspect::LockRecord;
using inspect::LockSnapshot;
using inspect::nameInQuotes;
using inspect::Observation;
using inspect::ReleasePlan;
using inspect::ReleaseRecipe;
using inspect::ValueType;
using KeyCheck = ReleaseRecipe::KeyCheck;

constexpr std::size_t kPartsMax = 6; // more make no paragraph

void append(std::string& text, const std::string& sentence)
{
    text += text.empty() || sentence.empty() ? sentence : ' ' + sentence;
}

/// What there is to be explained, and in which words.
struct Subject {
    const LockRecord& lock;
    const LockSnapshot& snapshot;
    const ReleasePlan* plan = nullptr; // null: no safe release is known
    inspect::PlainWords words;
    Instant now{};

    std::optional<Duration> left() const
    {
        return lock.expiresAt ? std::optional(*lock.expiresAt - now) : std::nullopt;
    }
};

// What its keys mean

const Holder* holderNamed(const LockRecord& lock, const Bytes& owner)
{
    const auto holder = std::ranges::find(lock.holders, owner, &Holder::owner);
    return holder == lock.holders.end() || owner.empty() ? nullptr : &*holder;
}

std::string valueSentence(const LockRecord& lock, const Observation& key)
{
    if (holderNamed(lock, key.value) != nullptr) {
        return KernelText::tr("Its value %1 is the token of the holder: only the client that knows "
                              "it may release the lock.",
                              nameInQuotes(key.value));
    }
    const bool isNameless = std::ranges::all_of(lock.holders,
                                                [](const Holder& h) { return h.owner.empty(); });
    return isNameless ? KernelText::tr("Its value %1 names no holder.", nameInQuotes(key.value))
                      : KernelText::tr("Its value is %1.", nameInQuotes(key.value));
}

std::string fieldSentence(const LockRecord& lock, const inspect::HashField& field)
{
    const Holder* const holder = holderNamed(lock, field.name);
    if (holder != nullptr && field.value == std::to_string(holder->holds)) {
        return KernelText::tr("The field %1 is a holder, and %2 is how often it holds the lock.",
                              nameInQuotes(field.name), escaped(field.value));
    }
    if (holder != nullptr) {
        return KernelText::tr("The field %1 is a holder; its value is %2.",
                              nameInQuotes(field.name), nameInQuotes(field.value));
    }
    return KernelText::tr("The field %1 is %2.", nameInQuotes(field.name),
                          nameInQuotes(field.value));
}

std::string memberSentence(const LockRecord& lock, const Observation& key,
                           const inspect::HashField& member)
{
    const bool isHolder = holderNamed(lock, member.name) != nullptr;
    if (key.type != ValueType::SortedSet) {
        return isHolder ? KernelText::tr("The member %1 is a holder.", nameInQuotes(member.name))
                        : KernelText::tr("%1 is in it.", nameInQuotes(member.name));
    }
    return isHolder ? KernelText::tr("The member %1 is a holder, with the score %2.",
                                     nameInQuotes(member.name), escaped(member.value))
                    : KernelText::tr("The member %1 has the score %2.", nameInQuotes(member.name),
                                     escaped(member.value));
}

/// In the words of the format, if it has some.
std::string partSentence(const Subject& subject, const Observation& key,
                         const inspect::HashField& part)
{
    std::string said = subject.words.part ? subject.words.part(subject.snapshot, key, part)
                                          : std::string();
    if (!said.empty()) {
        return said;
    }
    switch (key.type) {
    case ValueType::String: return valueSentence(subject.lock, key);
    case ValueType::Hash: return fieldSentence(subject.lock, part);
    default: return memberSentence(subject.lock, key, part);
    }
}

/// Holders come first: a hash may have a thousand fields that are something else.
std::vector<inspect::HashField> partsOf(const LockRecord& lock, const Observation& key)
{
    if (key.type == ValueType::String) {
        return {{{}, key.value}};
    }
    std::vector<inspect::HashField> parts = key.fields;
    if (parts.size() > kPartsMax) {
        std::stable_partition(parts.begin(), parts.end(), [&lock](const inspect::HashField& part) {
            return holderNamed(lock, part.name) != nullptr;
        });
    }
    return parts;
}

std::string partsText(const Subject& subject, const Observation& key)
{
    const std::vector<inspect::HashField> parts = partsOf(subject.lock, key);
    std::string text;
    for (std::size_t i = 0; i < std::min(parts.size(), kPartsMax); ++i) {
        append(text, partSentence(subject, key, parts[i]));
    }
    if (parts.size() > kPartsMax) {
        append(text, KernelText::tr("There are %1 more.", parts.size() - kPartsMax));
    }
    return text;
}

bool isRemoved(const ReleasePlan* plan, const Bytes& key)
{
    return plan != nullptr && std::ranges::any_of(plan->recipe.checks, [&](const KeyCheck& check) {
               return check.key == key && !check.isPart;
           });
}

std::string openingOf(const Subject& subject, const Observation& key, bool isSole)
{
    std::string said = subject.words.key ? subject.words.key(subject.snapshot, key) : std::string();
    if (!said.empty()) {
        return said;
    }
    if (!isSole) {
        return KernelText::tr("One of the keys of the lock, a %1.", inspect::nameOf(key.type));
    }
    return subject.lock.mode == inspect::Mode::Semaphore
               ? KernelText::tr("The permits that are taken, a %1.", inspect::nameOf(key.type))
               : KernelText::tr("The lock itself, a %1: it is there while the lock is held.",
                                inspect::nameOf(key.type));
}

std::string companionOpening(const Subject& subject, const Observation& key)
{
    std::string said = subject.words.key ? subject.words.key(subject.snapshot, key) : std::string();
    if (!said.empty()) {
        return said;
    }
    const bool isQueue = key.type == ValueType::List
                         && subject.lock.waiterSource == inspect::WaiterSource::Queue;
    return isQueue ? KernelText::tr("The queue of its waiters, the next one first.")
                   : KernelText::tr("Kept beside the lock, a %1.", inspect::nameOf(key.type));
}

std::string companionText(const Subject& subject, const Observation& key)
{
    std::string text = companionOpening(subject, key);
    append(text, partsText(subject, key));
    if (subject.plan != nullptr && !isRemoved(subject.plan, key.key)) {
        append(text, KernelText::tr("A release does not delete it."));
    }
    return text;
}

std::vector<Explanation::Key> keysOf(const Subject& subject)
{
    const LockSnapshot& snapshot = subject.snapshot;
    const auto existing = std::ranges::count_if(snapshot.keys, &Observation::exists);
    std::vector<Explanation::Key> keys;
    for (const Observation& key : snapshot.keys) {
        if (key.exists()) {
            std::string text = openingOf(subject, key, existing == 1);
            append(text, partsText(subject, key));
            keys.push_back({escaped(key.key), std::move(text)});
        }
    }
    for (const Observation& key : snapshot.companions) {
        if (key.exists()) {
            keys.push_back({escaped(key.key), companionText(subject, key)});
        }
    }
    return keys;
}

// Who keeps it alive

std::string whileHeldOf(const Subject& subject)
{
    std::string text = KernelText::lookUp(subject.words.renewal);
    if (subject.lock.renewals == 1) {
        append(text, KernelText::tr("It was seen to be renewed once, %1 ago.",
                                    durationText(subject.now - subject.lock.lastRenewal)));
    } else if (subject.lock.renewals > 1) {
        append(text, KernelText::tr("It was seen to be renewed %1 times, the last time %2 ago.",
                                    subject.lock.renewals,
                                    durationText(subject.now - subject.lock.lastRenewal)));
    }
    return text;
}

// What happens if the holder dies now

/// A format that knows what else ends a hold has the word where nothing expires.
std::string deathOfTheHolder(const Subject& subject)
{
    const std::string said = KernelText::lookUp(subject.words.ifHolderDies);
    const std::optional<Duration> left = subject.left();
    if (!left) {
        return !said.empty() ? said
                             : KernelText::tr("It stays until it is released: nothing expires it.");
    }
    std::string text = KernelText::tr("It expires by itself in %1: nothing renews it any more.",
                                      durationText(*left));
    append(text, said);
    return text;
}

std::string deathOfOneHolder(const Subject& subject)
{
    const LockRecord& lock = subject.lock;
    const std::size_t others = lock.holders.size() - 1;
    std::string text = others == 1 ? KernelText::tr("1 other holder remains.")
                                   : KernelText::tr("%1 other holders remain.", others);
    const bool haveOwnEnds = std::ranges::all_of(lock.holders, [](const Holder& holder) {
        return holder.expiresAt.has_value();
    });
    const std::string said = KernelText::lookUp(subject.words.ifHolderDies);
    if (haveOwnEnds) {
        const auto last = std::ranges::max_element(lock.holders, {}, &Holder::expiresAt);
        append(text, KernelText::tr("Each hold expires by itself, the last of those that are there "
                                    "now in %1.",
                                    durationText(*last->expiresAt - subject.now)));
    } else if (const std::optional<Duration> left = subject.left()) {
        append(text, KernelText::tr("What it held stays until all holds expire together, in %1 "
                                    "unless another holder renews them.",
                                    durationText(*left)));
    } else if (said.empty()) {
        append(text,
               KernelText::tr("What it held stays until it is released: nothing expires it."));
    }
    append(text, said);
    return text;
}

// Who wakes whom

std::string messageSentence(const ReleaseRecipe& recipe)
{
    if (recipe.script == ReleaseRecipe::Script::RedissonPermits) {
        return KernelText::tr("Its waiters are subscribed to the channel %1; a release publishes "
                              "the new number of free permits there, which wakes as many of them.",
                              escaped(recipe.channel));
    }
    return KernelText::tr("Its waiters are subscribed to the channel %1; a release publishes %2 "
                          "there, which wakes them.",
                          escaped(recipe.channel), nameInQuotes(recipe.payload));
}

std::string channelSentence(const LockRecord& lock, const ReleaseRecipe& recipe)
{
    std::string text = messageSentence(recipe);
    if (lock.waiterSource == inspect::WaiterSource::Channel && lock.waiters) {
        append(text, *lock.waiters == 1
                         ? KernelText::tr("1 client is subscribed now.")
                         : KernelText::tr("%1 clients are subscribed now.", *lock.waiters));
    }
    return text;
}

std::string blockedSentence(const LockRecord& lock)
{
    if (lock.waiters == 0) {
        return KernelText::tr("No client of this server is blocked on a list now.");
    }
    if (!lock.waitersAtMost()) {
        return {};
    }
    return *lock.waitersAtMost() == 1
               ? KernelText::tr("1 client of this server is blocked on a list now; Redis does not "
                                "tell on which list.")
               : KernelText::tr("%1 clients of this server are blocked on lists now; Redis does "
                                "not tell on which lists.",
                                *lock.waitersAtMost());
}

/// Where no queue stands beside the lock, it may be a fair one that nobody waits for.
std::string fairSentence(const LockSnapshot& snapshot, const ReleaseRecipe& recipe)
{
    const Bytes& queue = recipe.companions.front();
    const Observation* const seen = snapshot.companion(queue);
    if (seen != nullptr && seen->exists()) {
        return KernelText::tr("Its waiters queue up in %1, each subscribed to a channel of its "
                              "own, %2:WAITER. A release publishes %3 to that of the first one "
                              "that has not given up.",
                              escaped(queue), escaped(recipe.channel),
                              nameInQuotes(recipe.payload));
    }
    return KernelText::tr("Its waiters are subscribed to the channel %1; a release publishes %2 "
                          "there, which wakes them. Those of a fair lock would queue up in %3.",
                          escaped(recipe.channel), nameInQuotes(recipe.payload), escaped(queue));
}

std::string asleepSentence(const Subject& subject)
{
    const std::optional<Duration> left = subject.left();
    std::string text = KernelText::tr("Its waiters listen to a message that a release cannot "
                                      "send.");
    append(text, left ? KernelText::tr("They sleep on, for at most %1.", durationText(*left))
                      : KernelText::tr("They sleep on until their own wait ends."));
    return text;
}

/// The list to which a release pushes, and what; nullopt: to none.
std::optional<std::pair<Bytes, Bytes>> pushOf(const ReleaseRecipe& recipe)
{
    if (recipe.script == ReleaseRecipe::Script::PushToList && !recipe.companions.empty()) {
        return std::pair(recipe.companions.front(), recipe.payload);
    }
    const auto push = std::ranges::find(recipe.steps, ReleaseRecipe::Step::Kind::Push,
                                        &ReleaseRecipe::Step::kind);
    return push == recipe.steps.end()
               ? std::nullopt
               : std::optional(std::pair(recipe.keyAt(push->key), push->value));
}

std::string wakeUpOf(const Subject& subject)
{
    if (subject.plan == nullptr) {
        return subject.words.waiting.empty()
                   ? KernelText::tr("How its waiters wake up is not known.")
                   : KernelText::lookUp(subject.words.waiting);
    }
    const ReleaseRecipe& recipe = subject.plan->recipe;
    std::string text;
    if (recipe.leavesWaitersAsleep) {
        return asleepSentence(subject);
    }
    if (const auto push = pushOf(recipe)) {
        text = KernelText::tr("Its waiters block on the list %1, as by BLPOP; a release pushes %2 "
                              "to it, which wakes one of them.",
                              escaped(push->first), nameInQuotes(push->second));
        append(text, blockedSentence(subject.lock));
    } else if (recipe.script == ReleaseRecipe::Script::RedissonFair && !recipe.companions.empty()) {
        text = fairSentence(subject.snapshot, recipe);
    } else if (!recipe.channel.empty()) {
        text = channelSentence(subject.lock, recipe);
    } else if (!subject.words.waiting.empty()) {
        text = KernelText::lookUp(subject.words.waiting);
    } else {
        text = KernelText::tr("No message wakes its waiters, as far as known: clients of this "
                              "format ask again and again, and the first one that finds the lock "
                              "free takes it.");
    }
    append(text, sleepSentence(recipe, subject.left()));
    return text;
}

// Output

Json stepsJson(const std::vector<ByHand>& steps)
{
    Json all = Json::array();
    for (const ByHand& step : steps) {
        all.push_back(Json{{"purpose", step.purpose}, {"command", step.command}});
    }
    return all;
}

} // namespace

Explanation explain(const LockRecord& lock, const LockSnapshot& snapshot, const ReleasePlan* plan,
                    Instant now, const inspect::Recognisers& recognisers)
{
    const inspect::Decoder* const decoder = recognisers.decoderOf(lock.format());
    const Subject subject{lock, snapshot, plan,
                          decoder != nullptr ? decoder->words : inspect::PlainWords(), now};
    Explanation explanation;
    explanation.keys = keysOf(subject);
    explanation.whileHeld = whileHeldOf(subject);
    explanation.ifHolderDies = lock.holders.size() > 1 ? deathOfOneHolder(subject)
                                                       : deathOfTheHolder(subject);
    explanation.wakeUp = wakeUpOf(subject);
    explanation.inspect = inspectionByHand(snapshot, plan);
    if (plan != nullptr) {
        explanation.release = releaseByHand(*plan, snapshot);
    }
    return explanation;
}

Json explanationJson(const Explanation& explanation)
{
    Json keys = Json::array();
    for (const Explanation::Key& key : explanation.keys) {
        keys.push_back(Json{{"key", key.key}, {"meaning", key.meaning}});
    }
    return Json{{"keys", std::move(keys)},
                {"whileHeld", textOrNull(explanation.whileHeld)},
                {"ifHolderDies", explanation.ifHolderDies},
                {"wakeUp", explanation.wakeUp},
                {"inspect", stepsJson(explanation.inspect)},
                {"release", stepsJson(explanation.release)}};
}

} // namespace lockscope::report
