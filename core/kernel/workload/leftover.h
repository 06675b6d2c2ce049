#pragma once

#include "core/kernel/base/bytes.h"

namespace lockscope::workload {

/// A key that is still there when a run is over, of a lock that a fresh contender was not granted
/// then, or of a semaphore that did not grant all its permits to fresh contenders.
struct Leftover {
    Bytes key;
    bool hasExpiry = false; // the server will remove it
};

} // namespace lockscope::workload
