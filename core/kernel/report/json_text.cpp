#include "core/kernel/report/json_text.h"

#include <algorithm>

namespace lockscope::report {

Json textOrNull(std::string_view text)
{
    return text.empty() ? Json(nullptr) : Json(escaped(text));
}

Json escapedAll(const std::vector<Bytes>& words)
{
    Json array = Json::array();
    for (const Bytes& word : words) {
        array.push_back(escaped(word));
    }
    return array;
}

std::optional<std::int64_t> remainingMs(const std::optional<Instant>& end, Instant now)
{
    return end ? std::optional(std::max<std::int64_t>(0, toMs(*end - now))) : std::nullopt;
}

std::string readable(std::string_view text)
{
    return isUtf8(text) ? std::string(text) : escaped(text);
}

std::string_view idOf(inspect::ReleaseAction action)
{
    switch (action) {
    case inspect::ReleaseAction::Release: break;
    case inspect::ReleaseAction::CapTtl: return "cap-ttl";
    case inspect::ReleaseAction::Tombstone: return "tombstone";
    case inspect::ReleaseAction::Restore: return "restore";
    }
    return "release";
}

} // namespace lockscope::report
