#include "core/kernel/diagnosis/monitor_line.h"

#include <charconv>

namespace lockscope::diagnosis {

namespace {

constexpr std::string_view kDigits = "0123456789";

/// What stands for the byte behind a backslash; nullopt: the letter stands for itself.
std::optional<char> controlOf(char letter)
{
    switch (letter) {
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'a': return '\a';
    case 'b': return '\b';
    default: return std::nullopt;
    }
}

/// Takes the words of a line from its front, one after the other.
class WordReader {
public:
    explicit WordReader(std::string_view text) : m_rest(text) {}

    bool isAtEnd() const { return m_rest.empty(); }

    /// nullopt: what comes next is no word in quotes.
    std::optional<Bytes> take()
    {
        if (m_rest.starts_with(' ')) {
            m_rest.remove_prefix(1);
        }
        if (!m_rest.starts_with('"')) {
            return std::nullopt;
        }
        m_rest.remove_prefix(1);
        Bytes word;
        while (!m_rest.empty()) {
            const char c = m_rest.front();
            m_rest.remove_prefix(1);
            if (c == '"') {
                return word;
            }
            word += c == '\\' ? takeEscaped() : c;
        }
        return std::nullopt;
    }

private:
    char takeEscaped()
    {
        if (m_rest.empty()) {
            return '\\';
        }
        const char letter = m_rest.front();
        m_rest.remove_prefix(1);
        unsigned value = 0;
        if (letter == 'x' && m_rest.size() >= 2) {
            std::from_chars(m_rest.data(), m_rest.data() + 2, value, 16);
            m_rest.remove_prefix(2);
            return static_cast<char>(value);
        }
        return controlOf(letter).value_or(letter);
    }

    std::string_view m_rest;
};

} // namespace

std::optional<MonitorLine> readMonitorLine(std::string_view line)
{
    const std::size_t open = line.find(" [");
    const std::size_t close = line.find("] \""); // an IPv6 address has brackets of its own
    if (open == std::string_view::npos || close == std::string_view::npos || close < open
        || line.substr(0, open).find_first_not_of("0123456789.") != std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view origin = line.substr(open + 2, close - open - 2);
    const std::size_t space = origin.find(' ');
    const std::string_view database = origin.substr(0, space);
    if (space == std::string_view::npos || database.empty()
        || database.find_first_not_of(kDigits) != std::string_view::npos) {
        return std::nullopt;
    }
    MonitorLine read;
    std::from_chars(database.data(), database.data() + database.size(), read.database);
    read.client = origin.substr(space + 1);
    WordReader words(line.substr(close + 1));
    while (!words.isAtEnd()) {
        std::optional<Bytes> word = words.take();
        if (!word) {
            return std::nullopt;
        }
        read.words.push_back(std::move(*word));
    }
    return read;
}

} // namespace lockscope::diagnosis
