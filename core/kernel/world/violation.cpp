#include "core/kernel/world/violation.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/world/world_plan.h"

#include <algorithm>
#include <array>

namespace lockscope::world {

namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(ViolationKind::ViolationKindCount)>
    kIds{"double-grant",      "double-belief",  "lost-write",     "wrong-release",
         "wrong-extension",   "permanent-lock", "zombie-renewal", "starvation",
         "reentry-imbalance", "lost-wakeup",    "fence-disorder", "dishonest-lease",
         "no-progress",       "orphan",         "never-granted",  "error-answer",
         "unknown-answer",    "false-loss",     "takeover"};

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
    const std::string other = violation.other >= 0 ? clientName(violation.other)
                                                   : KernelText::tr("another client");
    switch (violation.kind) {
    case ViolationKind::DoubleGrant:
        return KernelText::tr("%1 and %2 both hold %3: the server granted it twice", other, self,
                              keyName);
    case ViolationKind::DoubleBelief:
        return KernelText::tr(
            "%1 and %2 both believe they hold %3: the hold of %1 has ended on the server", other,
            self, keyName);
    case ViolationKind::LostWrite:
        return KernelText::tr("%1 overwrites what %2 wrote under %3", self, other, keyName);
    case ViolationKind::WrongRelease:
        return KernelText::tr("%1 released the hold of %2", self, other);
    case ViolationKind::WrongExtension:
        return violation.other >= 0
                   ? KernelText::tr("%1 changed the lease of %2", self, other)
                   : KernelText::tr("%1 recreated %2 with a renewal", self, keyName);
    case ViolationKind::PermanentLock:
        return KernelText::tr("%1 stays locked forever, and no live client owns it", keyName);
    case ViolationKind::ZombieRenewal:
        return KernelText::tr("%1 is renewed forever by %2, which no longer works", keyName, self);
    case ViolationKind::Starvation: return KernelText::tr("%1 is repeatedly passed over", self);
    case ViolationKind::ReentryImbalance:
        return KernelText::tr("the server counts the holds of %1 differently than %1 does", self);
    case ViolationKind::LostWakeup:
        return KernelText::tr("%1 waits although %2 is free", self, keyName);
    case ViolationKind::FenceDisorder:
        return KernelText::tr("the fence of %1 is not greater than the previous one", self);
    case ViolationKind::DishonestLease:
        return KernelText::tr(
            "%1 has every reason to trust its lease on %2 when %3 is granted the lock", other,
            keyName, self);
    case ViolationKind::NoProgress:
        return KernelText::tr("no client acquires %1 any more", keyName);
    case ViolationKind::Orphan:
        return KernelText::tr("%1 gave %2 back, and it stays locked", self, keyName);
    case ViolationKind::NeverGranted:
        return KernelText::tr("%1 is not granted %2 although no client holds it", self, keyName);
    case ViolationKind::ErrorAnswer:
        return KernelText::tr("the server answers a request of %1 for %2 with an error", self,
                              keyName);
    case ViolationKind::UnknownAnswer:
        return KernelText::tr("%1 gets an answer about %2 that the protocol does not know", self,
                              keyName);
    case ViolationKind::FalseLoss:
        return KernelText::tr("%1 is told that it lost %2, and has not", self, keyName);
    case ViolationKind::Takeover: return KernelText::tr("%1 took over the hold of %2", self, other);
    case ViolationKind::ViolationKindCount: break;
    }
    return {};
}

} // namespace lockscope::world
