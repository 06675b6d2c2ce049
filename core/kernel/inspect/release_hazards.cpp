#include "core/kernel/inspect/release_hazards.h"

#include "core/kernel/base/duration_text.h"
#include "core/kernel/base/kernel_text.h"

namespace lockscope::inspect {

namespace {

std::string recreationWarning(ReleaseRecipe::Recreation recreation, const Observation& key)
{
    if (recreation == ReleaseRecipe::Recreation::Possible) {
        return KernelText::tr("Some libraries with such tokens create the lock again when they "
                              "renew it. If the old holder is still running, this may happen "
                              "within %1.",
                              durationText(*key.ttl));
    }
    return key.ttl ? KernelText::tr("If the old holder is still running, its renewal will create "
                                    "the lock again within %1: stop it first.",
                                    durationText(*key.ttl))
                   : KernelText::tr("If the old holder is still running, its next renewal will "
                                    "create the lock again: stop it first.");
}

} // namespace

void addRecreation(ReleaseRecipe& recipe, ReleaseRecipe::Recreation recreation,
                   const Observation& key)
{
    // Without an expiry there is nothing to renew.
    if (recreation == ReleaseRecipe::Recreation::Possible && !key.ttl) {
        return;
    }
    recipe.recreation = recreation;
    recipe.warnings.push_back(recreationWarning(recreation, key));
}

void addSleepingWaiters(ReleaseRecipe& recipe, const Observation& key)
{
    recipe.leavesWaitersAsleep = true;
    recipe.warnings.push_back(
        key.ttl ? KernelText::tr("Waiting clients cannot be woken: they sleep for the time to live "
                                 "that they last saw, and may try again only in %1.",
                                 durationText(*key.ttl))
                : KernelText::tr("Waiting clients cannot be woken: they try again when their own "
                                 "wait ends."));
}

} // namespace lockscope::inspect
