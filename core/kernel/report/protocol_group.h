#pragma once

#include "core/kernel/protocol/protocol_info.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lockscope::report {

/// Protocols that do the same job. They are ranked among each other only, and listed in this order.
enum class ProtocolGroup : std::uint8_t { OneHolder, ReadersAndWriters, Permits };

std::span<const ProtocolGroup> allProtocolGroups();

/// The group of the protocol. A semaphore with modes is a semaphore.
ProtocolGroup groupOf(const protocol::ProtocolInfo& info);

std::string_view idOf(ProtocolGroup group); // "one-holder"
/// For headings: "One holder".
std::string nameOf(ProtocolGroup group);

} // namespace lockscope::report
