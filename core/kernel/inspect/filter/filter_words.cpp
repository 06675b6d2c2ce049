#include "core/kernel/inspect/filter/filter_words.h"

#include "core/kernel/base/characters.h"
#include "core/kernel/base/kernel_text.h"

#include <algorithm>

namespace lockscope::inspect {

namespace {

using Kind = FilterToken::Kind;

constexpr std::string_view kSpaces = " \t\r\n";

Kind kindOfWord(std::string_view word)
{
    if (equalsIgnoringCase(word, "or")) {
        return Kind::Or;
    }
    if (equalsIgnoringCase(word, "and")) {
        return Kind::And;
    }
    return equalsIgnoringCase(word, "not") ? Kind::Not : Kind::Word;
}

/// Behind the quote sign that closes the quotation beginning at `open`; npos when nothing closes
/// it.
std::size_t endOfQuotation(std::string_view text, std::size_t open)
{
    for (std::size_t i = open + 1; i < text.size(); ++i) {
        if (text[i] == '"') {
            return i + 1;
        }
        if (text.substr(i).starts_with("\\\"")) {
            ++i;
        }
    }
    return std::string_view::npos;
}

/// As endOfQuotation(), of `/…/`.
std::size_t endOfRegex(std::string_view text, std::size_t open)
{
    for (std::size_t i = open + 1; i < text.size(); ++i) {
        if (text[i] == '/') {
            return i + 1;
        }
        i += text[i] == '\\' ? 1 : 0;
    }
    return std::string_view::npos;
}

/// The slash behind the `~` behind the name of a field.
bool opensRegex(std::string_view word, std::size_t at)
{
    return word[at] == '/' && at > 1 && word[at - 1] == '~' && isFieldName(word.substr(0, at - 1));
}

/// Where the word ends that `rest` begins with; an error of what it leaves open.
std::variant<std::size_t, FilterError> endOfWord(std::string_view rest, std::size_t at)
{
    std::size_t end = 0;
    while (end < rest.size()
           && std::string_view(" \t\r\n()").find(rest[end]) == std::string_view::npos) {
        const bool isRegex = opensRegex(rest, end);
        const std::size_t next = isRegex            ? endOfRegex(rest, end)
                                 : rest[end] == '"' ? endOfQuotation(rest, end)
                                                    : end + 1;
        if (next == std::string_view::npos) {
            return FilterError{isRegex ? KernelText::tr("the closing \"/\" is missing")
                                       : KernelText::tr("the closing quote is missing"),
                               at + end,
                               rest.size() - end,
                               {}};
        }
        end = next;
    }
    return end;
}

/// A minus sign negates only directly before something.
bool isNegation(std::string_view rest)
{
    return rest.front() == '-' && rest.size() > 1 && rest[1] != ')'
           && kSpaces.find(rest[1]) == std::string_view::npos;
}

} // namespace

bool isFieldName(std::string_view word)
{
    return !word.empty() && std::ranges::all_of(word, [](char c) {
        return lowered(c) >= 'a' && lowered(c) <= 'z';
    });
}

std::size_t findUnquoted(std::string_view word, std::string_view characters)
{
    for (std::size_t i = 0; i < word.size(); ++i) {
        if (characters.find(word[i]) != std::string_view::npos) {
            return i;
        }
        if (word[i] == '"') {
            const std::size_t end = endOfQuotation(word, i);
            if (end == std::string_view::npos) {
                return end;
            }
            i = end - 1;
        }
    }
    return std::string_view::npos;
}

FilterError errorAt(const FilterToken& token, std::string reason)
{
    return FilterError{std::move(reason), token.at, token.text.size(), {}};
}

std::variant<std::vector<FilterToken>, FilterError> filterTokens(std::string_view text)
{
    std::vector<FilterToken> tokens;
    std::size_t at = 0;
    while ((at = text.find_first_not_of(kSpaces, at)) != std::string_view::npos) {
        const std::string_view rest = text.substr(at);
        FilterToken token{Kind::Word, rest.substr(0, 1), at};
        if (rest.front() == '(' || rest.front() == ')') {
            token.kind = rest.front() == '(' ? Kind::Open : Kind::Close;
        } else if (isNegation(rest)) {
            token.kind = Kind::Minus;
        } else {
            auto end = endOfWord(rest, at);
            if (auto* const error = std::get_if<FilterError>(&end)) {
                return std::move(*error);
            }
            token.text = rest.substr(0, std::get<std::size_t>(end));
            token.kind = kindOfWord(token.text);
        }
        at += token.text.size();
        tokens.push_back(token);
    }
    return tokens;
}

} // namespace lockscope::inspect
