#pragma once

#include "core/kernel/store/channels.h"
#include "core/kernel/store/store.h"

namespace lockscope::store {

/// One Redis server as a client that takes locks uses it. What is referred to outlives this.
struct Node {
    Store& commands; // answered at once
    Store& blocking; // for commands that the server may answer late (BLPOP): nothing else queues
                     // behind them here
    Channels& channels;
};

} // namespace lockscope::store
