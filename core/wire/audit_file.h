#pragma once

#include "audit_log.h"

#include <QString>

namespace lockscope::wire {

/// An audit log in a file that only grows: opened for appending, one write per line, so that
/// several programs may share it. Its folder is made when it is missing; only the owner may read
/// it.
class AuditFile final : public service::AuditLog {
public:
    explicit AuditFile(QString path) : m_path(std::move(path)) {}

    std::string append(const std::string& jsonLine) override;

    const QString& path() const { return m_path; }

    /// "<data folder of the user>/lockscope/audit.jsonl"
    static QString defaultPath();

private:
    QString m_path;
};

} // namespace lockscope::wire
