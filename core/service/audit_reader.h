#pragma once

#include "core/kernel/report/audit_trail.h"

#include <QString>

#include <functional>

namespace lockscope::service {

/// What the audit file tells.
struct AuditReading {
    QString file;           // its path
    QString problem;        // why it could not be read; empty: it was
    bool isMissing = false; // nothing was ever written there
    report::AuditTrail trail;
};

/// Reads the audit file. May be called on any thread, and takes a while for a large file.
using AuditReader = std::function<AuditReading()>;

} // namespace lockscope::service
