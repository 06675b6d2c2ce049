#pragma once

#include "core/kernel/report/audit_json.h"

#include <string>

namespace lockscope::wire {

/// Who runs this process, and where. `program` with its version: "lockscope-cli 0.1.0".
report::AuditAuthor authorOfProcess(std::string program);

} // namespace lockscope::wire
