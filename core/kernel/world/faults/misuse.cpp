#include "core/kernel/base/kernel_text.h"
#include "core/kernel/world/faults/fault_groups.h"

namespace lockscope::world {

namespace {

using protocol::Condition;
using Text = const std::string&;

/// Both take a lock that the same owner may take again.
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
        .breaks = Condition::EqualLeases,
        .concerns = isReentrant,
    },
};

} // namespace

std::span<const FaultInfo> misuses()
{
    return kMisuses;
}

} // namespace lockscope::world
