#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/base/clock.h"
#include "core/kernel/inspect/release_plan.h"
#include "core/kernel/store/server_info.h"
#include "core/kernel/store/store.h"

#include <cstdint>

namespace lockscope::operations {

/// Carries out on its master what was planned on a replica, whose connection guards the keys
/// (WATCH).
///
/// The guard of a replica says that nobody has written to the keys, as far as the replica knows. So
/// the master guards them, too, from now on; then the replica is waited for until it has carried
/// out all that the master had written before. If its guard has noticed no write by then, nobody
/// has written to the keys since they were looked at. The guard of the replica is used up.
///
/// Refused where that cannot be found out within two seconds. All three outlive the task.
async::Task<inspect::ReleaseReport> executeOnMaster(store::Store& replica, store::Store& master,
                                                    Clock& clock, std::uint16_t server,
                                                    inspect::ReleasePlan plan);

} // namespace lockscope::operations
