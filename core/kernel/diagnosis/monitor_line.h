#pragma once

#include "core/kernel/base/bytes.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::diagnosis {

/// A command that a server carried out, as MONITOR tells it.
struct MonitorLine {
    int database = 0;
    std::string client;       // "10.0.0.7:51622", "unix:/run/redis.sock"; "lua": a script sent it
    std::vector<Bytes> words; // the command first
    friend bool operator==(const MonitorLine&, const MonitorLine&) = default;
};

/// Reads `1339518083.107412 [0 127.0.0.1:60866] "keys" "*"` (Redis 2.6 to 8); nullopt: it is
/// something else.
std::optional<MonitorLine> readMonitorLine(std::string_view line);

} // namespace lockscope::diagnosis
