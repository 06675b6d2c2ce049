#include "core/kernel/store/command.h"

#include <algorithm>

namespace lockscope::store {

namespace {

/// redis-cli splits an unquoted word at spaces and lets a quote sign begin a quotation anywhere in
/// it.
bool needsQuotes(std::string_view word)
{
    const auto isSpecial = [](char c) {
        const auto octet = static_cast<unsigned char>(c);
        return octet <= ' ' || octet == 0x7f || c == '"' || c == '\'' || c == '\\';
    };
    return word.empty() || std::any_of(word.begin(), word.end(), isSpecial)
           || escaped(word) != word;
}

char shortEscapeOf(char c)
{
    switch (c) {
    case '\n': return 'n';
    case '\r': return 'r';
    case '\t': return 't';
    case '"': return '"';
    case '\\': return '\\';
    default: return '\0';
    }
}

/// The parts between the characters that have an escape of their own go through escaped(), whose
/// `\xNN` redis-cli reads as well.
std::string quotedWord(std::string_view word)
{
    std::string out = "\"";
    while (!word.empty()) {
        const auto next = std::find_if(word.begin(), word.end(),
                                       [](char c) { return shortEscapeOf(c) != '\0'; });
        const auto plainLength = static_cast<std::size_t>(next - word.begin());
        out += escaped(word.substr(0, plainLength));
        word.remove_prefix(plainLength);
        if (!word.empty()) {
            out += '\\';
            out += shortEscapeOf(word.front());
            word.remove_prefix(1);
        }
    }
    return out + '"';
}

} // namespace

std::string toText(const Command& command)
{
    std::string out;
    for (const Bytes& word : command.words) {
        if (!out.empty()) {
            out += ' ';
        }
        out += needsQuotes(word) ? quotedWord(word) : word;
    }
    return out;
}

} // namespace lockscope::store
