#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>

namespace re2 {
class RE2;
} // namespace re2

namespace lockscope::inspect {

/// A regular expression of RE2 that is looked for in texts, ignoring case. No pattern and no text
/// takes longer than the one times the other: the texts are keys that others chose. Text that is
/// not UTF-8 is compared byte by byte, so that `\xNN` is a byte there.
class TextRegex {
public:
    /// Why the pattern cannot be read, in words.
    static std::variant<TextRegex, std::string> compile(std::string_view pattern);

    /// Thread-safe.
    bool matches(std::string_view text) const;

private:
    using Compiled = std::shared_ptr<const re2::RE2>;

    TextRegex(Compiled ofCharacters, Compiled ofBytes);

    Compiled m_ofCharacters;
    Compiled m_ofBytes;
};

} // namespace lockscope::inspect
