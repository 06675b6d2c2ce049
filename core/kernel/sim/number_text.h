#pragma once

#include "core/kernel/base/bytes.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace lockscope::sim {

/// Numbers as Redis reads them from arguments and values, and as it writes them into replies.

/// A whole number in its one accepted spelling: no blanks, no plus, no leading zeros.
std::optional<std::int64_t> parseInteger(std::string_view text);

/// A decimal or hexadecimal floating-point number, or "inf", in any case; never NaN. Leading
/// blanks are refused, as Redis does.
std::optional<double> parseScore(std::string_view text);

/// The same, except that leading blanks and the empty text (0) pass: the ends of a range of scores
/// go straight through strtod().
std::optional<double> parseScoreBound(std::string_view text);

/// A floating-point number in the arguments and values of INCRBYFLOAT, which is longer than a
/// score. "inf" is one, NaN is none.
std::optional<long double> parseLongDouble(std::string_view text);

/// A number of seconds, as BLPOP takes it.
std::optional<long double> parseSeconds(std::string_view text);

/// 17 significant digits, no more than needed of them ("%.17g"); "inf", "-inf".
Bytes formatScore(double score);

/// 17 digits behind the point, no more than needed of them, and never an exponent.
Bytes formatLongDouble(long double number);

/// A number of a script as the argument of a command: like formatScore(), except for the
/// spelling of infinities and NaN, which is the C library's.
Bytes formatScriptNumber(double number);

} // namespace lockscope::sim
