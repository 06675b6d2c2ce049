#include "core/kernel/store/info_fields.h"

#include <charconv>
#include <system_error>

namespace lockscope::store {

std::string_view InfoFields::at(std::string_view name) const
{
    std::string_view found;
    visitInfoFields(m_text, [&](std::string_view field, std::string_view value) {
        found = field == name ? value : std::string_view();
        return field != name;
    });
    return found;
}

std::optional<std::int64_t> InfoFields::numberAt(std::string_view name) const
{
    return infoNumber(at(name));
}

std::optional<std::int64_t> infoNumber(std::string_view text)
{
    std::int64_t number = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
    return end.ec == std::errc() && !text.empty() ? std::optional(number) : std::nullopt;
}

std::string_view infoPart(std::string_view line, std::string_view name)
{
    std::size_t at = 0;
    while (at < line.size()) {
        const std::size_t end = std::min(line.find(',', at), line.size());
        const std::string_view part = line.substr(at, end - at);
        if (part.starts_with(name) && part.substr(name.size()).starts_with('=')) {
            return part.substr(name.size() + 1);
        }
        at = end + 1;
    }
    return {};
}

} // namespace lockscope::store
