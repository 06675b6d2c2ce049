#include "core/kernel/report/release_steps.h"

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/duration_text.h"
#include "core/kernel/base/kernel_text.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace lockscope::report {

namespace {

using inspect::ReleasePlan;
using inspect::ReleaseRecipe;
using KeyCheck = ReleaseRecipe::KeyCheck;

constexpr std::size_t kNamedMax = 3;

std::string inQuotes(std::string_view bytes)
{
    return '"' + escaped(bytes) + '"';
}

/// `"a", "b" and 4 more`.
std::string listOf(const std::vector<std::string>& words)
{
    const std::size_t named = words.size() <= kNamedMax + 1 ? words.size() : kNamedMax;
    std::string text = words.front();
    for (std::size_t i = 1; i < named; ++i) {
        text = i + 1 < words.size() ? KernelText::tr("%1, %2", text, words[i])
                                    : KernelText::tr("%1 and %2", text, words[i]);
    }
    return named < words.size() ? KernelText::tr("%1 and %2 more", text, words.size() - named)
                                : text;
}

std::string listOfNames(const std::vector<Bytes>& names)
{
    std::vector<std::string> words;
    std::ranges::transform(names, std::back_inserter(words), escaped);
    return listOf(words);
}

/// "the fields "a" and "b"", with what they have to hold where that is compared.
std::string partsOf(const KeyCheck& check)
{
    std::vector<std::string> words;
    std::ranges::transform(check.fields, std::back_inserter(words), inQuotes);
    for (std::size_t i = 0; i < check.fieldValues.size(); ++i) {
        words[i] += " = " + inQuotes(check.fieldValues[i]);
    }
    const std::string list = listOf(words);
    if (check.kind != KeyCheck::Kind::Fields) {
        return words.size() == 1 ? KernelText::tr("the member %1", list)
                                 : KernelText::tr("the members %1", list);
    }
    return words.size() == 1 ? KernelText::tr("the field %1", list)
                             : KernelText::tr("the fields %1", list);
}

/// "the value of order:42 is "5f0c"", "the hash order:42 has only the field "5f0c"".
std::string conditionOf(const KeyCheck& check)
{
    const std::string key = escaped(check.key);
    switch (check.kind) {
    case KeyCheck::Kind::Value: break;
    case KeyCheck::Kind::Fields:
        return check.isPart ? KernelText::tr("the hash %1 has %2", key, partsOf(check))
                            : KernelText::tr("the hash %1 has only %2", key, partsOf(check));
    case KeyCheck::Kind::Members:
        return check.isPart ? KernelText::tr("the sorted set %1 has %2", key, partsOf(check))
                            : KernelText::tr("the sorted set %1 has only %2", key, partsOf(check));
    case KeyCheck::Kind::SetMembers:
        return check.isPart ? KernelText::tr("the set %1 has %2", key, partsOf(check))
                            : KernelText::tr("the set %1 has only %2", key, partsOf(check));
    }
    return KernelText::tr("the value of %1 is %2", key, inQuotes(check.value));
}

std::string checkStep(const KeyCheck& check, const std::optional<std::int64_t>& expiresAtMs)
{
    const std::string condition = conditionOf(check);
    if (!check.comparesExpiry) {
        return KernelText::tr("Stop unless %1.", condition);
    }
    return expiresAtMs ? KernelText::tr("Stop unless %1 and its expiry has not changed.", condition)
                       : KernelText::tr("Stop unless %1 and it has no expiry.", condition);
}

std::string removalStep(const KeyCheck& check)
{
    const std::string key = escaped(check.key);
    return check.isPart ? KernelText::tr("Delete %1 of %2.", partsOf(check), key)
                        : KernelText::tr("Delete %1.", key);
}

void appendPlain(std::vector<std::string>& steps, const ReleaseRecipe& recipe)
{
    if (!recipe.channel.empty()) {
        std::vector<Bytes> channels = recipe.moreArguments;
        channels.insert(channels.begin(), recipe.channel);
        steps.push_back(channels.size() == 1
                            ? KernelText::tr("Publish %1 to %2, the channel of its waiters.",
                                             inQuotes(recipe.payload), listOfNames(channels))
                            : KernelText::tr("Publish %1 to %2, the channels of its waiters.",
                                             inQuotes(recipe.payload), listOfNames(channels)));
    }
    std::ranges::transform(recipe.checks, std::back_inserter(steps), removalStep);
}

void appendRedissonFair(std::vector<std::string>& steps, const ReleaseRecipe& recipe)
{
    steps.push_back(KernelText::tr("Publish %1 to %2:WAITER for the first waiter in the queue that "
                                   "has not given up; if there is none, to %2.",
                                   inQuotes(recipe.payload), escaped(recipe.channel)));
    steps.push_back(KernelText::tr("Remove the waiters before it, which have given up, from %1.",
                                   listOfNames(recipe.companions)));
    steps.push_back(removalStep(recipe.checks.front()));
}

void appendPushToList(std::vector<std::string>& steps, const ReleaseRecipe& recipe)
{
    steps.push_back(KernelText::tr("Push %1 to the list %2, on which its waiters block.",
                                   inQuotes(recipe.payload), listOfNames(recipe.companions)));
    steps.push_back(removalStep(recipe.checks.front()));
}

void appendRedissonReadWrite(std::vector<std::string>& steps, const ReleaseRecipe& recipe)
{
    const KeyCheck& lock = recipe.checks.front();
    const std::string key = escaped(lock.key);
    steps.push_back(KernelText::tr("If no other hold is left: publish %1 to %2, the channel of its "
                                   "waiters, and delete %3.",
                                   inQuotes(recipe.payload), escaped(recipe.channel), key));
    steps.push_back(KernelText::tr("Otherwise: delete %1 of %2; if only readers are left, set the "
                                   "mode to read and the expiry to the longest of their time-outs.",
                                   partsOf(lock), key));
    std::vector<Bytes> timeouts;
    std::transform(recipe.checks.begin() + 1, recipe.checks.end(), std::back_inserter(timeouts),
                   [](const KeyCheck& check) { return check.key; });
    timeouts.insert(timeouts.end(), recipe.companions.begin(), recipe.companions.end());
    if (!timeouts.empty()) {
        steps.push_back(KernelText::tr("Delete the time-out keys %1.", listOfNames(timeouts)));
    }
}

void appendRedissonPermits(std::vector<std::string>& steps, const ReleaseRecipe& recipe)
{
    const KeyCheck& permits = recipe.checks.front();
    const bool haveIds = permits.kind == KeyCheck::Kind::Members;
    const Bytes& count = haveIds ? recipe.companions.front() : permits.key;
    steps.push_back(KernelText::tr("Publish the new count of free permits to %1, the channel of "
                                   "its waiters.",
                                   escaped(recipe.channel)));
    if (haveIds) {
        steps.push_back(removalStep(permits));
    }
    steps.push_back(KernelText::tr("Add %1 to the count in %2. It is never deleted.",
                                   recipe.moreArguments.front(), escaped(count)));
}

std::string composedStep(const ReleaseRecipe& recipe, const ReleaseRecipe::Step& step)
{
    using Kind = ReleaseRecipe::Step::Kind;
    const std::string key = escaped(recipe.keyAt(step.key));
    switch (step.kind) {
    case Kind::Push:
        return KernelText::tr("Push %1 to the list %2, on which its waiters block.",
                              inQuotes(step.value), key);
    case Kind::Remove: break;
    case Kind::SetValue:
        return KernelText::tr("Set %1 to %2; its expiry stays.", key, inQuotes(step.value));
    case Kind::SetField:
        return KernelText::tr("Set the field %1 of %2 to %3; nothing else in the key changes.",
                              inQuotes(step.name), key, inQuotes(step.value));
    case Kind::Subtract: return KernelText::tr("Subtract %1 from the count %2.", step.number, key);
    case Kind::DropIfGone:
        return KernelText::tr("If no holder is left in %1, delete %2.",
                              escaped(recipe.keyAt(step.other)), key);
    case Kind::DropMemberIfGone:
        return KernelText::tr("If no holder is left in %1, remove %2 from %3.",
                              escaped(recipe.keyAt(step.other)), inQuotes(step.value), key);
    }
    return removalStep(recipe.checks[step.key]);
}

void appendComposed(std::vector<std::string>& steps, const ReleaseRecipe& recipe)
{
    for (const ReleaseRecipe::Step& step : recipe.steps) {
        steps.push_back(composedStep(recipe, step));
    }
}

void appendCap(std::vector<std::string>& steps, const ReleasePlan& plan)
{
    for (const KeyCheck& check : plan.recipe.checks) {
        steps.push_back(
            KernelText::tr("Set the expiry of %1 to %2 from now, unless it expires earlier.",
                           escaped(check.key), durationWord(plan.cap)));
    }
}

void appendTombstone(std::vector<std::string>& steps, const ReleasePlan& plan)
{
    steps.push_back(KernelText::tr("Set %1 to the tombstone %2, which expires in %3.",
                                   escaped(plan.recipe.checks.front().key),
                                   inQuotes(plan.tombstone), durationWord(plan.cap)));
}

} // namespace

std::vector<std::string> releaseSteps(const ReleasePlan& plan)
{
    const ReleaseRecipe& recipe = plan.recipe;
    std::vector<std::string> steps;
    if (!recipe.isSupported || recipe.checks.empty()) {
        return steps;
    }
    if (plan.guard) {
        steps.push_back(
            KernelText::tr("Stop if anyone has written to the lock since it was read (WATCH)."));
    }
    steps.push_back(KernelText::tr("Stop if the server is a replica."));
    for (std::size_t i = 0; i < recipe.checks.size(); ++i) {
        steps.push_back(checkStep(recipe.checks[i], plan.expiresAtMs[i]));
    }
    if (plan.action == inspect::ReleaseAction::CapTtl) {
        appendCap(steps, plan);
        return steps;
    }
    if (plan.action == inspect::ReleaseAction::Tombstone) {
        appendTombstone(steps, plan);
        return steps;
    }
    switch (recipe.script) {
    case ReleaseRecipe::Script::Plain: appendPlain(steps, recipe); break;
    case ReleaseRecipe::Script::RedissonFair: appendRedissonFair(steps, recipe); break;
    case ReleaseRecipe::Script::PushToList: appendPushToList(steps, recipe); break;
    case ReleaseRecipe::Script::RedissonReadWrite: appendRedissonReadWrite(steps, recipe); break;
    case ReleaseRecipe::Script::RedissonPermits: appendRedissonPermits(steps, recipe); break;
    case ReleaseRecipe::Script::Composed: appendComposed(steps, recipe); break;
    }
    return steps;
}

} // namespace lockscope::report
