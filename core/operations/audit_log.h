#pragma once

#include <string>

namespace lockscope::operations {

/// Where attempts to change something are written down, one JSON object per line. Called on the
/// thread that makes the attempts.
class AuditLog {
public:
    virtual ~AuditLog() = default;

    /// Appends a line. Empty when it will outlive this process and this machine's power; otherwise
    /// nothing of it was kept, and the sentence says why and where.
    virtual std::string append(const std::string& jsonLine) = 0;
};

} // namespace lockscope::operations
