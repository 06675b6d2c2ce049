#include "core/kernel/report/by_hand.h"

#include "by_hand_scripts.h"
#include "core/kernel/base/bytes.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/token_shapes.h"
#include "core/kernel/store/command.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace lockscope::report {

namespace {

using inspect::LockSnapshot;
using inspect::Observation;
using inspect::ReleasePlan;
using inspect::ReleaseRecipe;
using inspect::ValueType;
using store::Command;
using KeyCheck = ReleaseRecipe::KeyCheck;
using Steps = std::vector<ByHand>;

void add(Steps& steps, std::string purpose, const Command& command)
{
    steps.push_back({std::move(purpose), store::toText(command)});
}

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
                         && recipe.companions.empty() && recipe.moreArguments.empty()
                         && !recipe.isAnonymous();
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

void addRemoval(Steps& steps, const KeyCheck& check)
{
    add(steps, check.isPart ? KernelText::tr("Remove the hold") : KernelText::tr("Delete the key"),
        removalOf(check));
}

void addMessage(Steps& steps, const Bytes& channel, const Bytes& payload)
{
    add(steps, KernelText::tr("Wake the waiters"), Command("PUBLISH", channel, payload));
}

void addPlain(Steps& steps, const ReleaseRecipe& recipe)
{
    if (!recipe.channel.empty()) {
        addMessage(steps, recipe.channel, recipe.payload);
        for (const Bytes& channel : recipe.moreArguments) {
            addMessage(steps, channel, recipe.payload);
        }
    }
    for (const KeyCheck& check : recipe.checks) {
        addRemoval(steps, check);
    }
}

/// Whether the instant at which this waiter gives up was in the past when it was read.
bool hasGivenUp(const Observation* times, const Bytes& waiter)
{
    if (times == nullptr) {
        return false;
    }
    const auto time = std::ranges::find(times->fields, waiter, &inspect::HashField::name);
    const auto end = time == times->fields.end() ? std::nullopt
                                                 : inspect::decoders::stampOf13Digits(time->value);
    return end && *end < times->serverTime;
}

/// As it was when it was read: those before the first waiter that has not given up leave.
void addRedissonFair(Steps& steps, const ReleaseRecipe& recipe, const LockSnapshot& snapshot)
{
    const Observation* const queue = snapshot.companion(recipe.companions.front());
    const Observation* const times = snapshot.companion(recipe.companions.back());
    Bytes channel = recipe.channel;
    Steps leaving;
    for (const inspect::HashField& waiter :
         queue ? queue->fields : std::vector<inspect::HashField>()) {
        if (!hasGivenUp(times, waiter.name)) {
            channel += ':' + waiter.name;
            break;
        }
        add(leaving, KernelText::tr("Take a waiter that gave up out of the queue"),
            Command("LREM", recipe.companions.front(), 1, waiter.name));
        add(leaving, KernelText::tr("… and its time with it"),
            Command("ZREM", recipe.companions.back(), waiter.name));
    }
    add(steps, KernelText::tr("Wake the next waiter"), Command("PUBLISH", channel, recipe.payload));
    std::ranges::move(leaving, std::back_inserter(steps));
    addRemoval(steps, recipe.checks.front());
}

void addPush(Steps& steps, const ReleaseRecipe& recipe)
{
    const Bytes& list = recipe.companions.front();
    const Bytes& expiryMs = recipe.moreArguments.front();
    add(steps, KernelText::tr("Clear the list on which waiters block"), Command("DEL", list));
    add(steps, KernelText::tr("Wake a waiter"), Command("LPUSH", list, recipe.payload));
    if (expiryMs != "0") {
        add(steps, KernelText::tr("Let the list expire if nobody waits"),
            Command("PEXPIRE", list, expiryMs));
    }
    addRemoval(steps, recipe.checks.front());
}

/// All holds end, so that nobody is left who could keep the lock.
void addRedissonReadWrite(Steps& steps, const ReleaseRecipe& recipe)
{
    addMessage(steps, recipe.channel, recipe.payload);
    add(steps, KernelText::tr("Delete the key"), Command("DEL", recipe.checks.front().key));
    for (const Bytes& timeout : recipe.companions) {
        add(steps, KernelText::tr("Delete the time-out of a read hold"), Command("DEL", timeout));
    }
}

void addRedissonPermits(Steps& steps, const ReleaseRecipe& recipe, const LockSnapshot& snapshot)
{
    const KeyCheck& permits = recipe.checks.front();
    const bool haveIds = permits.kind == KeyCheck::Kind::Members;
    const Bytes& given = recipe.moreArguments.front();
    const Bytes& count = haveIds ? recipe.companions.front() : permits.key;
    if (haveIds) {
        addRemoval(steps, permits);
    }
    add(steps, KernelText::tr("Add them to the free permits"), Command("INCRBY", count, given));
    const auto free = inspect::decoders::decimalOf(snapshot.main().value);
    const auto added = inspect::decoders::decimalOf(given);
    if (free && added) {
        add(steps, KernelText::tr("Tell the waiters the new number"),
            Command("PUBLISH", recipe.channel, *free + *added));
    }
}

void addComposedStep(Steps& steps, const ReleaseRecipe& recipe, const ReleaseRecipe::Step& step)
{
    using Kind = ReleaseRecipe::Step::Kind;
    const Bytes& key = recipe.keyAt(step.key);
    switch (step.kind) {
    case Kind::Push:
        add(steps, KernelText::tr("Wake a waiter"), Command("LPUSH", key, step.value));
        if (step.number > 0) {
            add(steps, KernelText::tr("Let the list expire if nobody waits"),
                Command("PEXPIRE", key, step.number));
        }
        break;
    case Kind::Remove: addRemoval(steps, recipe.checks[step.key]); break;
    case Kind::SetValue:
        add(steps, KernelText::tr("Write what is left"),
            Command("SET", key, step.value, "KEEPTTL"));
        break;
    case Kind::SetField:
        add(steps, KernelText::tr("Mark it as free"), Command("HSET", key, step.name, step.value));
        break;
    case Kind::Subtract:
        add(steps, KernelText::tr("Take it out of the count"), Command("DECRBY", key, step.number));
        break;
    case Kind::DropIfGone:
        add(steps, KernelText::tr("Only if no holder is left"), Command("DEL", key));
        break;
    case Kind::DropMemberIfGone:
        add(steps, KernelText::tr("Only if no holder is left"), Command("ZREM", key, step.value));
        break;
    }
}

Steps singleSteps(const ReleaseRecipe& recipe, const LockSnapshot& snapshot)
{
    Steps steps;
    if (recipe.checks.empty()) {
        return steps;
    }
    switch (recipe.script) {
    case ReleaseRecipe::Script::Plain: addPlain(steps, recipe); break;
    case ReleaseRecipe::Script::RedissonFair: addRedissonFair(steps, recipe, snapshot); break;
    case ReleaseRecipe::Script::PushToList: addPush(steps, recipe); break;
    case ReleaseRecipe::Script::RedissonReadWrite: addRedissonReadWrite(steps, recipe); break;
    case ReleaseRecipe::Script::RedissonPermits: addRedissonPermits(steps, recipe, snapshot); break;
    case ReleaseRecipe::Script::Composed:
        for (const ReleaseRecipe::Step& step : recipe.steps) {
            addComposedStep(steps, recipe, step);
        }
        break;
    }
    return steps;
}

} // namespace

Steps inspectionByHand(const LockSnapshot& snapshot, const ReleasePlan* plan)
{
    Steps steps;
    for (const std::vector<Observation>* keys : {&snapshot.keys, &snapshot.companions}) {
        for (const Observation& key : *keys) {
            if (key.exists()) {
                add(steps, KernelText::tr("What is stored"), readOf(key.key, key.type));
                add(steps, KernelText::tr("How long it lives, in ms (-1: no expiry)"),
                    Command("PTTL", key.key));
            }
        }
    }
    if (plan != nullptr && !plan->recipe.channel.empty()) {
        add(steps, KernelText::tr("How many clients are subscribed"),
            Command("PUBSUB", "NUMSUB", plan->recipe.channel));
    }
    return steps;
}

Steps releaseByHand(const ReleasePlan& plan, const LockSnapshot& snapshot)
{
    Steps steps = singleSteps(plan.recipe, snapshot);
    if (const std::optional<Command> script = shortScript(plan.recipe)) {
        add(steps,
            KernelText::tr("All of it at once, if it is still the same hold "
                           "(answers 1 if it was)"),
            *script);
    } else {
        add(steps,
            KernelText::tr("All of it at once, if it is still the same hold "
                           "(answers 1 first if it was)"),
            plan.command);
    }
    return steps;
}

} // namespace lockscope::report
