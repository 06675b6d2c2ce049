#include "core/kernel/inspect/release_plan.h"

#include "core/kernel/base/kernel_text.h"
#include "release_scripts.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace lockscope::inspect {

namespace {

using KeyCheck = ReleaseRecipe::KeyCheck;

/// A renewal may be late by a busy moment.
constexpr Duration kRenewalMargin = std::chrono::seconds(1);

std::string_view actionOf(const ReleasePlan& plan)
{
    if (plan.action == ReleaseAction::CapTtl) {
        return scripts::kCapTtl;
    }
    if (plan.action == ReleaseAction::Tombstone) {
        return scripts::kTombstone;
    }
    switch (plan.recipe.script) {
    case ReleaseRecipe::Script::Plain: break;
    case ReleaseRecipe::Script::RedissonFair: return scripts::kReleaseRedissonFair;
    case ReleaseRecipe::Script::PushToList: return scripts::kReleasePush;
    case ReleaseRecipe::Script::RedissonReadWrite: return scripts::kReleaseRedissonReadWrite;
    case ReleaseRecipe::Script::RedissonPermits: return scripts::kReleaseRedissonPermits;
    case ReleaseRecipe::Script::Composed: return scripts::kReleaseComposed;
    }
    return scripts::kReleaseLock;
}

Bytes scriptOf(const ReleasePlan& plan)
{
    Bytes script(scripts::kObservedState);
    if (plan.action == ReleaseAction::Release) {
        script += "\n\n";
        script += scripts::kPublish;
    }
    script += "\n\n";
    script += actionOf(plan);
    return script;
}

std::string_view wordOf(const KeyCheck& check)
{
    switch (check.kind) {
    case KeyCheck::Kind::Value: break;
    case KeyCheck::Kind::Members: return check.isPart ? "some-members" : "members";
    case KeyCheck::Kind::SetMembers: return check.isPart ? "some-set-members" : "set-members";
    case KeyCheck::Kind::Fields:
        if (check.fieldValues.empty()) {
            return check.isPart ? "some-fields" : "fields";
        }
        return check.isPart ? "some-pairs" : "pairs";
    }
    return "value";
}

Bytes expiryWord(const KeyCheck& check, const std::optional<std::int64_t>& expiresAtMs)
{
    if (!check.comparesExpiry) {
        return "any";
    }
    return expiresAtMs ? std::to_string(*expiresAtMs) : Bytes("never");
}

/// The arguments as observed_state.lua takes them.
void appendCheck(store::Command& command, const KeyCheck& check,
                 const std::optional<std::int64_t>& expiresAtMs)
{
    const bool comparesPairs = !check.fieldValues.empty();
    assert(!comparesPairs || check.fieldValues.size() == check.fields.size());
    command.append(wordOf(check));
    command.append(expiryWord(check, expiresAtMs));
    if (check.kind == KeyCheck::Kind::Value) {
        command.append(check.value);
        return;
    }
    command.append(check.fields.size());
    for (std::size_t i = 0; i < check.fields.size(); ++i) {
        command.append(check.fields[i]);
        if (comparesPairs) {
            command.append(check.fieldValues[i]);
        }
    }
}

/// The arguments as release_composed.lua takes them; Lua counts from one.
void appendStep(store::Command& command, const ReleaseRecipe::Step& step)
{
    using Kind = ReleaseRecipe::Step::Kind;
    const auto name = [&command, &step](std::string_view word) {
        command.append(word);
        command.append(step.key + 1);
    };
    switch (step.kind) {
    case Kind::Push:
        name("push");
        command.append(step.value);
        command.append(step.number);
        break;
    case Kind::Remove: name("remove"); break;
    case Kind::SetValue:
        name("set-value");
        command.append(step.value);
        break;
    case Kind::SetField:
        name("set-field");
        command.append(step.name);
        command.append(step.value);
        break;
    case Kind::Subtract:
        name("subtract");
        command.append(step.number);
        break;
    case Kind::DropIfGone:
        name("drop-if-gone");
        command.append(step.other + 1);
        break;
    case Kind::DropMemberIfGone:
        name("drop-member-if-gone");
        command.append(step.other + 1);
        command.append(step.value);
        break;
    }
}

store::Command commandOf(const ReleasePlan& plan)
{
    const std::vector<KeyCheck>& checks = plan.recipe.checks;
    const std::vector<Bytes>& companions = plan.recipe.companions;
    store::Command command("EVAL", scriptOf(plan), checks.size() + companions.size());
    for (const KeyCheck& check : checks) {
        command.append(check.key);
    }
    for (const Bytes& key : companions) {
        command.append(key);
    }
    for (std::size_t i = 0; i < checks.size(); ++i) {
        appendCheck(command, checks[i], plan.expiresAtMs[i]);
    }
    for (std::size_t i = 0; i < companions.size(); ++i) {
        command.append("companion");
        command.append("any");
    }
    if (plan.action == ReleaseAction::Release) {
        command.append(plan.recipe.channel);
        command.append(plan.recipe.payload);
        for (const Bytes& argument : plan.recipe.moreArguments) {
            command.append(argument);
        }
        for (const ReleaseRecipe::Step& step : plan.recipe.steps) {
            appendStep(command, step);
        }
    } else {
        // PEXPIRE 0 would delete the key.
        command.append(std::max<std::int64_t>(1, toMs(plan.cap)));
    }
    if (plan.action == ReleaseAction::Tombstone) {
        command.append(plan.tombstone);
    }
    return command;
}

} // namespace

std::vector<Holder> HolderChoice::of(const std::vector<Holder>& holders) const
{
    if (!m_index) {
        return holders;
    }
    assert(*m_index < holders.size());
    Holder chosen = holders[*m_index];
    chosen.holds = m_isOneHold ? 1 : chosen.holds;
    return {std::move(chosen)};
}

bool ReleaseRecipe::isAnonymous() const
{
    return std::ranges::any_of(checks, &KeyCheck::comparesExpiry);
}

const Bytes& ReleaseRecipe::keyAt(std::size_t position) const
{
    return position < checks.size() ? checks[position].key : companions[position - checks.size()];
}

const Bytes& ReleasePlan::owner() const
{
    static const Bytes kNone;
    return holders.empty() ? kNone : holders.front().owner;
}

std::string ReleasePlan::masterOf(std::uint16_t server) const
{
    const auto entry = std::ranges::find(masters, server,
                                         &std::pair<std::uint16_t, std::string>::first);
    return entry != masters.end() ? entry->second : std::string();
}

bool ReleasePlan::leavesOthers() const
{
    std::uint32_t ended = 0;
    for (const Holder& holder : holders) {
        ended += holder.holds;
    }
    return lock && ended < lock->holds();
}

bool ReleasePlan::mayEndAnotherHold() const
{
    const bool endsHold = action == ReleaseAction::Release || action == ReleaseAction::Tombstone;
    return endsHold && recipe.isAnonymous() && !guard;
}

std::optional<Duration> ReleasePlan::recreatedWithin() const
{
    const bool mayComeBack = recipe.recreation != ReleaseRecipe::Recreation::No;
    return mayComeBack && lock && lock->expiresAt ? std::optional(lock->lease) : std::nullopt;
}

bool ReleasePlan::endsSeveral() const
{
    return holders.size() > 1 || recipe.endsUnnamedReaders;
}

ReleasePlan makePlan(ReleaseAction action, LockPtr lock, ReleaseRecipe recipe,
                     std::vector<std::optional<std::int64_t>> expiresAtMs, Duration cap)
{
    assert(!recipe.checks.empty());
    assert(expiresAtMs.size() == recipe.checks.size());
    ReleasePlan plan;
    plan.action = action;
    plan.lock = std::move(lock);
    if (plan.lock) {
        plan.holders = plan.lock->holders;
    }
    plan.recipe = std::move(recipe);
    plan.expiresAtMs = std::move(expiresAtMs);
    plan.cap = cap;
    plan.command = commandOf(plan);
    return plan;
}

void keepToMinority(ReleasePlan& plan)
{
    plan.isOfMinority = true;
    plan.recipe.warnings.push_back(
        KernelText::tr("These votes are left over: nothing is sent if by then their owner has a "
                       "majority of the servers, or may have one."));
}

std::optional<ReleasePlan> tombstonePlan(const ReleasePlan& release, std::optional<Duration> stay,
                                         Bytes tombstone)
{
    const std::vector<KeyCheck>& checks = release.recipe.checks;
    const std::optional<Duration> recreatedWithin = release.recreatedWithin();
    if (!recreatedWithin || checks.size() != 1 || checks.front().kind != KeyCheck::Kind::Value) {
        return std::nullopt;
    }
    ReleasePlan plan = release;
    plan.action = ReleaseAction::Tombstone;
    plan.cap = stay.value_or(std::chrono::ceil<std::chrono::seconds>(*recreatedWithin)
                             + kRenewalMargin);
    plan.tombstone = std::move(tombstone);
    plan.recipe.companions.clear();
    plan.command = commandOf(plan);
    return plan;
}

std::string_view idOf(ReleaseResult result)
{
    switch (result) {
    case ReleaseResult::Released: return "released";
    case ReleaseResult::ChangedHands: return "changed-hands";
    case ReleaseResult::AlreadyGone: return "already-gone";
    case ReleaseResult::Refused: return "refused";
    case ReleaseResult::Unknown: break;
    }
    return "unknown";
}

std::string_view idOf(NextHold::Kind kind)
{
    switch (kind) {
    case NextHold::Kind::StillFree: return "still-free";
    case NextHold::Kind::TakenByOther: return "taken-by-other";
    case NextHold::Kind::Taken: return "taken";
    case NextHold::Kind::TakenBySameOwner: return "taken-by-same-owner";
    case NextHold::Kind::CameBack: return "came-back";
    case NextHold::Kind::NotKnown: break;
    }
    return "not-known";
}

} // namespace lockscope::inspect
