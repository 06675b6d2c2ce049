#include "report/json_text.h"

namespace lockscope::report {

Json textOrNull(std::string_view text)
{
    return text.empty() ? Json(nullptr) : Json(escaped(text));
}

std::string readable(std::string_view text)
{
    return isUtf8(text) ? std::string(text) : escaped(text);
}

std::string_view idOf(inspect::ReleaseAction action)
{
    return action == inspect::ReleaseAction::CapTtl ? "cap-ttl" : "release";
}

} // namespace lockscope::report
