#include "tests/live/cli_process.h"

#include <QFile>
#include <QTest>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

namespace lockscope::testing {

namespace {

/// Slow machines, sanitizers: only a program that hangs reaches it.
constexpr int kPatienceMs = 60'000;

} // namespace

CliProcess::CliProcess()
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("XDG_DATA_HOME"), m_home.path());
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), m_home.path());
    environment.remove(QStringLiteral("LOCKSCOPE_PASSWORD"));
    m_process.setProcessEnvironment(environment);
    m_process.setProgram(QStringLiteral(LOCKSCOPE_CLI_PROGRAM));
}

CliProcess::~CliProcess()
{
    if (m_process.state() != QProcess::NotRunning) {
        m_process.kill();
        m_process.waitForFinished();
    }
}

void CliProcess::setVariable(const char* name, const QString& value)
{
    QProcessEnvironment environment = m_process.processEnvironment();
    environment.insert(QString::fromLatin1(name), value);
    m_process.setProcessEnvironment(environment);
}

QString CliProcess::auditFile() const
{
    return m_home.filePath(QStringLiteral("lockscope/audit.jsonl"));
}

QList<Json> CliProcess::auditLines() const
{
    QFile file(auditFile());
    QList<Json> lines;
    if (file.open(QIODevice::ReadOnly)) {
        for (QByteArray line = file.readLine(); !line.isEmpty(); line = file.readLine()) {
            lines.append(Json::parse(line.toStdString()));
        }
    }
    return lines;
}

void CliProcess::start(const QStringList& arguments)
{
    m_output.clear();
    m_diagnostics.clear();
    m_process.setArguments(arguments);
    m_process.start();
}

CliResult CliProcess::waitForEnd()
{
    const bool hasEnded =
        QTest::qWaitFor([this] { return m_process.state() == QProcess::NotRunning; }, kPatienceMs);
    CliResult result;
    if (!hasEnded) {
        m_process.kill();
        m_process.waitForFinished();
    } else if (m_process.exitStatus() == QProcess::NormalExit) {
        result.exitCode = m_process.exitCode();
    }
    result.output = m_output + m_process.readAllStandardOutput();
    result.diagnostics = m_diagnostics + m_process.readAllStandardError();
    return result;
}

QList<Json> CliProcess::lines()
{
    m_output += m_process.readAllStandardOutput();
    QList<Json> objects;
    const QByteArray complete = m_output.left(m_output.lastIndexOf('\n') + 1);
    for (const QByteArray& line : complete.split('\n')) {
        if (!line.isEmpty()) {
            objects.append(Json::parse(line.toStdString()));
        }
    }
    return objects;
}

QByteArray CliProcess::diagnostics()
{
    m_diagnostics += m_process.readAllStandardError();
    return m_diagnostics;
}

void CliProcess::interrupt()
{
    // Of a process that has ended the number is 0, which would mean all of ours.
    if (m_process.processId() > 0) {
        ::kill(static_cast<pid_t>(m_process.processId()), SIGINT);
    }
}

OutputPipe::OutputPipe()
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        qFatal("there is no pipe left");
    }
    m_reader = ends[0];
    m_writer = ends[1];
    ::fcntl(m_reader, F_SETFL, O_NONBLOCK);
}

OutputPipe::~OutputPipe()
{
    closeReader();
    ::close(m_writer);
}

void OutputPipe::attachTo(QProcess& process)
{
    process.setChildProcessModifier([writer = m_writer] { ::dup2(writer, STDOUT_FILENO); });
}

QByteArray OutputPipe::content()
{
    std::array<char, 4096> buffer;
    for (ssize_t count = 1; count > 0;) {
        count = ::read(m_reader, buffer.data(), buffer.size());
        m_content.append(buffer.data(), std::max<ssize_t>(count, 0));
    }
    return m_content;
}

bool OutputPipe::isFull() const
{
    pollfd writer{m_writer, POLLOUT, 0};
    return ::poll(&writer, 1, 0) == 0;
}

void OutputPipe::closeReader()
{
    if (m_reader >= 0) {
        ::close(std::exchange(m_reader, -1));
    }
}

QStringList words(const char* text)
{
    return QString::fromUtf8(text).split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

QStringList urlOption(const store::Endpoint& endpoint)
{
    return {QStringLiteral("--url"), QString::fromStdString(store::toUrl(endpoint))};
}

} // namespace lockscope::testing
