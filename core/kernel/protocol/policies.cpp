#include "core/kernel/protocol/policies.h"

#include <algorithm>

namespace lockscope::protocol {

Duration Retry::pauseAfter(int tries, Rng& rng) const
{
    Duration pause = interval;
    if (kind == Kind::Exponential) {
        for (int i = 1; i < tries && pause < intervalMax; ++i) {
            pause *= 2;
        }
        pause = std::min(pause, intervalMax);
    }
    return jitter > Duration(0) ? pause + rng.between(Duration(0), jitter) : pause;
}

bool Retry::allowsTryAfter(int tries) const
{
    if (!triesMax) {
        return true;
    }
    return countsBeforeTrying ? tries + 1 < *triesMax : tries < *triesMax;
}

} // namespace lockscope::protocol
