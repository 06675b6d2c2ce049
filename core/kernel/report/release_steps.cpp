#include "core/kernel/report/release_steps.h"

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/duration_text.h"

#include <algorithm>
#include <cstddef>
#include <utility>

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
    std::string text;
    for (std::size_t i = 0; i < named; ++i) {
        const bool isLast = i + 1 == words.size();
        text += (i == 0 ? "" : isLast ? " and " : ", ") + words[i];
    }
    return named < words.size() ? text + " and " + std::to_string(words.size() - named) + " more"
                                : text;
}

std::vector<std::string> quotedAll(const std::vector<Bytes>& all)
{
    std::vector<std::string> words;
    std::ranges::transform(all, std::back_inserter(words), inQuotes);
    return words;
}

std::vector<std::string> escapedAll(const std::vector<Bytes>& all)
{
    std::vector<std::string> words;
    std::ranges::transform(all, std::back_inserter(words), escaped);
    return words;
}

/// "the fields "a" and "b"", with what they have to hold where that is compared.
std::string partsOf(const KeyCheck& check)
{
    std::vector<std::string> words = quotedAll(check.fields);
    for (std::size_t i = 0; i < check.fieldValues.size(); ++i) {
        words[i] += " = " + inQuotes(check.fieldValues[i]);
    }
    const std::string kind = check.kind == KeyCheck::Kind::Members ? "member" : "field";
    return "the " + kind + (words.size() == 1 ? " " : "s ") + listOf(words);
}

std::string checkStep(const KeyCheck& check, const std::optional<std::int64_t>& expiresAtMs)
{
    std::string text = "Stop unless ";
    const std::string key = escaped(check.key);
    switch (check.kind) {
    case KeyCheck::Kind::Value: text += "the value of " + key + " is " + inQuotes(check.value); break;
    case KeyCheck::Kind::Fields:
        text += "the hash " + key + (check.isPart ? " has " : " has only ") + partsOf(check);
        break;
    case KeyCheck::Kind::Members:
        text += "the sorted set " + key + (check.isPart ? " has " : " has only ") + partsOf(check);
        break;
    }
    if (check.comparesExpiry) {
        text += expiresAtMs ? " and its expiry has not changed" : " and it has no expiry";
    }
    return text + '.';
}

std::string publishStep(const ReleaseRecipe& recipe)
{
    return "Publish " + inQuotes(recipe.payload) + " to " + escaped(recipe.channel)
           + ", the channel of its waiters.";
}

std::string removalStep(const KeyCheck& check)
{
    const std::string key = escaped(check.key);
    return check.isPart ? "Delete " + partsOf(check) + " of " + key + '.' : "Delete " + key + '.';
}

void appendPlain(std::vector<std::string>& steps, const ReleaseRecipe& recipe)
{
    if (!recipe.channel.empty()) {
        steps.push_back(publishStep(recipe));
    }
    std::ranges::transform(recipe.checks, std::back_inserter(steps), removalStep);
}

void appendRedissonFair(std::vector<std::string>& steps, const ReleaseRecipe& recipe)
{
    const std::string message = "Publish " + inQuotes(recipe.payload);
    const std::string channel = escaped(recipe.channel);
    steps.push_back(message + " to " + channel
                    + ":WAITER for the first waiter in the queue that has not given up; if there "
                      "is none, to "
                    + channel + '.');
    steps.push_back("Remove the waiters before it, which have given up, from "
                    + listOf(escapedAll(recipe.companions)) + '.');
    steps.push_back(removalStep(recipe.checks.front()));
}

void appendRedissonReadWrite(std::vector<std::string>& steps, const ReleaseRecipe& recipe)
{
    const KeyCheck& lock = recipe.checks.front();
    const std::string key = escaped(lock.key);
    steps.push_back("If no other hold is left: publish " + inQuotes(recipe.payload) + " to "
                    + escaped(recipe.channel) + ", the channel of its waiters, and delete " + key
                    + '.');
    steps.push_back("Otherwise: delete " + partsOf(lock) + " of " + key
                    + "; if only readers are left, set the mode to read and the expiry to the "
                      "longest of their time-outs.");
    std::vector<Bytes> timeouts;
    std::transform(recipe.checks.begin() + 1, recipe.checks.end(), std::back_inserter(timeouts),
                   [](const KeyCheck& check) { return check.key; });
    timeouts.insert(timeouts.end(), recipe.companions.begin(), recipe.companions.end());
    if (!timeouts.empty()) {
        steps.push_back("Delete the time-out keys " + listOf(escapedAll(timeouts)) + '.');
    }
}

void appendCap(std::vector<std::string>& steps, const ReleasePlan& plan)
{
    for (const KeyCheck& check : plan.recipe.checks) {
        steps.push_back("Set the expiry of " + escaped(check.key) + " to " + durationWord(plan.cap)
                        + " from now, unless it expires earlier.");
    }
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
        steps.emplace_back("Stop if anyone has written to the lock since it was read (WATCH).");
    }
    steps.emplace_back("Stop if the server is a replica.");
    for (std::size_t i = 0; i < recipe.checks.size(); ++i) {
        steps.push_back(checkStep(recipe.checks[i], plan.expiresAtMs[i]));
    }
    if (plan.action == inspect::ReleaseAction::CapTtl) {
        appendCap(steps, plan);
        return steps;
    }
    switch (recipe.script) {
    case ReleaseRecipe::Script::Plain: appendPlain(steps, recipe); break;
    case ReleaseRecipe::Script::RedissonFair: appendRedissonFair(steps, recipe); break;
    case ReleaseRecipe::Script::RedissonReadWrite: appendRedissonReadWrite(steps, recipe); break;
    }
    return steps;
}

} // namespace lockscope::report
