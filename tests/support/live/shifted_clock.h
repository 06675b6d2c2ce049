#pragma once

#include "core/kernel/base/time.h"

namespace lockscope::testing {

/// Programs that are started while this lives have a calendar clock that is ahead of the machine's
/// by so much, for as long as they run.
class ShiftedClock {
public:
    explicit ShiftedClock(Duration ahead);
    ~ShiftedClock();
    ShiftedClock(const ShiftedClock&) = delete;
    ShiftedClock& operator=(const ShiftedClock&) = delete;
};

} // namespace lockscope::testing
