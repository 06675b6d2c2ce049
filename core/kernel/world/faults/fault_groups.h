#pragma once

#include "core/kernel/world/fault_info.h"

#include <array>
#include <span>

namespace lockscope::world {

/// The faults by what carries them out, one file each, with all that is known of a kind: its words,
/// when it may happen, what it does. The columns of the matrix are grouped by FaultInfo::group.
std::span<const FaultInfo> clientFaults();
std::span<const FaultInfo> clockFaults();
std::span<const FaultInfo> messageFaults();
std::span<const FaultInfo> serverFaults();
std::span<const FaultInfo> keyFaults();
std::span<const FaultInfo> misuses();

/// In the order in which kinds that may happen at the same occasion are offered. Results of
/// searches depend on it: a new kind belongs after those of its file.
inline std::array<std::span<const FaultInfo>, 6> faultGroups()
{
    return {clientFaults(), clockFaults(), messageFaults(), serverFaults(), keyFaults(), misuses()};
}

} // namespace lockscope::world
