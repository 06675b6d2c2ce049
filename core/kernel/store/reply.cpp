#include "core/kernel/store/reply.h"

#include "core/kernel/base/content_hash.h"

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

std::uint64_t contentHashOf(const Reply& reply)
{
    ContentHash hash;
    hash.add(reply.value().index());
    if (const Reply::Array* const items = reply.array()) {
        hash.add(items->size());
        for (const Reply& item : *items) {
            hash.add(contentHashOf(item));
        }
    } else if (const auto number = reply.integer()) {
        hash.add(*number);
    } else if (const ServerError* const error = reply.error()) {
        hash.add(error->text);
    } else if (const Oversized* const oversized = reply.oversized()) {
        hash.add(oversized->size);
        hash.add(oversized->beginning);
    } else if (const std::string* const text = reply.text()) {
        hash.add(*text);
    }
    return hash.value();
}

} // namespace lockscope::store
