#pragma once

#include "core/kernel/base/joined.h"
#include "core/kernel/base/time.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace CLI { // NOLINT(readability-identifier-naming): as CLI11 calls itself
class App;
} // namespace CLI

namespace lockscope::app {

/// What is wrong with a command line: one sentence without a line end, for the user. Thrown by
/// whatever reads words of it.
struct ArgumentError {
    std::string reason;
    friend bool operator==(const ArgumentError&, const ArgumentError&) = default;
};

// What is wrong with a typed value, for the user; empty: nothing, and `value` was set.
std::string readDuration(const std::string& text, Duration& value);
std::string readNumber(const std::string& text, std::uint64_t min, std::uint64_t max,
                       std::uint64_t& value);
std::string noneOf(const std::string& text, const std::vector<std::string_view>& words);

/// "name" of "--name=value"; empty: the word is no option.
std::string_view optionNameIn(std::string_view word);

/// The text with dashes as a manual page wants them, so that they can be copied.
std::string withManualDashes(std::string_view text);

/// What an option says of itself.
struct OptionFact {
    std::string name;      // without dashes
    std::string valueName; // "FILE", "table|json"; empty: it takes no value
    std::string help;
    std::vector<std::string> words; // of suggest()
    bool isRepeatable = false;
};

/// The options of a program or a command, each with the value that it is read into and its place in
/// the help. CLI11 does the work; what is stricter here saves from accidents: a forgotten value
/// is no other option, and an empty one stays empty.
class OptionSet {
public:
    using Names = std::set<std::string, std::less<>>;
    /// Sets a value to what was typed. What is wrong with it, behind "--name: "; empty: nothing.
    using Reader = std::function<std::string(const std::string& text)>;

    /// Words that are no options.
    struct Words {
        std::vector<std::string> unknownOptions;
        std::vector<std::string> operands; // those behind "--" included
        std::size_t countBeforeDashes = 0; // of the operands
    };
    /// --help or the like was given: that is to be answered, and nothing else done.
    struct Asked {
        std::string name;
    };

    OptionSet();
    ~OptionSet();

    /// The heading of the options that are added from now on.
    void beginGroup(std::string_view title) { m_group = title; }

    // The names are without dashes. `valueName` stands for the value in the help.

    void add(std::string_view name, std::string_view valueName, Reader read, std::string_view help,
             bool isRepeatable = false);
    /// A string, or an optional one.
    template<class Text>
    void addText(std::string_view name, std::string_view valueName, Text& target,
                 std::string_view help)
    {
        const auto read = [&target](const std::string& text) {
            target = text;
            return std::string();
        };
        add(name, valueName, read, help);
    }
    /// The name of a file; an empty one is refused.
    void addFile(std::string_view name, std::string& target, std::string_view help);
    void addDuration(std::string_view name, Duration& target, std::string_view help);
    template<class Number>
    void addNumber(std::string_view name, Number& target, std::uint64_t min, std::uint64_t max,
                   std::string_view help)
    {
        const auto read = [&target, min, max](const std::string& text) {
            std::uint64_t number = 0;
            std::string complaint = readNumber(text, min, max, number);
            target = static_cast<Number>(number);
            return complaint;
        };
        add(name, "N", read, help);
    }
    /// One of a few words.
    template<class Target, class Value>
    void addChoice(std::string_view name, Target& target,
                   const std::vector<std::pair<std::string_view, Value>>& choices,
                   std::string_view help)
    {
        std::vector<std::string_view> words;
        words.reserve(choices.size());
        for (const auto& [word, value] : choices) {
            words.push_back(word);
        }
        const auto read = [&target, choices, words](const std::string& text) {
            for (const auto& [word, value] : choices) {
                if (word == text) {
                    target = value;
                    return std::string();
                }
            }
            return noneOf(text, words);
        };
        add(name, joined(words, "|"), read, help);
    }
    void addSwitch(std::string_view name, bool& target, std::string_view help);
    /// --help and the like: whatever else is typed, read() throws Asked.
    void addQuestion(std::string_view name, std::string_view help);

    /// Words that the value of the option is made of, for completion; others may be right, too.
    void suggest(std::string_view name, std::vector<std::string> words);

    const Names& names() const { return m_names; }
    /// In the order in which they were added.
    std::vector<OptionFact> facts() const;
    /// Whether the word is an option that the next word is the value of.
    bool takesNext(std::string_view word) const { return m_withValues.contains(word); }

    /// Reads the words into the values. Throws an ArgumentError, or Asked.
    Words read(std::span<const std::string> words);

    /// The options below their headings, names to the left, sentences to the right of them.
    std::string help() const;
    /// The same in a line of a manual page: those of the first heading, and the other headings.
    std::string synopsis() const;

private:
    std::unique_ptr<CLI::App> m_app;
    std::string m_group;
    Names m_names;
    Names m_withValues; // with their dashes
    Names m_repeatable;
    std::map<std::string, std::vector<std::string>, std::less<>> m_words;
};

/// What to say of an option that does not exist, with the one of these that may have been meant.
ArgumentError unknownOption(std::string_view word, const OptionSet::Names& known);

} // namespace lockscope::app
