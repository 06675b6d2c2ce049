#include "audit_file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

namespace lockscope::wire {

std::string AuditFile::append(const std::string& jsonLine)
{
    if (!QDir().mkpath(QFileInfo(m_path).absolutePath())) {
        return "the folder " + QFileInfo(m_path).absolutePath().toStdString() + " cannot be made";
    }
    QFile file(m_path);
    if (!file.open(QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered,
                   QFile::ReadOwner | QFile::WriteOwner)) {
        return file.errorString().toStdString();
    }
    const std::string line = jsonLine + '\n';
    if (file.write(line.data(), static_cast<qint64>(line.size()))
        != static_cast<qint64>(line.size())) {
        return file.errorString().toStdString();
    }
    return {};
}

QString AuditFile::defaultPath()
{
    const QString data = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation);
    return data + QStringLiteral("/lockscope/audit.jsonl");
}

} // namespace lockscope::wire
