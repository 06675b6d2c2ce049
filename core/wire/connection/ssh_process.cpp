#include "core/wire/connection/ssh_process.h"

#include <QRegularExpression>

#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>

namespace lockscope::wire {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using store::Problem;

namespace {

constexpr auto kLastWordsPatience = 1s;
constexpr int kKillPatienceMs = 1000;
constexpr qsizetype kLongestWords = 400;

/// "-p 22 user@host" of "user@host:22". An IPv6 address is in brackets where a port follows.
QStringList destination(const QString& sshHost)
{
    static const QRegularExpression kPattern(uR"(^(.*@)?(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$)"_s);
    const QRegularExpressionMatch match = kPattern.match(sshHost);
    if (!match.hasMatch()) {
        return {u"--"_s, sshHost}; // an IPv6 address alone
    }
    QStringList arguments;
    if (match.hasCaptured(4)) {
        arguments << u"-p"_s << match.captured(4);
    }
    return arguments << u"--"_s << match.captured(1) + match.captured(2) + match.captured(3);
}

/// These will not change until somebody does something.
bool isRefusal(const QString& words)
{
    constexpr std::array kSigns{"Permission denied"_L1, "Host key verification failed"_L1,
                                "Too many authentication failures"_L1};
    return std::ranges::any_of(kSigns,
                               [&words](QLatin1StringView sign) { return words.contains(sign); });
}

} // namespace

QStringList sshArguments(const store::Endpoint& endpoint)
{
    // Less than we wait for the first reply, so that ssh says what took so long.
    const auto patience = std::chrono::floor<std::chrono::seconds>(endpoint.connectTimeout) - 1s;
    const std::string server = store::hostPortText({endpoint.host, endpoint.port});
    return QStringList{u"-T"_s,
                       u"-o"_s,
                       u"BatchMode=yes"_s,
                       u"-o"_s,
                       u"ConnectTimeout=%1"_s.arg(std::max(patience, 1s).count()),
                       u"-W"_s,
                       QString::fromStdString(server)}
           + destination(QString::fromStdString(endpoint.sshHost));
}

Problem problemOfSsh(const QString& words)
{
    QStringList lines = words.split(u'\n', Qt::SkipEmptyParts);
    lines.removeIf([](const QString& line) { // comes with every login; is no reason
        return line.startsWith("Warning: Permanently added"_L1);
    });
    std::ranges::for_each(lines, [](QString& line) { line = line.trimmed(); });
    const QString said = lines.join(u"; "_s).right(kLongestWords);
    if (said.isEmpty()) {
        return {};
    }
    return {isRefusal(said) ? Problem::Kind::SshRefused : Problem::Kind::SshFailed,
            said.toStdString(),
            {},
            {}};
}

SshProcess::SshProcess(const store::Endpoint& endpoint, QObject* parent)
    : QObject(parent),
      m_process(this),
      m_patience(this)
{
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this, &SshProcess::conclude);
    connect(&m_process, &QProcess::finished, this, &SshProcess::conclude);
    connect(&m_process, &QProcess::errorOccurred, this, &SshProcess::conclude);
    std::array<int, 2> ends{-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        return;
    }
    m_ours = ends[0];
    start(endpoint, ends[1]);
    ::close(ends[1]); // ssh has its own
}

SshProcess::~SshProcess()
{
    m_process.disconnect(this);
    if (m_process.state() != QProcess::NotRunning) {
        m_process.kill(); // it has no state that could suffer
        m_process.waitForFinished(kKillPatienceMs);
    }
    if (m_ours >= 0) {
        ::close(m_ours);
    }
}

void SshProcess::start(const store::Endpoint& endpoint, int theirs)
{
    m_process.setChildProcessModifier([theirs] {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        ::setpgid(0, 0); // Ctrl+C in the terminal is not for it; it never asks there (BatchMode)
        ::dup2(theirs, STDIN_FILENO);
        ::dup2(theirs, STDOUT_FILENO);
    });
    m_process.setProcessChannelMode(QProcess::SeparateChannels);
    m_process.start(u"ssh"_s, sshArguments(endpoint));
}

void SshProcess::explainEnd()
{
    m_isAsked = true;
    if (m_process.state() == QProcess::NotRunning) {
        // Queued: the caller may not be ready to hear of it yet.
        QMetaObject::invokeMethod(this, &SshProcess::conclude, Qt::QueuedConnection);
    } else {
        m_patience.start(kLastWordsPatience);
    }
}

void SshProcess::conclude()
{
    if (!m_isAsked) {
        return;
    }
    m_isAsked = false;
    m_patience.stop();
    const bool wasStarted = m_process.error() != QProcess::FailedToStart;
    Q_EMIT explained(problemOfSsh(wasStarted ? QString::fromUtf8(m_process.readAllStandardError())
                                             : m_process.errorString()));
}

} // namespace lockscope::wire
