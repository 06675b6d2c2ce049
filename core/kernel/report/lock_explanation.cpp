#include "core/kernel/report/lock_explanation.h"

#include "by_hand_scripts.h"
#include "core/kernel/base/bytes.h"
#include "core/kernel/base/duration_text.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/store/command.h"

#include <algorithm>
#include <utility>

namespace lockscope::report {

namespace {

using inspect::Holder;
using inspect::LockRecord;
using inspect::LockSnapshot;
using inspect::Observation;
using inspect::ReleasePlan;
using inspect::ReleaseRecipe;
using inspect::ValueType;
using store::Command;
using KeyCheck = ReleaseRecipe::KeyCheck;
using Step = Explanation::Step;

constexpr std::size_t kPartsMax = 5;     // more make no paragraph
constexpr std::size_t kShownLength = 80; // of a name or a value

std::string inShortQuotes(std::string_view bytes)
{
    return '"' + elidedMiddle(escaped(bytes), kShownLength) + '"';
}

void append(std::string& text, const std::string& sentence)
{
    text += text.empty() || sentence.empty() ? sentence : ' ' + sentence;
}

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
                              inShortQuotes(key.value));
    }
    const bool isNameless = std::ranges::all_of(lock.holders,
                                                [](const Holder& h) { return h.owner.empty(); });
    return isNameless ? KernelText::tr("Its value %1 names no holder.", inShortQuotes(key.value))
                      : KernelText::tr("Its value is %1.", inShortQuotes(key.value));
}

std::string fieldSentence(const LockRecord& lock, const inspect::HashField& field)
{
    const Holder* const holder = holderNamed(lock, field.name);
    if (holder != nullptr && field.value == std::to_string(holder->holds)) {
        return KernelText::tr("The field %1 is a holder, and %2 is how often it holds the lock.",
                              inShortQuotes(field.name), field.value);
    }
    if (holder != nullptr) {
        return KernelText::tr("The field %1 is a holder; its value is %2.",
                              inShortQuotes(field.name), inShortQuotes(field.value));
    }
    return KernelText::tr("The field %1 is %2.", inShortQuotes(field.name),
                          inShortQuotes(field.value));
}

std::string memberSentence(const LockRecord& lock, const Observation& key,
                           const inspect::HashField& member)
{
    const bool isHolder = holderNamed(lock, member.name) != nullptr;
    if (key.type != ValueType::SortedSet) {
        return isHolder ? KernelText::tr("The member %1 is a holder.", inShortQuotes(member.name))
                        : KernelText::tr("%1 is in it.", inShortQuotes(member.name));
    }
    return isHolder ? KernelText::tr("The member %1 is a holder, with the score %2.",
                                     inShortQuotes(member.name), member.value)
                    : KernelText::tr("The member %1 has the score %2.", inShortQuotes(member.name),
                                     member.value);
}

std::string partsText(const LockRecord& lock, const Observation& key)
{
    if (key.type == ValueType::String) {
        return valueSentence(lock, key);
    }
    std::string text;
    for (std::size_t i = 0; i < std::min(key.fields.size(), kPartsMax); ++i) {
        append(text, key.type == ValueType::Hash ? fieldSentence(lock, key.fields[i])
                                                 : memberSentence(lock, key, key.fields[i]));
    }
    if (key.fields.size() > kPartsMax) {
        append(text, KernelText::tr("There are %1 more.", key.fields.size() - kPartsMax));
    }
    return text;
}

bool isRemoved(const ReleasePlan* plan, const Bytes& key)
{
    return plan != nullptr && std::ranges::any_of(plan->recipe.checks, [&](const KeyCheck& check) {
               return check.key == key && !check.isPart;
           });
}

std::string openingOf(const LockRecord& lock, const Observation& key, bool isSole)
{
    if (!isSole) {
        return KernelText::tr("One of the keys of the lock, a %1.", inspect::nameOf(key.type));
    }
    return lock.mode == inspect::Mode::Semaphore
               ? KernelText::tr("The permits that are taken, a %1.", inspect::nameOf(key.type))
               : KernelText::tr("The lock itself, a %1: it is there while the lock is held.",
                                inspect::nameOf(key.type));
}

std::string companionText(const LockRecord& lock, const Observation& key, const ReleasePlan* plan)
{
    const bool isQueue = key.type == ValueType::List
                         && lock.waiterSource == inspect::WaiterSource::Queue;
    std::string text = isQueue ? KernelText::tr("The queue of its waiters, the next one first.")
                               : KernelText::tr("Kept beside the lock, a %1.",
                                                inspect::nameOf(key.type));
    append(text, partsText(lock, key));
    if (plan != nullptr && !isRemoved(plan, key.key)) {
        append(text, KernelText::tr("A release does not delete it."));
    }
    return text;
}

std::vector<Explanation::Key> keysOf(const LockRecord& lock, const LockSnapshot& snapshot,
                                     const ReleasePlan* plan)
{
    const auto existing = std::ranges::count_if(snapshot.keys, &Observation::exists);
    std::vector<Explanation::Key> keys;
    for (const Observation& key : snapshot.keys) {
        if (key.exists()) {
            std::string text = openingOf(lock, key, existing == 1);
            append(text, partsText(lock, key));
            keys.push_back({escaped(key.key), std::move(text)});
        }
    }
    for (const Observation& key : snapshot.companions) {
        if (key.exists()) {
            keys.push_back({escaped(key.key), companionText(lock, key, plan)});
        }
    }
    return keys;
}

// What happens if the holder dies now

std::string deathOfTheHolder(const LockRecord& lock, Instant now)
{
    return lock.expiresAt
               ? KernelText::tr("It expires by itself in %1: nothing renews it any more.",
                                durationText(*lock.expiresAt - now))
               : KernelText::tr("It stays until it is released: nothing expires it.");
}

std::string deathOfOneHolder(const LockRecord& lock, Instant now)
{
    const std::size_t others = lock.holders.size() - 1;
    std::string text = others == 1 ? KernelText::tr("1 other holder remains.")
                                   : KernelText::tr("%1 other holders remain.", others);
    const bool haveOwnEnds = std::ranges::all_of(lock.holders, [](const Holder& holder) {
        return holder.expiresAt.has_value();
    });
    if (haveOwnEnds) {
        const auto last = std::ranges::max_element(lock.holders, {}, &Holder::expiresAt);
        append(text, KernelText::tr("Each hold expires by itself, the last of those that are there "
                                    "now in %1.",
                                    durationText(*last->expiresAt - now)));
    } else if (lock.expiresAt) {
        append(text, KernelText::tr("What it held stays until all holds expire together, in %1 "
                                    "unless another holder renews them.",
                                    durationText(*lock.expiresAt - now)));
    } else {
        append(text,
               KernelText::tr("What it held stays until it is released: nothing expires it."));
    }
    return text;
}

// Who wakes whom

std::string channelSentence(const LockRecord& lock, const ReleaseRecipe& recipe)
{
    std::string text = KernelText::tr("Its waiters are subscribed to the channel %1; a release "
                                      "publishes %2 there, which wakes them.",
                                      escaped(recipe.channel), inShortQuotes(recipe.payload));
    if (lock.waiterSource == inspect::WaiterSource::Channel && lock.waiters) {
        append(text, *lock.waiters == 1
                         ? KernelText::tr("1 client is subscribed now.")
                         : KernelText::tr("%1 clients are subscribed now.", *lock.waiters));
    }
    return text;
}

std::string wakeUpOf(const LockRecord& lock, const ReleasePlan* plan, Instant now)
{
    if (plan == nullptr) {
        return KernelText::tr("How its waiters wake up is not known.");
    }
    const ReleaseRecipe& recipe = plan->recipe;
    if (recipe.leavesWaitersAsleep) {
        std::string text =
            KernelText::tr("Its waiters listen to a message that a release cannot send.");
        append(text, lock.expiresAt ? KernelText::tr("They sleep on, for at most %1.",
                                                     durationText(*lock.expiresAt - now))
                                    : KernelText::tr("They sleep on until their own wait ends."));
        return text;
    }
    if (recipe.script == ReleaseRecipe::Script::PushToList && !recipe.companions.empty()) {
        return KernelText::tr("Its waiters block in BLPOP on the list %1; a release pushes %2 to "
                              "it, which wakes one of them.",
                              escaped(recipe.companions.front()), inShortQuotes(recipe.payload));
    }
    if (recipe.script == ReleaseRecipe::Script::RedissonFair && !recipe.companions.empty()) {
        return KernelText::tr(
            "Its waiters queue up in %1, each subscribed to a channel of its own, "
            "%2:WAITER. A release publishes %3 to that of the first one that has "
            "not given up.",
            escaped(recipe.companions.front()), escaped(recipe.channel),
            inShortQuotes(recipe.payload));
    }
    return recipe.channel.empty()
               ? KernelText::tr("No message wakes its waiters, as far as known: clients of this "
                                "format ask again and again, and the first one that finds the lock "
                                "free takes it.")
               : channelSentence(lock, recipe);
}

// Commands

Command readOf(const Bytes& key, ValueType type)
{
    switch (type) {
    case ValueType::String: return Command("GET", key);
    case ValueType::Hash: return Command("HGETALL", key);
    case ValueType::List: return Command("LRANGE", key, 0, -1);
    case ValueType::Set: return Command("SMEMBERS", key);
    case ValueType::SortedSet: return Command("ZRANGE", key, 0, -1, "WITHSCORES");
    case ValueType::None:
    case ValueType::Stream:
    case ValueType::Other: break;
    }
    return Command("TYPE", key);
}

Step stepOf(std::string purpose, const Command& command)
{
    return {std::move(purpose), store::toText(command)};
}

std::vector<Step> inspectSteps(const LockSnapshot& snapshot, const ReleasePlan* plan)
{
    std::vector<Step> steps;
    for (const std::vector<Observation>* keys : {&snapshot.keys, &snapshot.companions}) {
        for (const Observation& key : *keys) {
            if (key.exists()) {
                steps.push_back(stepOf(KernelText::tr("What is stored"),
                                       readOf(key.key, key.type)));
                steps.push_back(stepOf(KernelText::tr("How long it lives, in ms (-1: for ever)"),
                                       Command("PTTL", key.key)));
            }
        }
    }
    if (plan != nullptr && !plan->recipe.channel.empty()) {
        steps.push_back(stepOf(KernelText::tr("How many clients are subscribed"),
                               Command("PUBSUB", "NUMSUB", plan->recipe.channel)));
    }
    return steps;
}

Command removalOf(const KeyCheck& check)
{
    if (!check.isPart) {
        return Command("DEL", check.key);
    }
    Command command(check.kind == KeyCheck::Kind::Fields    ? "HDEL"
                    : check.kind == KeyCheck::Kind::Members ? "ZREM"
                                                            : "SREM",
                    check.key);
    for (const Bytes& part : check.fields) {
        command.append(part);
    }
    return command;
}

/// As one types it at a prompt.
Bytes inOneLine(std::string_view script)
{
    Bytes line;
    for (std::size_t i = 0; i < script.size(); ++i) {
        if (script[i] != '\n') {
            line += script[i];
            continue;
        }
        const std::size_t next = script.find_first_not_of(" \n", i);
        if (next == std::string_view::npos) {
            break;
        }
        line += ' ';
        i = next - 1;
    }
    return line;
}

/// Short enough to be read before it is pasted; nullopt where more has to be compared.
std::optional<Command> shortScript(const ReleaseRecipe& recipe)
{
    const bool isPlain = recipe.script == ReleaseRecipe::Script::Plain && recipe.checks.size() == 1
                         && recipe.companions.empty() && !recipe.isAnonymous();
    if (!isPlain) {
        return std::nullopt;
    }
    const KeyCheck& check = recipe.checks.front();
    const bool isField = check.kind == KeyCheck::Kind::Fields && check.fields.size() == 1
                         && !check.isPart && check.fieldValues.empty();
    if (check.kind != KeyCheck::Kind::Value && !isField) {
        return std::nullopt;
    }
    Bytes script = inOneLine(isField ? scripts::kReleaseHashByHand : scripts::kReleaseStringByHand);
    Command command("EVAL", std::move(script), 1, check.key,
                    isField ? check.fields.front() : check.value);
    if (!recipe.channel.empty()) {
        command.append(recipe.channel);
        command.append(recipe.payload);
    }
    return command;
}

std::vector<Step> plainSteps(const ReleaseRecipe& recipe)
{
    std::vector<Step> steps;
    if (recipe.script != ReleaseRecipe::Script::Plain) {
        return steps; // what comes next depends on what the first commands answer
    }
    if (!recipe.channel.empty()) {
        steps.push_back(stepOf(KernelText::tr("Wake the waiters"),
                               Command("PUBLISH", recipe.channel, recipe.payload)));
    }
    for (const KeyCheck& check : recipe.checks) {
        steps.push_back(stepOf(check.isPart ? KernelText::tr("Remove the hold")
                                            : KernelText::tr("Delete the key"),
                               removalOf(check)));
    }
    return steps;
}

std::vector<Step> releaseStepsOf(const ReleasePlan& plan)
{
    std::vector<Step> steps = plainSteps(plan.recipe);
    if (const std::optional<Command> script = shortScript(plan.recipe)) {
        steps.push_back(stepOf(KernelText::tr("All of it at once, if it is still the same hold "
                                              "(answers 1 if it was)"),
                               *script));
    } else {
        steps.push_back(stepOf(KernelText::tr("All of it at once, if it is still the same hold "
                                              "(answers 1 first if it was)"),
                               plan.command));
    }
    return steps;
}

// Output

Json stepsJson(const std::vector<Step>& steps)
{
    Json all = Json::array();
    for (const Step& step : steps) {
        all.push_back(Json{{"purpose", step.purpose}, {"command", step.command}});
    }
    return all;
}

std::string stepsText(const std::vector<Step>& steps)
{
    std::string text;
    for (const Step& step : steps) {
        text += "  # " + step.purpose + "\n  " + step.command + '\n';
    }
    return text;
}

std::string section(const std::string& title, const std::string& body)
{
    return body.empty() ? body : title + '\n' + body;
}

} // namespace

Explanation explain(const LockRecord& lock, const LockSnapshot& snapshot, const ReleasePlan* plan,
                    Instant now)
{
    Explanation explanation;
    explanation.keys = keysOf(lock, snapshot, plan);
    explanation.ifHolderDies = lock.holders.size() > 1 ? deathOfOneHolder(lock, now)
                                                       : deathOfTheHolder(lock, now);
    explanation.wakeUp = wakeUpOf(lock, plan, now);
    explanation.inspect = inspectSteps(snapshot, plan);
    if (plan != nullptr) {
        explanation.release = releaseStepsOf(*plan);
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
                {"ifHolderDies", explanation.ifHolderDies},
                {"wakeUp", explanation.wakeUp},
                {"inspect", stepsJson(explanation.inspect)},
                {"release", stepsJson(explanation.release)}};
}

std::string explanationText(const Explanation& explanation)
{
    std::string keys;
    for (const Explanation::Key& key : explanation.keys) {
        keys += "  " + key.key + ": " + key.meaning + '\n';
    }
    return section(KernelText::tr("What its keys mean"), keys)
           + section(KernelText::tr("If its holder dies now"),
                     "  " + explanation.ifHolderDies + '\n')
           + section(KernelText::tr("How its waiters wake up"), "  " + explanation.wakeUp + '\n')
           + section(KernelText::tr("To look at it, at the prompt of redis-cli"),
                     stepsText(explanation.inspect))
           + section(KernelText::tr("To release it by hand, at the prompt of redis-cli. Between "
                                    "single commands another client may take the lock; the last "
                                    "command leaves no gap"),
                     stepsText(explanation.release));
}

} // namespace lockscope::report
