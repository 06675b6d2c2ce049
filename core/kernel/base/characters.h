#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace lockscope {

/// Letters of ASCII alone, as Redis compares the names of its commands, whatever the locale.
constexpr char lowered(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string lowered(std::string_view text);

/// As the names of commands are written for people.
std::string uppered(std::string_view text);

/// Of ASCII.
constexpr bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// `lowerCase` is lowered already.
constexpr bool equalsIgnoringCase(std::string_view text, std::string_view lowerCase)
{
    return std::equal(text.begin(), text.end(), lowerCase.begin(), lowerCase.end(),
                      [](char c, char expected) { return lowered(c) == expected; });
}

/// Unicode knows it as something that is shown as nothing: zero-width spaces and joiners, direction
/// marks, tags, variation selectors, fillers.
bool isInvisible(char32_t c);

/// A combining mark that goes with any letter, such as an accent, a stroke or a dot below.
bool isDiacritic(char32_t c);

/// Any combining mark, also those without which a script cannot be written: it is drawn onto what
/// stands before it.
bool isMark(char32_t c);

} // namespace lockscope
