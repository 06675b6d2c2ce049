#include "tests/live/foreign/locker.h"

#include "tests/support/source_tree.h"

#include <QFileInfo>
#include <QStandardPaths>
#include <QStringList>
#include <QTest>

#include <stdexcept>

namespace lockscope::testing {

namespace {

constexpr int kStartTimeOutMs = 60'000;
constexpr int kAnswerTimeOutMs = 30'000;

struct CommandLine {
    QString program;
    QStringList arguments;
};

QString source(const char* file)
{
    return inSourceTree(QStringLiteral("tests/live/") + QLatin1String(file));
}

CommandLine redlock(const char* module)
{
    return {QStringLiteral("node"), {source("node/hold_redlock.js"), QLatin1String(module)}};
}

/// Without the slow compiler of the JVM: it starts sooner, and nothing here is worth compiling
/// well.
CommandLine redisson(const char* kind)
{
    return {QStringLiteral("java"),
            {QStringLiteral("-XX:TieredStopAtLevel=1"), QStringLiteral("-cp"),
             QStringLiteral(LOCKSCOPE_JAVA_CLIENTS "/jars/*:" LOCKSCOPE_JAVA_CLIENTS "/classes"),
             QStringLiteral("HoldRedisson"), QLatin1String(kind)}};
}

CommandLine commandLineOf(ForeignLibrary library)
{
    switch (library) {
    case ForeignLibrary::RedisPy:
        // The system's Python, because the module is the system's: Debian's python3-redis.
        return {QStringLiteral("/usr/bin/python3"), {source("foreign/hold_redis_py.py")}};
    case ForeignLibrary::Redlock4: return redlock("redlock4");
    case ForeignLibrary::Redlock5: return redlock("redlock5");
    case ForeignLibrary::RedissonLock: return redisson("lock");
    case ForeignLibrary::RedissonFair: return redisson("fair");
    case ForeignLibrary::RedissonWrite: return redisson("write");
    }
    throw std::logic_error("no such library");
}

bool isProgram(const char* name)
{
    return !QStandardPaths::findExecutable(QLatin1String(name)).isEmpty();
}

} // namespace

bool ForeignLocker::isInstalled(ForeignLibrary library)
{
    switch (library) {
    case ForeignLibrary::RedisPy:
        return QProcess::execute(QStringLiteral("/usr/bin/python3"),
                                 {QStringLiteral("-c"), QStringLiteral("import redis")})
               == 0;
    case ForeignLibrary::Redlock4:
    case ForeignLibrary::Redlock5:
        return isProgram("node")
               && QFileInfo::exists(QStringLiteral(LOCKSCOPE_NODE_CLIENTS "/installed.sha256"));
    default:
        return isProgram("java")
               && QFileInfo::exists(QStringLiteral(LOCKSCOPE_JAVA_CLIENTS "/installed.sha256"));
    }
}

ForeignLocker::ForeignLocker(ForeignLibrary library, const std::vector<store::Endpoint>& servers)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("NODE_PATH"),
                       QStringLiteral(LOCKSCOPE_NODE_CLIENTS "/node_modules"));
    m_process.setProcessEnvironment(environment);
    CommandLine command = commandLineOf(library);
    for (const store::Endpoint& server : servers) {
        command.arguments.append(QStringLiteral("127.0.0.1:%1").arg(server.port));
    }
    m_process.start(command.program, command.arguments);
    if (nextLine(kStartTimeOutMs) != "ready") {
        throw std::runtime_error("the foreign program is not ready: "
                                 + m_process.readAllStandardError().toStdString());
    }
}

ForeignLocker::~ForeignLocker()
{
    kill();
}

void ForeignLocker::tell(const QByteArray& order)
{
    m_process.write(order + '\n');
}

QByteArray ForeignLocker::answer()
{
    return nextLine(kAnswerTimeOutMs);
}

QByteArray ForeignLocker::lock(const QByteArray& key, std::chrono::milliseconds lease,
                               std::chrono::milliseconds waitLimit)
{
    return "lock " + key + ' ' + QByteArray::number(static_cast<qint64>(lease.count())) + ' '
           + QByteArray::number(static_cast<qint64>(waitLimit.count()));
}

QByteArray ForeignLocker::unlock(const QByteArray& key)
{
    return "unlock " + key;
}

void ForeignLocker::kill()
{
    m_process.kill();
    m_process.waitForFinished();
}

QByteArray ForeignLocker::nextLine(int timeoutMs)
{
    const auto isOver = [this] {
        return m_process.canReadLine() || m_process.state() == QProcess::NotRunning;
    };
    if (!QTest::qWaitFor(isOver, timeoutMs) || !m_process.canReadLine()) {
        throw std::runtime_error("the foreign program says nothing: "
                                 + m_process.readAllStandardError().toStdString());
    }
    return m_process.readLine().trimmed();
}

} // namespace lockscope::testing
