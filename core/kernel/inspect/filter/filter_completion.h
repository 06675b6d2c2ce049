#pragma once

#include "core/kernel/inspect/filter/lock_filter.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::inspect {

/// The values that a text field has at the moment, such as the formats of the locks that are shown;
/// in any order.
using KnownTexts = std::function<std::vector<std::string>(std::string_view field)>;

/// What the word that is being typed may become, the whole word each: the names of fields with
/// their colon for `fl`, and for `flag:no` the values that there are. Empty where nothing is known,
/// and where the word is complete.
std::vector<std::string> filterCompletions(std::string_view word, FilterFields fields,
                                           const KnownTexts& texts);

/// Where the word begins that a cursor behind `text` is in, behind the minus that may negate it.
std::size_t wordBegin(std::string_view text);

/// A value, as escaped() shows it, as it is written into a filter: in quotes where it would mean
/// something else without.
std::string filterValue(std::string_view text);

} // namespace lockscope::inspect
