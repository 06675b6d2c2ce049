#pragma once

#include "core/operations/audit_log.h"

#include <QString>

#include <optional>
#include <string>
#include <string_view>

namespace lockscope::wire {

/// An audit log in a file that only grows. Several programs may share it: each line is written
/// under a lock on the file and has reached the disk when append() returns. Its folder is made when
/// it is missing, and only its owner may read it: wider permissions are taken away, and what is no
/// regular file (a symbolic link, a device) is refused. A line that could only be written in part
/// is taken back; where that was not possible, the next one begins behind a line end. Each line
/// gets its link in the chain of the file (report/audit_chain.h).
class AuditFile final : public operations::AuditLog {
public:
    explicit AuditFile(QString path) : m_path(std::move(path)) {}

    std::string append(const std::string& jsonLine) override;

    const QString& path() const { return m_path; }

    /// All of it, between the writes of others; nullopt, and why, if it cannot be read.
    std::optional<std::string> read(std::string& failure) const;

    /// In hexadecimal digits.
    static std::string sha256(std::string_view bytes);

    /// "<data folder of the user>/lockscope/audit.jsonl"
    static QString defaultPath();

private:
    QString m_path;
};

} // namespace lockscope::wire
