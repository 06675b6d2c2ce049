#pragma once

#include "core/kernel/base/bytes.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::inspect {

/// What to ask `CLIENT TRACKING ON BCAST` for: at most `maxCount` prefixes, sorted, none a prefix
/// of another (Redis refuses overlapping ones). Together they begin every name in `lockNames`; they
/// are cut at the word for a lock or before the first number, so that the locks of tomorrow fit too
/// ("order:42:lock" → "order:"). Prefixes of known libraries fill the room that is left. Empty: no
/// prefixes narrower than "everything" would do.
std::vector<Bytes> trackingPrefixes(std::span<const Bytes> lockNames, std::size_t maxCount);

/// What to ask `PSUBSCRIBE __keyspace@0__:…` for, as glob patterns of names: every name with "lock"
/// in it, whichever client takes it, what the user calls locks, and the beginnings of names in
/// `lockNames`, about `maxCount` in all. Empty: nothing narrower than "everything" would do.
std::vector<std::string> keyspacePatterns(std::span<const Bytes> lockNames,
                                          std::span<const std::string> userPatterns,
                                          std::size_t maxCount);

/// What every name begins with that such a glob pattern matches; empty when that may be anything.
Bytes literalBeginningOf(std::string_view globPattern);

} // namespace lockscope::inspect
