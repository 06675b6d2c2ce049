#pragma once

#include "core/kernel/workload/live_run.h"

#include <string>
#include <string_view>

namespace lockscope::report {

/// The call of lockscope-cli that does the same run. What has its default is left out; passwords
/// are never in it. `protocolFile`: where a protocol of the user's own was read from; empty: the
/// protocol is built in.
std::string contendCall(const workload::LiveRunOrder& order, std::string_view protocolFile = {});

} // namespace lockscope::report
