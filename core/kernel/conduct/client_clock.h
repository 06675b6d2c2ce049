#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace lockscope::conduct {

/// Whose clock a client has.
enum class ClientClock : std::uint8_t {
    Virtual, // moved by the conductor alone
    Flowing, // moved by the conductor while real time counts besides
    Real,    // its own
};

/// Of --clock, and of files.
inline constexpr std::array<std::pair<std::string_view, ClientClock>, 3> kClientClocks{
    {{"virtual", ClientClock::Virtual},
     {"flowing", ClientClock::Flowing},
     {"real", ClientClock::Real}}};

constexpr std::string_view idOf(ClientClock clock)
{
    return kClientClocks[static_cast<std::size_t>(clock)].first;
}

constexpr std::optional<ClientClock> clientClockOf(std::string_view id)
{
    for (const auto& [name, clock] : kClientClocks) {
        if (name == id) {
            return clock;
        }
    }
    return std::nullopt;
}

} // namespace lockscope::conduct
