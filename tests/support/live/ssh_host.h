#pragma once

#include <QByteArray>
#include <QProcess>
#include <QTemporaryDir>

#include <cstdint>
#include <string>

namespace lockscope::testing {

/// A machine that is reached by ssh: an sshd of our own on a loopback port, with keys of its own.
/// While it exists, the "ssh" of this program is the system's with a configuration of ours, which
/// knows the machine as "bastion", as "inner" behind it, and as "stranger" and "nobody": one whose
/// key is not known, and one that lets us not in. Stopped by its process id.
class SshHost {
public:
    /// Whether this machine has what is needed.
    static bool canBeStarted();

    /// Throws std::runtime_error when it does not start.
    SshHost();
    ~SshHost();
    SshHost(const SshHost&) = delete;
    SshHost& operator=(const SshHost&) = delete;

    /// kill -9, with the connections that lead through it.
    void kill();
    /// At the same place, with the same key.
    void start();
    /// How many logins it has granted.
    int loginCount();
    std::uint16_t port() const { return m_port; }

private:
    void makeKey(const QString& name) const;
    void writeConfiguration() const;
    void write(const QString& file, const QByteArray& content) const;
    QByteArray read(const QString& file) const;
    QString path(const QString& file) const { return m_folder.filePath(file); }

    QTemporaryDir m_folder;
    QByteArray m_formerPath;
    std::uint16_t m_port = 0;
    QProcess m_daemon;
    QByteArray m_log;
};

} // namespace lockscope::testing
