#include "core/kernel/base/kernel_text.h"
#include "core/kernel/world/faults/fault_groups.h"

namespace lockscope::world {

namespace {

using protocol::Condition;
using Text = const std::string&;

/// Whether the same owner may take the lock again.
bool isReentrant(const protocol::ProtocolInfo& info)
{
    return info.isReentrant;
}

constexpr FaultInfo kMisuses[] = {
    {
        .id = "shared-identity",
        .name = [] { return KernelText::tr("Shared identity"); },
        .description =
            [] {
                return KernelText::tr("Two tasks use one identity, so the server takes them for "
                                      "one owner.");
            },
        .story = [](const Step&, const WorldPlan&,
                    Text) { return KernelText::tr("two tasks use one identity"); },
        .spared = [] { return KernelText::tr("no two tasks share an identity"); },
        .kind = FaultKind::SharedIdentity,
        .group = FaultGroup::Misuse,
        .breaks = Condition::OwnIdentity,
        .concerns = isReentrant,
    },
    {
        .id = "mixed-leases",
        .name = [] { return KernelText::tr("Mixed leases"); },
        .description =
            [] { return KernelText::tr("A holder acquires its lock again with a shorter lease."); },
        .story = [](const Step&, const WorldPlan&,
                    Text) { return KernelText::tr("an inner hold has a shorter lease"); },
        .spared = [] { return KernelText::tr("all leases are equally long"); },
        .kind = FaultKind::MixedLeases,
        .group = FaultGroup::Misuse,
        .breaks = Condition::EqualLeases,
        .concerns = isReentrant,
    },
    {
        .id = "handed-over",
        .name = [] { return KernelText::tr("Handed over"); },
        .description =
            [] {
                return KernelText::tr("Another task of the program releases the lock than the one "
                                      "that acquired it.");
            },
        .story = [](const Step&, const WorldPlan&,
                    Text) { return KernelText::tr("another task releases the lock"); },
        .spared = [] { return KernelText::tr("every task releases its own locks"); },
        .kind = FaultKind::HandedOver,
        .group = FaultGroup::Misuse,
        .breaks = Condition::OwnRelease,
    },
};

} // namespace

std::span<const FaultInfo> misuses()
{
    return kMisuses;
}

} // namespace lockscope::world
