#pragma once

#include "core/service/lock_monitor.h"
#include "core/service/release_desk.h"

#include <functional>
#include <memory>

namespace lockscope::service {

/// What it takes to watch one server, or one Redlock set, and to release its locks. Those of
/// another server are others, so that nothing meant for one server can reach the other.
struct WatchServices {
    std::unique_ptr<LockMonitor> monitor;
    std::unique_ptr<ReleaseDesk> desk;
};

/// Makes the services for one more server. Called on the GUI thread.
using WatchServicesFactory = std::function<WatchServices()>;

} // namespace lockscope::service
