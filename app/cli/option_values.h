#pragma once

#include "option_parser.h"
#include "workload/distribution.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

// Options that are more than words: numbers, shares, distributions. Each gives `fallback` when the
// option was not given, and says in one sentence what is wrong with what was.
namespace lockscope::cli {

/// A whole number within the limits.
std::variant<std::uint64_t, app::ArgumentError> numberOption(const app::Words& words,
                                                             std::string_view option,
                                                             std::uint64_t fallback,
                                                             std::uint64_t min, std::uint64_t max);

/// "5%" or "0.05": between 0 and 1.
std::variant<double, app::ArgumentError> shareOption(const app::Words& words,
                                                     std::string_view option, double fallback);

/// "10ms", "5ms..20ms", "~20ms"
std::variant<workload::Distribution, app::ArgumentError> distributionOption(
    const app::Words& words, std::string_view option, const workload::Distribution& fallback);

/// The name of a file; empty: not given. An empty name is refused.
std::variant<std::string, app::ArgumentError> fileOption(const app::Words& words,
                                                         std::string_view option);

/// The number of a share as it is typed; nullopt when it is none.
std::optional<double> parseShare(std::string_view text);

} // namespace lockscope::cli
