#pragma once

#include "core/service/live_runner.h"

#include <string>
#include <string_view>

namespace lockscope::service {

/// The call of lockscope-cli that does the same run. What has its default is left out; passwords
/// are never in it. `protocolFile`: where a protocol of the user's own was read from; empty: the
/// protocol is built in.
std::string contendCall(const LiveRunOrder& order, std::string_view protocolFile = {});

} // namespace lockscope::service
