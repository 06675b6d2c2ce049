#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace lockscope::store {

/// The number that the whole text is; nullopt when it is none, or does not fit.
template<class Number>
std::optional<Number> wholeNumberIn(std::string_view text)
{
    Number number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool isWhole = error == std::errc() && end == text.data() + text.size() && !text.empty();
    return isWhole ? std::optional(number) : std::nullopt;
}

} // namespace lockscope::store
