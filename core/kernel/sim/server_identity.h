#pragma once

#include <string_view>

namespace lockscope::sim {

/// What a simulated server says it is.
constexpr std::string_view kRedisVersion = "7.0.15";
constexpr std::string_view kServerAddress = "127.0.0.1:6379";
/// Takes any password, because none is set.
constexpr std::string_view kOnlyUser = "default";

} // namespace lockscope::sim
