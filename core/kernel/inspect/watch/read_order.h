#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/time.h"
#include "core/kernel/inspect/observation.h"

#include <deque>
#include <unordered_map>
#include <utility>

namespace lockscope::inspect {

/// Which keys were looked at last, and when. Looks run side by side, and a large one is put
/// together from several answers: what it read first may be outdated by a look that began later and
/// is already known. A key that is gone counts as well.
class ReadOrder {
public:
    /// This is the newest that is known of its keys.
    void note(const LockSnapshot& snapshot);

    /// One of its keys was looked at later, and that is known.
    bool isOutdated(const LockSnapshot& snapshot) const;

private:
    std::unordered_map<Bytes, Instant> m_readAt;
    std::deque<std::pair<Instant, Bytes>> m_order; // as they were noted
};

} // namespace lockscope::inspect
