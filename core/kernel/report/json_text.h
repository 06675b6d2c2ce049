#pragma once

#include "core/kernel/report/lock_json.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Texts and words of reports about locks.
namespace lockscope::report {

/// In escaped() form; null for an empty one.
Json textOrNull(std::string_view text);

Json escapedAll(const std::vector<Bytes>& words);

template<class T>
Json valueOrNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

/// Not below 0; nullopt without an end.
std::optional<std::int64_t> remainingMs(const std::optional<Instant>& end, Instant now);

/// For sentences that people wrote: line breaks may stay, what is no text may not.
std::string readable(std::string_view text);

/// "release", "cap-ttl"
std::string_view idOf(inspect::ReleaseAction action);

} // namespace lockscope::report
