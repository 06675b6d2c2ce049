#pragma once

#include "base/bytes.h"

#include <cstddef>
#include <span>
#include <vector>

namespace lockscope::inspect {

/// What to ask `CLIENT TRACKING ON BCAST` for: at most `maxCount` prefixes, sorted, none a prefix
/// of another (Redis refuses overlapping ones). Together they begin every name in `lockNames`; they
/// are cut at the word for a lock or before the first number, so that the locks of tomorrow fit too
/// ("order:42:lock" → "order:"). Prefixes of known libraries fill the room that is left. Empty: no
/// prefixes narrower than "everything" would do.
std::vector<Bytes> trackingPrefixes(std::span<const Bytes> lockNames, std::size_t maxCount);

} // namespace lockscope::inspect
