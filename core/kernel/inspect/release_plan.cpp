#include "inspect/release_plan.h"

#include "release_scripts.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace lockscope::inspect {

namespace {

using KeyCheck = ReleaseRecipe::KeyCheck;

Bytes scriptOf(ReleaseAction action)
{
    Bytes script(scripts::kObservedState);
    script += "\n\n";
    script += action == ReleaseAction::Release ? scripts::kReleaseLock : scripts::kCapTtl;
    return script;
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
    if (check.kind == KeyCheck::Kind::Value) {
        command.append("value");
        command.append(expiryWord(check, expiresAtMs));
        command.append(check.value);
        return;
    }
    command.append(check.kind == KeyCheck::Kind::Members ? "members"
                   : comparesPairs                       ? "pairs"
                                                         : "fields");
    command.append(expiryWord(check, expiresAtMs));
    command.append(check.fields.size());
    for (std::size_t i = 0; i < check.fields.size(); ++i) {
        command.append(check.fields[i]);
        if (comparesPairs) {
            command.append(check.fieldValues[i]);
        }
    }
}

store::Command commandOf(const ReleasePlan& plan)
{
    const std::vector<KeyCheck>& checks = plan.recipe.checks;
    store::Command command("EVAL", scriptOf(plan.action), checks.size());
    for (const KeyCheck& check : checks) {
        command.append(check.key);
    }
    for (std::size_t i = 0; i < checks.size(); ++i) {
        appendCheck(command, checks[i], plan.expiresAtMs[i]);
    }
    if (plan.action == ReleaseAction::Release) {
        command.append(plan.recipe.channel);
        command.append(plan.recipe.payload);
    } else {
        // PEXPIRE 0 would delete the key.
        command.append(std::max<std::int64_t>(1, toMs(plan.cap)));
    }
    return command;
}

} // namespace

const Bytes& ReleasePlan::owner() const
{
    static const Bytes kNone;
    return lock && !lock->holders.empty() ? lock->holders.front().owner : kNone;
}

ReleasePlan makePlan(ReleaseAction action, LockPtr lock, ReleaseRecipe recipe,
                     std::vector<std::optional<std::int64_t>> expiresAtMs, Duration cap)
{
    assert(!recipe.checks.empty());
    assert(expiresAtMs.size() == recipe.checks.size());
    ReleasePlan plan;
    plan.action = action;
    plan.lock = std::move(lock);
    plan.recipe = std::move(recipe);
    plan.expiresAtMs = std::move(expiresAtMs);
    plan.cap = cap;
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

} // namespace lockscope::inspect
