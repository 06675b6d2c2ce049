#pragma once

#include "core/kernel/store/reply.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace lockscope::inspect {

/// Channels in one PUBSUB NUMSUB: more would keep the server busy for too long.
inline constexpr std::size_t kChannelsPerCommand = 500;

/// The answer to PUBSUB NUMSUB for so many channels, in their order. A count that makes no sense is
/// nullopt, as is every count of an answer for another number of channels: unknown is not zero.
std::vector<std::optional<int>> subscriberCountsOf(const store::Reply& reply,
                                                   std::size_t channelCount);

} // namespace lockscope::inspect
