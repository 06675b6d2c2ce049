#include "tests/bench/rivals/rival.h"

#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>

namespace lockscope::bench {

namespace {

QString source(const char* file)
{
    return QStringLiteral(LOCKSCOPE_SOURCE_DIR "/tests/bench/rivals/") + QLatin1String(file);
}

/// Whether the program is there, and what the fixture of the live tests installs beside the build.
bool isInstalled(const QString& program, const QString& stamp)
{
    return !QStandardPaths::findExecutable(program).isEmpty() && QFileInfo::exists(stamp);
}

Rival redisPy()
{
    // The system's Python, because the module is the system's: Debian's python3-redis.
    const QString python = QStringLiteral("/usr/bin/python3");
    const QStringList import = {QStringLiteral("-c"), QStringLiteral("import redis")};
    return {QStringLiteral("redis-py's Lock, threads"),
            python,
            {source("redis_py_pairs.py")},
            QProcess::execute(python, import) == 0};
}

Rival redlock(int version, int connectionCount)
{
    const QString node = QStringLiteral("node");
    const QString sharing = connectionCount == 1 ? QStringLiteral("one connection")
                                                 : QStringLiteral("a connection each");
    return {QStringLiteral("npm redlock %1, %2").arg(QString::number(version), sharing),
            node,
            {source("redlock_pairs.js"), QStringLiteral("redlock%1").arg(version),
             QString::number(connectionCount)},
            isInstalled(node, QStringLiteral(LOCKSCOPE_NODE_CLIENTS "/installed.sha256"))};
}

Rival redisson()
{
    const QString java = QStringLiteral("java");
    return {QStringLiteral("Redisson's lock, threads"),
            java,
            {QStringLiteral("-cp"), QStringLiteral(LOCKSCOPE_JAVA_CLIENTS "/jars/*"),
             source("RedissonPairs.java")},
            isInstalled(java, QStringLiteral(LOCKSCOPE_JAVA_CLIENTS "/installed.sha256"))};
}

} // namespace

std::vector<Rival> rivals(int userCount)
{
    // Programs on Node share one connection, which is also faster; a connection each is how we
    // measure ourselves.
    return {redisPy(),     redlock(4, 1),         redlock(4, userCount),
            redlock(5, 1), redlock(5, userCount), redisson()};
}

std::optional<double> pairsPerSecond(const Rival& rival, const store::Endpoint& server,
                                     RivalLoad load)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("NODE_PATH"),
                       QStringLiteral(LOCKSCOPE_NODE_CLIENTS "/node_modules"));
    process.setProcessEnvironment(environment);
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process.start(rival.program,
                  rival.arguments
                      + QStringList{QStringLiteral("127.0.0.1"), QString::number(server.port),
                                    QString::number(load.userCount), QString::number(load.keyCount),
                                    QString::number(load.seconds)});
    bool isNumber = false;
    const bool hasEnded = process.waitForFinished(60'000 + load.seconds * 1000);
    const double rate = process.readAllStandardOutput().trimmed().toDouble(&isNumber);
    return hasEnded && process.exitCode() == 0 && isNumber ? std::optional(rate) : std::nullopt;
}

} // namespace lockscope::bench
