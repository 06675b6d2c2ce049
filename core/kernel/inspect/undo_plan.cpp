#include "core/kernel/inspect/undo_plan.h"

#include "release_scripts.h"

#include <algorithm>
#include <utility>

namespace lockscope::inspect {

namespace {

using KeyCheck = ReleaseRecipe::KeyCheck;

/// Lua takes no more arguments at once.
constexpr std::size_t kFieldsMax = 1000;

/// Beside its key there was nothing that the release could change. Redisson's locks may be fair
/// ones, and are released with a look at their queue: mostly there is none.
bool hadNoCompanions(const ReleaseRecipe& recipe, const LockSnapshot& seen)
{
    if (recipe.script == ReleaseRecipe::Script::Plain) {
        return recipe.companions.empty();
    }
    const Observation* const queue = recipe.script == ReleaseRecipe::Script::RedissonFair
                                             && !recipe.companions.empty()
                                         ? seen.companion(recipe.companions.front())
                                         : nullptr;
    return queue != nullptr && queue->type == ValueType::None;
}

/// The release deleted this one key, and changed no other.
bool deletedOneKey(const ReleasePlan& released, const LockSnapshot& seen)
{
    const ReleaseRecipe& recipe = released.recipe;
    return released.action == ReleaseAction::Release && !released.leavesOthers()
           && released.servers.size() == 1 && recipe.checks.size() == 1
           && hadNoCompanions(recipe, seen) && !recipe.checks.front().isPart;
}

bool isKnownWhole(const LockSnapshot& seen, const KeyCheck& check)
{
    const Observation& key = seen.main();
    const auto existing = std::ranges::count_if(seen.keys, &Observation::exists);
    if (existing != 1 || key.key != check.key || !key.isComplete) {
        return false;
    }
    return (key.type == ValueType::String && check.kind == KeyCheck::Kind::Value
            && key.value == check.value)
           || (key.type == ValueType::Hash && check.kind == KeyCheck::Kind::Fields
               && !key.fields.empty() && key.fields.size() <= kFieldsMax);
}

/// `left` of 0: no expiry.
store::Command commandFor(const Observation& key, std::int64_t leftMs)
{
    if (key.type == ValueType::Hash) {
        store::Command command("EVAL", scripts::kRestoreHash, 1, key.key, leftMs);
        for (const HashField& field : key.fields) {
            command.append(field.name);
            command.append(field.value);
        }
        return command;
    }
    store::Command command("SET", key.key, key.value, "NX");
    if (leftMs > 0) {
        command.append("PX");
        command.append(leftMs);
    }
    return command;
}

} // namespace

std::optional<ReleasePlan> undoPlan(const ReleasePlan& released, const LockSnapshot& seen,
                                    Instant now)
{
    if (!deletedOneKey(released, seen) || !isKnownWhole(seen, released.recipe.checks.front())) {
        return std::nullopt;
    }
    const Observation& key = seen.main();
    Duration left{0};
    if (key.ttl) {
        left = key.seenAt + *key.ttl - now;
        if (toMs(left) <= 0) {
            return std::nullopt;
        }
    }
    ReleasePlan plan = released;
    plan.action = ReleaseAction::Restore;
    plan.guard.reset();
    plan.cap = left;
    plan.command = commandFor(key, toMs(left));
    return plan;
}

} // namespace lockscope::inspect
