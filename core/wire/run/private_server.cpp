#include "core/wire/run/private_server.h"

#include <QDeadlineTimer>
#include <QFile>
#include <QHostAddress>
#include <QTcpServer>

#include <sys/prctl.h>
#include <sys/types.h>
#include <unistd.h>

#include <csignal>

namespace lockscope::wire {

namespace {

constexpr int kStopTimeoutMs = 3000;
/// Of "Ready to accept connections tcp" and of "The server is now ready to accept connections at".
constexpr auto kReadyWords = "eady to accept connections";

/// A port that was free a moment ago. Another process may take it first; then the server says so
/// and fails.
quint16 freeLoopbackPort()
{
    QTcpServer probe;
    probe.listen(QHostAddress::LocalHost, 0);
    return probe.serverPort();
}

} // namespace

PrivateServer::PrivateServer(Listen listen, QObject* parent)
    : QObject(parent),
      m_listen(listen),
      m_process(this)
{
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    m_process.setChildProcessModifier([] {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        ::setpgid(0, 0); // Ctrl+C in the terminal is not for it
    });
    connect(&m_process, &QProcess::readyRead, this, &PrivateServer::readOutput);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            Q_EMIT failed(tr("redis-server could not be started: %1").arg(m_process.errorString()));
        }
    });
    connect(&m_process, &QProcess::finished, this, [this] {
        if (!m_isReady) {
            Q_EMIT failed(tr("redis-server exited immediately: %1")
                              .arg(QString::fromUtf8(m_output.right(500))));
        }
        m_isReady = false;
    });
}

PrivateServer::~PrivateServer()
{
    m_process.disconnect(this);
    kill();
}

void PrivateServer::start(const QStringList& extraArguments)
{
    m_isReady = false;
    m_output.clear();
    QStringList arguments = {QStringLiteral("--save"),       QString(),
                             QStringLiteral("--appendonly"), QStringLiteral("no"),
                             QStringLiteral("--dir"),        directory()};
    if (m_listen == Listen::UnixSocket) {
        arguments << QStringLiteral("--port") << QStringLiteral("0")
                  << QStringLiteral("--unixsocket") << socketPath();
    } else {
        m_port = m_port != 0 ? m_port : freeLoopbackPort();
        arguments << QStringLiteral("--port") << QString::number(m_port) << QStringLiteral("--bind")
                  << QStringLiteral("127.0.0.1");
    }
    m_process.start(QStringLiteral("redis-server"), arguments + extraArguments);
}

bool PrivateServer::waitUntilReady(int timeoutMs)
{
    const QDeadlineTimer deadline(timeoutMs);
    while (!m_isReady && !deadline.hasExpired()) {
        if (m_process.state() == QProcess::NotRunning) {
            return false;
        }
        m_process.waitForReadyRead(static_cast<int>(deadline.remainingTime()));
    }
    return m_isReady;
}

void PrivateServer::readOutput()
{
    const QByteArray output = m_process.readAll();
    if (m_isReady) {
        return; // only the beginning says something
    }
    m_output += output;
    if (m_output.contains(kReadyWords)) {
        m_isReady = true;
        Q_EMIT ready();
    }
}

QString PrivateServer::directory() const
{
    return QFile::decodeName(m_directory.path().c_str());
}

QString PrivateServer::socketPath() const
{
    return QFile::decodeName(m_directory.filePath("redis.sock").c_str());
}

store::Endpoint PrivateServer::endpoint() const
{
    store::Endpoint endpoint;
    if (m_listen == Listen::UnixSocket) {
        endpoint.transport = store::Endpoint::Transport::UnixSocket;
        endpoint.socketPath = socketPath().toStdString();
    } else {
        endpoint.host = "127.0.0.1";
        endpoint.port = m_port;
    }
    return endpoint;
}

void PrivateServer::freeze()
{
    ::kill(static_cast<pid_t>(m_process.processId()), SIGSTOP);
}

void PrivateServer::thaw()
{
    ::kill(static_cast<pid_t>(m_process.processId()), SIGCONT);
}

void PrivateServer::kill()
{
    if (m_process.state() == QProcess::NotRunning) {
        return;
    }
    m_process.kill();
    m_process.waitForFinished(kStopTimeoutMs);
}

} // namespace lockscope::wire
