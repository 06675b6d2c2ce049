#include "app/cli/commands/command_list.h"
#include "core/kernel/inspect/release_plan.h"

#include <algorithm>

namespace lockscope::cli {

bool OwnerToken::means(std::string_view owner) const
{
    return text == owner || unescaped(text) == owner;
}

bool OwnerToken::names(const inspect::ReleasePlan& plan) const
{
    if (!plan.owner().empty()) {
        return plan.holders.size() == 1 && means(plan.owner());
    }
    if (text.empty()) {
        return true;
    }
    return std::ranges::any_of(
        plan.recipe.checks, [this](const inspect::ReleaseRecipe::KeyCheck& check) {
            const bool isValue = check.kind == inspect::ReleaseRecipe::KeyCheck::Kind::Value;
            return isValue ? means(check.value)
                           : std::ranges::any_of(check.fields,
                                                 [this](const Bytes& name) { return means(name); });
        });
}

} // namespace lockscope::cli
