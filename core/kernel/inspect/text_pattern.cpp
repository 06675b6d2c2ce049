#include "core/kernel/inspect/text_pattern.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace lockscope::inspect {

namespace {

constexpr std::array<unsigned char, 256> lowerCaseTable()
{
    std::array<unsigned char, 256> table{};
    for (std::size_t i = 0; i < table.size(); ++i) {
        table[i] = static_cast<unsigned char>(i >= 'A' && i <= 'Z' ? i - 'A' + 'a' : i);
    }
    return table;
}

constexpr std::array<unsigned char, 256> kLowerCase = lowerCaseTable();

unsigned char folded(char c)
{
    return kLowerCase[static_cast<unsigned char>(c)];
}

bool equalsFolded(std::string_view text, std::string_view lowered)
{
    return text.size() == lowered.size()
           && std::equal(text.begin(), text.end(), lowered.begin(),
                         [](char a, char b) { return folded(a) == static_cast<unsigned char>(b); });
}

bool containsFolded(std::string_view text, std::string_view lowered)
{
    if (lowered.empty()) {
        return true;
    }
    if (lowered.size() > text.size()) {
        return false;
    }
    const auto first = static_cast<unsigned char>(lowered.front());
    const std::size_t lastStart = text.size() - lowered.size();
    for (std::size_t i = 0; i <= lastStart; ++i) {
        if (folded(text[i]) == first && equalsFolded(text.substr(i, lowered.size()), lowered)) {
            return true;
        }
    }
    return false;
}

/// The byte of a `\xNN` at the start of the text.
std::optional<char> escapedByte(std::string_view text)
{
    if (!text.starts_with("\\x") || text.size() < 4) {
        return std::nullopt;
    }
    const std::optional<Bytes> byte = unescaped(text.substr(0, 4));
    return byte ? std::optional(byte->front()) : std::nullopt;
}

/// Where the character that begins at `at` ends; of bytes that are not UTF-8, each is a character.
std::size_t endOfCharacter(std::string_view text, std::size_t at)
{
    const auto isContinuation = [](char c) {
        return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U;
    };
    const bool isMultibyte = static_cast<unsigned char>(text[at]) >= 0xc0U;
    ++at;
    while (isMultibyte && at < text.size() && isContinuation(text[at])) {
        ++at;
    }
    return at;
}

} // namespace

TextPattern::TextPattern(std::string_view typed, Reach reach) : m_reach(reach)
{
    bool isQuoted = false;
    for (std::size_t i = 0; i < typed.size(); ++i) {
        const std::string_view rest = typed.substr(i);
        if (isQuoted && rest.starts_with("\\\"")) {
            appendByte('"');
            ++i;
        } else if (rest.front() == '"') {
            isQuoted = !isQuoted;
        } else if (const std::optional<char> byte = escapedByte(rest)) {
            appendByte(*byte);
            i += 3;
        } else if (!isQuoted && (rest.front() == '*' || rest.front() == '?')) {
            m_units.push_back(rest.front() == '*' ? kAnyBytes : kOneCharacter);
            m_hasWildcards = true;
        } else {
            appendByte(rest.front());
        }
    }
    if (m_hasWildcards && m_reach == Reach::Anywhere) {
        m_units.insert(m_units.begin(), kAnyBytes);
        m_units.push_back(kAnyBytes);
    }
}

TextPattern::TextPattern(TextRegex regex)
    : m_regex(std::make_shared<const TextRegex>(std::move(regex))),
      m_reach(Reach::Anywhere)
{}

void TextPattern::appendByte(char c)
{
    m_units.push_back(folded(c));
    m_literal += static_cast<char>(folded(c));
}

bool TextPattern::matches(std::string_view text) const
{
    if (m_regex != nullptr) {
        return m_regex->matches(text);
    }
    if (m_hasWildcards) {
        return globMatches(text);
    }
    return m_reach == Reach::Whole ? equalsFolded(text, m_literal)
                                   : containsFolded(text, m_literal);
}

/// Only the latest `*` ever has to give way, so two positions to go back to are enough.
bool TextPattern::globMatches(std::string_view text) const
{
    std::size_t unit = 0;
    std::size_t at = 0;
    std::optional<std::size_t> unitAfterStar;
    std::size_t starEnd = 0; // up to here the latest star has eaten the text
    while (at < text.size()) {
        const Unit wanted = unit < m_units.size() ? m_units[unit] : Unit{0xffff};
        if (wanted == kAnyBytes) {
            unitAfterStar = ++unit;
            starEnd = at;
        } else if (wanted == kOneCharacter) {
            at = endOfCharacter(text, at);
            ++unit;
        } else if (wanted == folded(text[at])) {
            ++at;
            ++unit;
        } else if (unitAfterStar) {
            unit = *unitAfterStar;
            at = ++starEnd;
        } else {
            return false;
        }
    }
    return std::all_of(m_units.begin() + static_cast<std::ptrdiff_t>(unit), m_units.end(),
                       [](Unit u) { return u == kAnyBytes; });
}

} // namespace lockscope::inspect
