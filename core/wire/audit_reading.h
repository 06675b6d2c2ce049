#pragma once

#include "core/service/audit_reader.h"

namespace lockscope::wire {

/// Reads an audit file and verifies its lines. On any thread.
service::AuditReading readAudit(const QString& path);

} // namespace lockscope::wire
