#include "store/reply.h"

namespace lockscope::store {

std::string_view ServerError::code() const
{
    return std::string_view(text).substr(0, text.find(' '));
}

std::optional<std::int64_t> Reply::integer() const
{
    const auto* const number = std::get_if<std::int64_t>(&m_value);
    return number != nullptr ? std::optional(*number) : std::nullopt;
}

const std::string* Reply::text() const
{
    if (const auto* const bytes = std::get_if<Bytes>(&m_value)) {
        return bytes;
    }
    const auto* const status = std::get_if<Status>(&m_value);
    return status != nullptr ? &status->text : nullptr;
}

} // namespace lockscope::store
