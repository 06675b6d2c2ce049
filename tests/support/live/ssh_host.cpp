#include "tests/support/live/ssh_host.h"

#include "tests/support/live/free_ports.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QStandardPaths>

#include <sys/prctl.h>
#include <sys/types.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>

namespace lockscope::testing {

using namespace Qt::StringLiterals;

namespace {

constexpr int kPatienceMs = 20'000;

QString daemonProgram()
{
    return QStandardPaths::findExecutable(u"sshd"_s, {u"/usr/sbin"_s, u"/usr/local/sbin"_s});
}

/// Nothing of the machine's own configuration counts.
constexpr const char* kDaemonSettings = R"(
Port %1
ListenAddress 127.0.0.1
HostKey %2/host
AuthorizedKeysFile %2/user.pub
PidFile none
UsePAM no
StrictModes no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
LogLevel VERBOSE
)";

constexpr const char* kClientSettings = R"(
Host inner
    ProxyJump bastion
Host stranger
    UserKnownHostsFile /dev/null
Host nobody
    IdentityFile %2/other
Host bastion inner stranger nobody
    HostName 127.0.0.1
    Port %1
    HostKeyAlias bastion
Host * !nobody
    IdentityFile %2/user
Host *
    IdentitiesOnly yes
    IdentityAgent none
    UserKnownHostsFile %2/known_hosts
    GlobalKnownHostsFile /dev/null
    StrictHostKeyChecking yes
)";

/// Each connection is a child that leads a session of its own, and has children in turn.
void killWithChildren(qint64 pid)
{
    QFile children(u"/proc/%1/task/%1/children"_s.arg(pid));
    const QByteArray pids = children.open(QIODevice::ReadOnly) ? children.readAll() : QByteArray();
    ::kill(static_cast<pid_t>(pid), SIGKILL);
    for (const QByteArray& child : pids.split(' ')) {
        if (const qint64 number = child.toLongLong(); number > 0) {
            killWithChildren(number);
        }
    }
}

QByteArray filled(const char* settings, std::uint16_t port, const QString& folder)
{
    return QString::fromLatin1(settings).arg(port).arg(folder).toUtf8();
}

} // namespace

bool SshHost::canBeStarted()
{
    return !daemonProgram().isEmpty() && !QStandardPaths::findExecutable(u"ssh"_s).isEmpty()
           && !QStandardPaths::findExecutable(u"ssh-keygen"_s).isEmpty();
}

SshHost::SshHost() : m_formerPath(qgetenv("PATH")), m_port(freePort())
{
    for (const QString& name : {u"host"_s, u"user"_s, u"other"_s}) {
        makeKey(name);
    }
    writeConfiguration();
    start();
    qputenv("PATH", path(u"bin"_s).toUtf8() + ':' + m_formerPath);
}

SshHost::~SshHost()
{
    qputenv("PATH", m_formerPath);
    kill();
}

void SshHost::makeKey(const QString& name) const
{
    const int status = QProcess::execute(u"ssh-keygen"_s, {u"-q"_s, u"-t"_s, u"ed25519"_s, u"-N"_s,
                                                           QString(), u"-f"_s, path(name)});
    if (status != 0) {
        throw std::runtime_error("ssh-keygen failed");
    }
}

void SshHost::writeConfiguration() const
{
    write(u"sshd_config"_s, filled(kDaemonSettings, m_port, m_folder.path()));
    write(u"ssh_config"_s, filled(kClientSettings, m_port, m_folder.path()));
    write(u"known_hosts"_s, "bastion " + read(u"host.pub"_s));
    QDir(m_folder.path()).mkdir(u"bin"_s);
    const QString ssh = QStandardPaths::findExecutable(u"ssh"_s);
    write(u"bin/ssh"_s,
          u"#!/bin/sh\nexec %1 -F %2 \"$@\"\n"_s.arg(ssh, path(u"ssh_config"_s)).toUtf8());
    QFile::setPermissions(path(u"bin/ssh"_s),
                          QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

void SshHost::start()
{
    if (::geteuid() == 0) {
        QDir().mkpath(u"/run/sshd"_s); // sshd of root wants it, and it is gone after a boot
    }
    m_log.clear();
    m_daemon.setProcessChannelMode(QProcess::MergedChannels);
    m_daemon.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
    m_daemon.start(daemonProgram(), {u"-D"_s, u"-e"_s, u"-f"_s, path(u"sshd_config"_s)});
    QElapsedTimer timer;
    timer.start();
    while (!m_log.contains("Server listening")) {
        if (timer.elapsed() > kPatienceMs || m_daemon.state() == QProcess::NotRunning
            || !(m_daemon.bytesAvailable() > 0 || m_daemon.waitForReadyRead(kPatienceMs))) {
            throw std::runtime_error("sshd does not start: " + m_log.toStdString());
        }
        m_log += m_daemon.readAll();
    }
}

void SshHost::kill()
{
    if (m_daemon.state() != QProcess::NotRunning) {
        killWithChildren(m_daemon.processId());
        m_daemon.waitForFinished(kPatienceMs);
    }
}

int SshHost::loginCount()
{
    m_daemon.waitForReadyRead(0);
    m_log += m_daemon.readAll();
    return static_cast<int>(m_log.count("Accepted publickey"));
}

void SshHost::write(const QString& file, const QByteArray& content) const
{
    QFile target(path(file));
    if (!target.open(QIODevice::WriteOnly) || target.write(content) != content.size()) {
        throw std::runtime_error("cannot write " + path(file).toStdString());
    }
}

QByteArray SshHost::read(const QString& file) const
{
    QFile source(path(file));
    return source.open(QIODevice::ReadOnly) ? source.readAll() : QByteArray();
}

} // namespace lockscope::testing
