#pragma once

#include "core/kernel/world/fault_info.h"

#include <array>
#include <span>

namespace lockscope::world {

/// The faults by what they strike, one file each, with all that is known of a kind: its words, when
/// it may happen, what it does.
std::span<const FaultInfo> clientFaults();
std::span<const FaultInfo> clockFaults();
std::span<const FaultInfo> messageFaults();
std::span<const FaultInfo> serverFaults();
std::span<const FaultInfo> keyFaults();
std::span<const FaultInfo> misuses();

/// In the order in which kinds that may happen at the same occasion are offered. Results of
/// searches depend on it: a new kind belongs behind those of its group.
inline std::array<std::span<const FaultInfo>, 6> faultGroups()
{
    return {clientFaults(), clockFaults(), messageFaults(), serverFaults(), keyFaults(), misuses()};
}

} // namespace lockscope::world
