#pragma once

#include "core/kernel/base/bytes.h"

namespace lockscope::workload {

/// A key of a run that is still there when the run is over.
struct Leftover {
    Bytes key;
    bool hasExpiry = false; // the server will remove it
};

} // namespace lockscope::workload
