#include "core/kernel/world/violation.h"

#include "core/kernel/world/world_plan.h"

#include <algorithm>
#include <array>

namespace lockscope::world {

namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(ViolationKind::ViolationKindCount)>
    kIds{"double-grant",   "double-belief",   "lost-write", "wrong-release",     "wrong-extension",
         "permanent-lock", "zombie-renewal",  "starvation", "reentry-imbalance", "lost-wakeup",
         "fence-disorder", "dishonest-lease", "no-progress"};

} // namespace

std::string_view idOf(ViolationKind kind)
{
    return kIds.at(static_cast<std::size_t>(kind));
}

std::optional<ViolationKind> violationKindOf(std::string_view id)
{
    const auto found = std::ranges::find(kIds, id);
    return found == kIds.end() ? std::nullopt
                               : std::optional(static_cast<ViolationKind>(found - kIds.begin()));
}

std::string describe(const Violation& violation, const std::string& keyName)
{
    const std::string self = clientName(violation.client);
    const std::string other = violation.other >= 0 ? clientName(violation.other) : "another client";
    switch (violation.kind) {
    case ViolationKind::DoubleGrant:
        return other + " and " + self + " both hold " + keyName + ": the server granted it twice";
    case ViolationKind::DoubleBelief:
        return other + " and " + self + " both believe they hold " + keyName + ": the hold of "
               + other + " has ended on the server";
    case ViolationKind::LostWrite:
        return self + " overwrites what " + other + " wrote under " + keyName;
    case ViolationKind::WrongRelease: return self + " released the hold of " + other;
    case ViolationKind::WrongExtension:
        return violation.other >= 0 ? self + " changed the lease of " + other
                                    : self + " recreated " + keyName + " with a renewal";
    case ViolationKind::PermanentLock:
        return keyName + " stays locked forever, and no live client owns it";
    case ViolationKind::ZombieRenewal:
        return keyName + " is renewed forever by " + self + ", which no longer works";
    case ViolationKind::Starvation: return self + " is repeatedly passed over";
    case ViolationKind::ReentryImbalance:
        return "the server counts the holds of " + self + " differently than " + self + " does";
    case ViolationKind::LostWakeup: return self + " waits although " + keyName + " is free";
    case ViolationKind::FenceDisorder:
        return "the fence of " + self + " is not greater than the previous one";
    case ViolationKind::DishonestLease:
        return other + " has every reason to trust its lease on " + keyName + " when " + self
               + " is granted the lock";
    case ViolationKind::NoProgress: return "no client acquires " + keyName + " any more";
    case ViolationKind::ViolationKindCount: break;
    }
    return {};
}

} // namespace lockscope::world
