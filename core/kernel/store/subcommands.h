#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace lockscope::store {

/// Whether the second word of a command says what it does: "client", "config". In small letters.
inline bool hasSubcommands(std::string_view commandName)
{
    constexpr std::array<std::string_view, 13> kNames{"acl",    "client",   "cluster", "command",
                                                      "config", "function", "latency", "memory",
                                                      "object", "pubsub",   "script",  "slowlog",
                                                      "xinfo"};
    return std::ranges::find(kNames, commandName) != kNames.end();
}

} // namespace lockscope::store
