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

} // namespace lockscope::search
