#pragma once

#include "core/kernel/base/time.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::trace {

/// How a contender without a name is called, everywhere: "contender 0".
inline std::string contenderName(std::size_t id)
{
    return "contender " + std::to_string(id);
}

/// How a reader calls the numbers in a chronicle. What has no name goes by its number.
struct RunLabels {
    std::string title;                   // of the run, one line
    std::vector<std::string> contenders; // by ContenderId
    std::vector<std::string> locks;      // by LockId
    std::vector<std::string> servers;    // by node
    Instant origin{};                    // the instant that is shown as zero

    std::string contender(std::size_t id) const
    {
        return id < contenders.size() ? contenders[id] : contenderName(id);
    }
    /// Of a server hold.
    std::string holder(const std::optional<std::uint32_t>& id) const
    {
        return id ? contender(*id) : "unknown";
    }
    std::string lock(std::size_t id) const { return nameIn(locks, id, "lock "); }
    std::string server(std::size_t node) const { return nameIn(servers, node, "server "); }

    friend bool operator==(const RunLabels&, const RunLabels&) = default;

private:
    static std::string nameIn(const std::vector<std::string>& names, std::size_t id,
                              const char* otherwise)
    {
        return id < names.size() ? names[id] : otherwise + std::to_string(id + 1);
    }
};

} // namespace lockscope::trace
