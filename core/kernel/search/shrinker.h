#pragma once

#include "core/kernel/search/explorer.h"

namespace lockscope::search {

/// A run in which something broke, with the plan in which it did.
struct Counterexample {
    world::WorldPlan plan;
    Finding finding;
};

/// The same violation with as few clients, acts and faults as possible, by the shortest run that
/// there is for what is left of the plan. `bounds` are for every search on the way; the result is
/// never worse than `example`, also when `goOn` ended it early.
Counterexample shrink(const protocol::LockProtocol& protocol, Counterexample example,
                      sim::LuaEngine& lua, const Bounds& bounds = {}, const GoOn& goOn = {});

/// The same violation with as few clients, acts and faults as its own run can do without: what is
/// left of it is run again in each smaller plan, and on to the end with what comes first. Takes
/// some dozens of runs and no search, so that every violation of a matrix can be stripped. What
/// shows in the middle of a run that is the shortest of its plan seldom gets shorter; what shows
/// at the end only, as a lock that stays locked, loses everything that went on beside it.
Counterexample strip(const protocol::LockProtocol& protocol, Counterexample example,
                     sim::LuaEngine& lua);

} // namespace lockscope::search
