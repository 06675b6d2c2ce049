#pragma once

#include "core/kernel/base/time.h"
#include "core/kernel/sim/keyspace.h"
#include "core/kernel/world/server_clock.h"

#include <vector>

namespace lockscope::world {

/// Adds the instants at which what a protocol reads in these data may change by itself: expiries of
/// keys, and numbers in values, fields and scores that may be times of the calendar, in seconds,
/// milliseconds or microseconds. More than there are do no harm. `clock` is the server's.
void addInstantsIn(const sim::Keyspace& keys, const ServerClock& clock,
                   std::vector<Instant>& instants);

} // namespace lockscope::world
