#pragma once

#include "live_runner.h"

#include <QString>

namespace lockscope::models {

/// The call of lockscope-cli that does the same run. What has its default is left out; passwords
/// are never in it. `protocolFile`: where a protocol of the user's own was read from.
QString contendCommand(const service::LiveRunOrder& order, const QString& protocolFile = {});

} // namespace lockscope::models
