#include "server_info.h"

#include <algorithm>
#include <string_view>

namespace lockscope::wire {

namespace {

std::string fieldOf(std::string_view info, std::string_view name)
{
    const std::string begin = std::string(name) + ':';
    std::size_t at = 0;
    while (at < info.size()) {
        const std::size_t end = std::min(info.find("\r\n", at), info.size());
        const std::string_view line = info.substr(at, end - at);
        if (line.starts_with(begin)) {
            return std::string(line.substr(begin.size()));
        }
        at = end + 2;
    }
    return {};
}

} // namespace

ServerInfo serverInfoOf(const store::Outcome& outcome)
{
    ServerInfo info;
    const store::Reply* const reply = replyOf(outcome);
    if (reply == nullptr || reply->text() == nullptr) {
        return info;
    }
    info.version = fieldOf(*reply->text(), "redis_version");
    const std::string role = fieldOf(*reply->text(), "role");
    info.role = role == "slave" ? "replica" : role; // the server still uses the old word
    return info;
}

} // namespace lockscope::wire
