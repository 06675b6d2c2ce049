#include "core/kernel/report/protocol_group.h"

#include "core/kernel/base/kernel_text.h"

#include <array>

namespace lockscope::report {

std::span<const ProtocolGroup> allProtocolGroups()
{
    static constexpr std::array kGroups{ProtocolGroup::OneHolder, ProtocolGroup::ReadersAndWriters,
                                        ProtocolGroup::Permits};
    return kGroups;
}

ProtocolGroup groupOf(const protocol::ProtocolInfo& info)
{
    if (info.hasPermits) {
        return ProtocolGroup::Permits;
    }
    return info.hasModes ? ProtocolGroup::ReadersAndWriters : ProtocolGroup::OneHolder;
}

std::string_view idOf(ProtocolGroup group)
{
    static constexpr std::array<std::string_view, 3> kIds{"one-holder", "readers-and-writers",
                                                          "permits"};
    return kIds.at(static_cast<std::size_t>(group));
}

std::string nameOf(ProtocolGroup group)
{
    switch (group) {
    case ProtocolGroup::OneHolder: return KernelText::tr("One holder");
    case ProtocolGroup::ReadersAndWriters: return KernelText::tr("Readers and writers");
    case ProtocolGroup::Permits: break;
    }
    return KernelText::tr("Permits");
}

} // namespace lockscope::report
