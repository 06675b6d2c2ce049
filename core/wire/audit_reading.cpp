#include "core/wire/audit_reading.h"

#include "core/wire/audit_file.h"

#include <QFile>

#include <utility>

namespace lockscope::wire {

service::AuditReading readAudit(const QString& path)
{
    service::AuditReading reading;
    reading.file = path;
    reading.isMissing = !QFile::exists(path);
    std::string failure;
    std::optional<std::string> text = AuditFile(path).read(failure);
    if (text) {
        reading.trail = report::readAuditTrail(std::move(*text), &AuditFile::sha256);
    } else {
        reading.problem = QString::fromStdString(failure);
    }
    return reading;
}

} // namespace lockscope::wire
