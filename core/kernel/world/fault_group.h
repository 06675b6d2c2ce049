#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lockscope::world {

/// Kinds of faults that strike the same thing. The matrix shows them in one column, in this order.
enum class FaultGroup : std::uint8_t { Order, Clients, Network, Clocks, Servers, Data, Misuse };

std::span<const FaultGroup> allFaultGroups();

std::string_view idOf(FaultGroup group); // "clients"; in files and on the command line
std::optional<FaultGroup> faultGroupOf(std::string_view id);

/// In one word, for headings: "Clients".
std::string nameOf(FaultGroup group);

} // namespace lockscope::world
