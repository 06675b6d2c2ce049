#pragma once

#include <string>

namespace lockscope::service {

/// Where attempts to change something are written down, one JSON object per line. Called on the
/// thread that makes the attempts.
class AuditLog {
public:
    virtual ~AuditLog() = default;

    /// Appends a line and makes sure that it has left this process. Empty when that worked,
    /// otherwise why not.
    virtual std::string append(const std::string& jsonLine) = 0;
};

} // namespace lockscope::service
