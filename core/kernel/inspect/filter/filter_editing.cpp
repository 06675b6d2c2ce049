#include "core/kernel/inspect/filter/filter_editing.h"

#include "core/kernel/base/joined.h"
#include "core/kernel/inspect/filter/filter_words.h"

#include <algorithm>
#include <vector>

namespace lockscope::inspect {

namespace {

using Kind = FilterToken::Kind;

/// What is joined by "and" at the top of a filter.
struct Terms {
    std::vector<std::string> texts;
    bool hasAlternatives = false; // the filter has an "or" there: it is one term
};

/// A "not" or a minus belongs to what follows, and parentheses to what they hold.
Terms termsOf(std::string_view filter)
{
    Terms terms;
    const auto tokens = filterTokens(filter);
    const auto* const words = std::get_if<std::vector<FilterToken>>(&tokens);
    if (words == nullptr) {
        terms.texts.emplace_back(filter);
        return terms;
    }
    int depth = 0;
    std::size_t begin = std::string_view::npos;
    for (const FilterToken& token : *words) {
        depth += token.kind == Kind::Open ? 1 : token.kind == Kind::Close ? -1 : 0;
        terms.hasAlternatives |= depth == 0 && token.kind == Kind::Or;
        if (depth == 0 && token.kind == Kind::And) {
            continue;
        }
        begin = std::min(begin, token.at);
        const bool goesOn = depth > 0 || token.kind == Kind::Minus || token.kind == Kind::Not;
        if (!goesOn) {
            const std::size_t end = token.at + token.text.size();
            terms.texts.emplace_back(filter.substr(begin, end - begin));
            begin = std::string_view::npos;
        }
    }
    if (begin != std::string_view::npos) { // it is unfinished
        terms.texts.emplace_back(filter.substr(begin));
    }
    if (terms.hasAlternatives) {
        terms.texts = {'(' + std::string(filter) + ')'};
    }
    return terms;
}

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view kSpaces = " \t\r\n";
    const std::size_t first = text.find_first_not_of(kSpaces);
    return first == std::string_view::npos
               ? std::string_view()
               : text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

} // namespace

std::string toggledFilter(std::string_view filter, std::string_view term)
{
    Terms terms = termsOf(trimmed(filter));
    if (std::erase(terms.texts, term) == 0) {
        terms.texts.emplace_back(term);
    }
    return joined(terms.texts, " ");
}

std::string narrowedFilter(std::string_view filter, std::string_view term)
{
    Terms terms = termsOf(trimmed(filter));
    std::erase(terms.texts, oppositeOf(term));
    std::erase(terms.texts, term);
    terms.texts.emplace_back(term);
    return joined(terms.texts, " ");
}

std::string oppositeOf(std::string_view term)
{
    return term.starts_with('-') ? std::string(term.substr(1)) : '-' + std::string(term);
}

} // namespace lockscope::inspect
