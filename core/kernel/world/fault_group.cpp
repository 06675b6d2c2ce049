#include "core/kernel/world/fault_group.h"

#include "core/kernel/base/kernel_text.h"

#include <algorithm>
#include <array>

namespace lockscope::world {

namespace {

struct GroupInfo {
    FaultGroup group;
    std::string_view id;
    const char* name;
};

constexpr std::array kInfos{
    GroupInfo{FaultGroup::Order, "order", QT_TRANSLATE_NOOP("KernelText", "Order")},
    GroupInfo{FaultGroup::Clients, "clients", QT_TRANSLATE_NOOP("KernelText", "Clients")},
    GroupInfo{FaultGroup::Network, "network", QT_TRANSLATE_NOOP("KernelText", "Network")},
    GroupInfo{FaultGroup::Clocks, "clocks", QT_TRANSLATE_NOOP("KernelText", "Clocks")},
    GroupInfo{FaultGroup::Servers, "servers", QT_TRANSLATE_NOOP("KernelText", "Servers")},
    GroupInfo{FaultGroup::Data, "data", QT_TRANSLATE_NOOP("KernelText", "Data")},
    GroupInfo{FaultGroup::Misuse, "misuse", QT_TRANSLATE_NOOP("KernelText", "Misuse")},
};

const GroupInfo& infoOf(FaultGroup group)
{
    return kInfos.at(static_cast<std::size_t>(group));
}

} // namespace

std::span<const FaultGroup> allFaultGroups()
{
    static constexpr std::array kGroups{FaultGroup::Order,   FaultGroup::Clients,
                                        FaultGroup::Network, FaultGroup::Clocks,
                                        FaultGroup::Servers, FaultGroup::Data,
                                        FaultGroup::Misuse};
    return kGroups;
}

std::string_view idOf(FaultGroup group)
{
    return infoOf(group).id;
}

std::optional<FaultGroup> faultGroupOf(std::string_view id)
{
    const auto found = std::ranges::find(kInfos, id, &GroupInfo::id);
    return found == kInfos.end() ? std::nullopt : std::optional(found->group);
}

std::string nameOf(FaultGroup group)
{
    return KernelText::lookUp(infoOf(group).name);
}

} // namespace lockscope::world
