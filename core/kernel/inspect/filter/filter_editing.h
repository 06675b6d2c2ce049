#pragma once

#include <string>
#include <string_view>

// Changes the text of a filter by one term, such as `mode:read` or `-flag:any`.
namespace lockscope::inspect {

/// With the term, or without it where it is there already: what holds for each of the locks that
/// the filter lets pass. Alternatives are put in parentheses first. A text that cannot be cut into
/// words gets the term at its end.
std::string toggledFilter(std::string_view filter, std::string_view term);

/// With the term, and without its opposite.
std::string narrowedFilter(std::string_view filter, std::string_view term);

/// `-word` of `word`, and the other way round.
std::string oppositeOf(std::string_view term);

} // namespace lockscope::inspect
