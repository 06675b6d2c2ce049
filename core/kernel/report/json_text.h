#pragma once

#include "report/lock_json.h"

#include <string>
#include <string_view>

// Texts and words of reports about locks.
namespace lockscope::report {

/// In escaped() form; null for an empty one.
Json textOrNull(std::string_view text);

/// For sentences that people wrote: line breaks may stay, what is no text may not.
std::string readable(std::string_view text);

/// "release", "cap-ttl"
std::string_view idOf(inspect::ReleaseAction action);

} // namespace lockscope::report
