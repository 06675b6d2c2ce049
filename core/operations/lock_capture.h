#pragma once

#include "core/operations/command_feed.h"
#include "core/operations/lock_inspector.h"
#include "core/operations/servers.h"

#include <variant>
#include <vector>

namespace lockscope::operations {

/// Who did what with a lock while it was listened to.
struct LockCapture {
    diagnosis::KeyCapture capture;
    diagnosis::CaptureEnd end;
    std::vector<inspect::ClientEntry> clients; // connected at the end; empty: they were not told
};

/// Looks at the lock, and listens to what is sent about its keys: by MONITOR, and only when this is
/// called. Not for a cluster. Servers and inspector outlive the task.
async::Task<std::variant<LockCapture, store::Problem>> captureLock(Servers& servers,
                                                                   LockInspector& inspector,
                                                                   inspect::LockId id,
                                                                   FeedLimits limits);

} // namespace lockscope::operations
