#pragma once

#include "core/kernel/inspect/filter/lock_filter.h"

#include <string_view>
#include <variant>
#include <vector>

namespace lockscope::inspect {

/// A piece of a filter's text. The views point into the text.
struct FilterToken {
    enum class Kind { Open, Close, Minus, Or, And, Not, Word };

    Kind kind = Kind::Word;
    std::string_view text; // with its quotes
    std::size_t at = 0;    // offset in the filter's text
};

/// Cuts a filter's text into words at spaces and parentheses that are not in double quotes, nor
/// between the slashes of a regular expression (`key~/a b/`).
std::variant<std::vector<FilterToken>, FilterError> filterTokens(std::string_view text);

/// All names of fields look like this, and what looks like this before a colon is meant as one.
bool isFieldName(std::string_view word);

/// Offset of the first of `characters` that is not in quotes; npos when there is none.
std::size_t findUnquoted(std::string_view word, std::string_view characters);

/// An error about a token.
FilterError errorAt(const FilterToken& token, std::string reason);

} // namespace lockscope::inspect
