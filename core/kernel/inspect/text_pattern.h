#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/inspect/text_regex.h"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace lockscope::inspect {

/// What a piece of text is compared with, ignoring ASCII case. Made once, then matched against very
/// many texts without allocating.
class TextPattern {
public:
    enum class Reach {
        Anywhere, // some part of the text matches
        Whole,    // the text matches from its first byte to its last
    };

    /// Reads a word as it is typed into the filter: `*` and `?` (any bytes, one character) are
    /// wildcards outside of double quotes, `\xNN` is a byte, quotes keep their content literal and
    /// `\"` is a quote sign in them.
    TextPattern(std::string_view typed, Reach reach);

    /// The text matches where the expression is found in it.
    explicit TextPattern(TextRegex regex);

    bool matches(std::string_view text) const;

    bool hasWildcards() const { return m_hasWildcards; }

private:
    using Unit = std::uint16_t; // a lower-cased byte, or one of the wildcards
    static constexpr Unit kOneCharacter = 256;
    static constexpr Unit kAnyBytes = 257;

    void appendByte(char c);
    bool globMatches(std::string_view text) const;

    std::vector<Unit> m_units;
    Bytes m_literal;                          // the same without wildcards
    std::shared_ptr<const TextRegex> m_regex; // null: it is none
    Reach m_reach;
    bool m_hasWildcards = false;
};

} // namespace lockscope::inspect
