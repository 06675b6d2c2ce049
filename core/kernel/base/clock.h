#pragma once

#include "core/kernel/async/pending.h"
#include "core/kernel/base/time.h"

namespace lockscope {

/// Time as an argument. Runs on one executor, like everything that awaits it.
class Clock {
public:
    virtual ~Clock() = default;

    virtual Instant now() const = 0;

    /// Completes with the instant of waking, at or after `when`. Dropping the Pending cancels the
    /// timer.
    virtual async::Pending<Instant> wakeAt(Instant when) = 0;

    /// Wall-clock time of this machine; only for stamps that people or foreign programs read.
    virtual WallTime wallNow() const = 0;
};

} // namespace lockscope
