#include "option_parser.h"

#include "base/bytes.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace lockscope::app {

namespace {

constexpr std::size_t kQuotedLengthMax = 60;
constexpr std::size_t kHelpColumn = 28;
constexpr std::string_view kHelpOption = "help";

std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t(0));
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row.back();
}

std::string helpHead(const Option& option)
{
    std::string head = "  --" + std::string(option.name);
    if (!option.valueName.empty()) {
        head += ' ';
        head += option.valueName;
    }
    return head;
}

bool isNumber(std::string_view text)
{
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// "host:6379", "[fe80::1]:6379", "::1": what stands behind the colon is no password.
bool isHostAndPort(std::string_view authority)
{
    constexpr std::size_t kPortDigitsMax = 5;
    const std::size_t colon = authority.find(':');
    if (authority.starts_with('[') || colon == std::string_view::npos) {
        return true;
    }
    if (authority.find(':', colon + 1) != std::string_view::npos) {
        return authority.find_first_not_of("0123456789abcdefABCDEF:.") == std::string_view::npos;
    }
    const std::string_view port = authority.substr(colon + 1);
    return isNumber(port) && port.size() <= kPortDigitsMax;
}

bool namesPassword(std::string_view options)
{
    constexpr std::string_view kWord = "pass";
    const auto isSame = [](char given, char wanted) {
        return given == wanted || given == wanted - 'a' + 'A';
    };
    return std::search(options.begin(), options.end(), kWord.begin(), kWord.end(), isSame)
           != options.end();
}

bool isDatabase(std::string_view option)
{
    return option.starts_with("db=") && isNumber(option.substr(3));
}

} // namespace

std::optional<std::string> Words::value(std::string_view option) const
{
    const auto found = m_values.find(option);
    return found == m_values.end() ? std::nullopt : std::optional(found->second.back());
}

std::vector<std::string> Words::values(std::string_view option) const
{
    const auto found = m_values.find(option);
    return found == m_values.end() ? std::vector<std::string>() : found->second;
}

std::vector<std::string_view> Words::given() const
{
    std::vector<std::string_view> names;
    for (const auto& [name, values] : m_values) {
        names.push_back(name);
    }
    return names;
}

/// Reads the words from left to right; the first thing that is wrong ends the reading.
class WordReader {
public:
    WordReader(std::span<const std::string> words, std::span<const Option> options)
        : m_rest(words),
          m_options(options)
    {}

    std::variant<Words, ArgumentError> read()
    {
        while (!m_rest.empty() && !m_error) {
            readOne(takeWord());
        }
        if (m_error) {
            return *m_error;
        }
        return std::move(m_words);
    }

private:
    std::string takeWord()
    {
        std::string word = m_rest.front();
        m_rest = m_rest.subspan(1);
        return word;
    }

    void readOne(const std::string& word)
    {
        if (word == "--") {
            m_words.countBeforeDashes = m_words.positionals.size();
            m_words.positionals.insert(m_words.positionals.end(), m_rest.begin(), m_rest.end());
            m_rest = {};
        } else if (word == "-h") {
            readOption(kHelpOption, std::nullopt);
        } else if (word.starts_with("--")) {
            const std::size_t equals = word.find('=');
            const bool hasValue = equals != std::string::npos;
            readOption(std::string_view(word).substr(2, hasValue ? equals - 2 : equals),
                       hasValue ? std::optional(word.substr(equals + 1)) : std::nullopt);
        } else if (word.size() > 1 && word.front() == '-') {
            m_error = ArgumentError{"unknown option " + inQuotes(word)
                                    + "; write arguments that begin with a dash after \"--\""};
        } else {
            m_words.positionals.push_back(word);
        }
    }

    const Option* find(std::string_view name) const
    {
        const auto found = std::ranges::find(m_options, name, &Option::name);
        return found == m_options.end() ? nullptr : &*found;
    }

    void readOption(std::string_view name, std::optional<std::string> value)
    {
        const Option* const option = find(name);
        if (option == nullptr) {
            m_error = unknownOption(name);
            return;
        }
        const bool isSwitch = option->valueName.empty();
        if (isSwitch && value) {
            m_error = ArgumentError{dashed(name) + " takes no value"};
        } else if (!isSwitch && !value) {
            value = valueFromNextWord(*option);
        }
        std::vector<std::string>& values = m_words.m_values[option->name];
        if (!values.empty() && !option->isRepeatable && !isSwitch) {
            m_error = ArgumentError{dashed(name) + " is given twice"};
        }
        values.push_back(value.value_or(std::string()));
    }

    /// The word behind an option is its value, unless it is an option itself: then the value was
    /// forgotten.
    std::optional<std::string> valueFromNextWord(const Option& option)
    {
        const std::string what = dashed(option.name) + " needs a value ("
                                 + std::string(option.valueName) + ')';
        if (m_rest.empty()) {
            m_error = ArgumentError{what};
            return std::nullopt;
        }
        const std::string_view next = m_rest.front();
        const bool isOption = next.starts_with("--")
                              && find(next.substr(2, next.find('=') - 2)) != nullptr;
        if (isOption) {
            m_error = ArgumentError{what + ", not " + inQuotes(next) + "; if you mean that, write "
                                    + dashed(option.name) + '=' + std::string(next)};
            return std::nullopt;
        }
        return takeWord();
    }

    ArgumentError unknownOption(std::string_view name) const
    {
        std::vector<std::string_view> names;
        for (const Option& option : m_options) {
            names.push_back(option.name);
        }
        const std::string_view meant = closestTo(name, names);
        std::string reason = "unknown option " + inQuotes("--" + std::string(name));
        return {meant.empty() ? reason : reason + "; did you mean " + dashed(meant) + "?"};
    }

    static std::string dashed(std::string_view name) { return "--" + std::string(name); }

    std::span<const std::string> m_rest;
    std::span<const Option> m_options;
    Words m_words;
    std::optional<ArgumentError> m_error;
};

std::variant<Words, ArgumentError> readWords(std::span<const std::string> words,
                                             std::span<const Option> options)
{
    return WordReader(words, options).read();
}

std::string optionHelp(std::span<const Option> options)
{
    std::string text;
    for (const Option& option : options) {
        std::string line = helpHead(option);
        line += line.size() + 2 <= kHelpColumn ? std::string(kHelpColumn - line.size(), ' ')
                                               : '\n' + std::string(kHelpColumn, ' ');
        for (const char c : option.help) {
            line += c;
            line += c == '\n' ? std::string(kHelpColumn, ' ') : std::string();
        }
        text += line + '\n';
    }
    return text;
}

std::string_view closestTo(std::string_view word, std::span<const std::string_view> candidates)
{
    std::string_view best;
    std::size_t bestDistance = 1 + std::max<std::size_t>(1, word.size() / 3);
    for (const std::string_view candidate : candidates) {
        const std::size_t distance = editDistance(word, candidate);
        if (distance < bestDistance) {
            best = candidate;
            bestDistance = distance;
        }
    }
    return best;
}

std::vector<std::string_view> passwordsIn(std::string_view word)
{
    std::vector<std::string_view> passwords;
    const std::size_t scheme = word.find("://");
    const bool isUrl = scheme != std::string_view::npos;
    const std::size_t begin = isUrl ? scheme + 3 : 0;
    const std::size_t colon = word.find(':', begin);
    const std::size_t at = word.rfind('@');
    const bool hasHost = at != std::string_view::npos && at >= begin;
    if (hasHost && colon < at) {
        passwords.push_back(word.substr(colon + 1, at - colon - 1));
    } else if (isUrl && !hasHost) {
        const std::string_view authority = word.substr(begin,
                                                       word.find_first_of("/?#&", begin) - begin);
        if (!isHostAndPort(authority)) {
            passwords.push_back(authority.substr(authority.find(':') + 1));
        }
    }
    const std::size_t mark = word.find_first_of("?#&", hasHost ? at : begin);
    const std::string_view options = mark == std::string_view::npos ? std::string_view()
                                                                    : word.substr(mark + 1);
    if ((isUrl && !isDatabase(options)) || namesPassword(options)) {
        passwords.push_back(options);
    }
    std::erase(passwords, std::string_view());
    return passwords;
}

std::string inQuotes(std::string_view word)
{
    std::string shown(word);
    const std::vector<std::string_view> passwords = passwordsIn(word);
    for (auto password = passwords.rbegin(); password != passwords.rend(); ++password) {
        shown.replace(static_cast<std::size_t>(password->data() - word.data()), password->size(),
                      "***");
    }
    return '"' + elidedMiddle(escaped(shown), kQuotedLengthMax) + '"';
}

} // namespace lockscope::app
