#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lockscope::app {

/// What is wrong with a command line: one sentence without a line end, for the user.
struct ArgumentError {
    std::string reason;
    friend bool operator==(const ArgumentError&, const ArgumentError&) = default;
};

/// An option that a program understands.
struct Option {
    std::string_view name;      // without the dashes
    std::string_view valueName; // what stands for the value in the help; empty: a switch
    std::string_view help;      // one sentence, may hold line breaks
    bool isRepeatable = false;
};

/// A command line cut into options and everything else. Option names are those of the table.
class Words {
public:
    bool has(std::string_view option) const { return m_values.contains(option); }
    /// The value of an option that is given at most once.
    std::optional<std::string> value(std::string_view option) const;
    /// All values of a repeatable option, in order.
    std::vector<std::string> values(std::string_view option) const;
    /// The options that were given, each once.
    std::vector<std::string_view> given() const;

    std::vector<std::string> positionals;
    /// How many of the positionals stand before "--"; nullopt without it.
    std::optional<std::size_t> countBeforeDashes;

private:
    friend class WordReader;
    std::map<std::string_view, std::vector<std::string>> m_values;
};

/// Reads `--name value`, `--name=value`, `-h` for --help, and `--`, behind which nothing is an
/// option. Any octets may be in a word. `words` is without the name of the program.
std::variant<Words, ArgumentError> readWords(std::span<const std::string> words,
                                             std::span<const Option> options);

/// The options as a block of a help text, names to the left, sentences aligned to the right of
/// them.
std::string optionHelp(std::span<const Option> options);

/// The candidate that a misspelt word was probably meant to be; empty when none is close.
std::string_view closestTo(std::string_view word, std::span<const std::string_view> candidates);

/// The parts of a word that may be passwords if the word is a URL: "redis://user:[secret]@host",
/// "redis://user:[secret]" without a host, and everything behind "?" or "#" but a database, in
/// order. Reads more loosely than a URL is read: rather too much is hidden than too little.
std::vector<std::string_view> passwordsIn(std::string_view word);

/// A word of the command line in double quotes, as far as it can be shown: without what may be a
/// password, never longer than a screen line.
std::string inQuotes(std::string_view word);

} // namespace lockscope::app
