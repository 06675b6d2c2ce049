#include "core/kernel/world/fault_info.h"

#include "core/kernel/world/faults/fault_groups.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace lockscope::world {

namespace {

using Table = std::array<FaultInfo, static_cast<std::size_t>(FaultKind::FaultKindCount)>;

/// By kind: files, lists and the columns of the matrix keep to this order, however faults are
/// grouped.
const Table& table()
{
    static const Table kTable = [] {
        Table faults{};
        for (const std::span<const FaultInfo> group : faultGroups()) {
            for (const FaultInfo& fault : group) {
                faults.at(static_cast<std::size_t>(fault.kind)) = fault;
            }
        }
        return faults;
    }();
    return kTable;
}

} // namespace

std::span<const FaultInfo> allFaults()
{
    return table();
}

const FaultInfo& infoOf(FaultKind kind)
{
    return table().at(static_cast<std::size_t>(kind));
}

std::string_view idOf(FaultKind kind)
{
    return infoOf(kind).id;
}

std::optional<FaultKind> faultKindOf(std::string_view id)
{
    const auto* const found = std::ranges::find(table(), id, &FaultInfo::id);
    return found == table().end() ? std::nullopt : std::optional(found->kind);
}

} // namespace lockscope::world
