#pragma once

#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lockscope::inspect {

/// A regular expression that is looked for in texts, ignoring ASCII case. All its alternatives are
/// followed at the same time, so that no pattern and no text takes longer than the one times the
/// other: the texts are keys that others chose.
///
/// It has what the usual dialects share: `.`, `[a-z]`, `[^a-z]`, `\d \w \s` and their opposites,
/// `\xNN`, `*`, `+`, `?`, `{2}`, `{2,}`, `{2,4}`, `|`, groups, `^` and `$`. It has no back
/// references and does not look around.
class TextRegex {
public:
    /// Why the pattern cannot be read, in words.
    static std::variant<TextRegex, std::string> compile(std::string_view pattern);

    /// Thread-safe.
    bool matches(std::string_view text) const;

    using ByteSet = std::bitset<256>;

    /// A step of the automaton. Jumps are relative, so that parts can be joined and repeated.
    struct Step {
        enum class Kind : std::uint8_t { Byte, Split, Jump, Begin, End };

        Kind kind = Kind::Byte;
        std::int32_t to = 1;   // Split, Jump
        std::int32_t orTo = 1; // Split
        std::uint32_t set = 0; // Byte: index into the sets
    };

private:
    class Run;

    std::vector<Step> m_steps; // behind the last one it has matched
    std::vector<ByteSet> m_sets;
};

} // namespace lockscope::inspect
