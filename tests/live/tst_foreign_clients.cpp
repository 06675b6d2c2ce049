#include "tests/live/cli_process.h"
#include "tests/support/live/live_server.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"

#include <QDateTime>
#include <QTest>

namespace lockscope::tst_foreign_clients {

using namespace lockscope::testing;

namespace {

/// What a foreign program printed; the test fails when it could not do its work.
QByteArray outputOf(const QString& program, const QStringList& arguments)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("NODE_PATH"),
                       QStringLiteral(LOCKSCOPE_NODE_CLIENTS "/node_modules"));
    environment.remove(QStringLiteral("ASAN_OPTIONS"));
    process.setProcessEnvironment(environment);
    process.start(program, arguments);
    const bool hasEnded = process.waitForStarted() && process.waitForFinished(60'000);
    if (!hasEnded || process.exitCode() != 0) {
        const QByteArray reason =
            (program + QLatin1Char(' ') + arguments.join(QLatin1Char(' '))).toUtf8() + ":\n"
            + process.errorString().toUtf8() + '\n' + process.readAllStandardError();
        QTest::qFail(reason.constData(), __FILE__, __LINE__);
    }
    return process.readAllStandardOutput().trimmed();
}

QString source(const char* file)
{
    return inSourceTree(QStringLiteral("tests/live/") + QLatin1String(file));
}

QString socketOf(const LiveServer& server)
{
    return QString::fromStdString(server.endpoint().socketPath);
}

/// The one lock that `list` finds.
Json onlyLock(const QStringList& urls)
{
    CliProcess cli;
    const CliResult result = cli.run(words("list --format json") + urls);
    if (result.exitCode != 0 || result.json().size() != 1) {
        QTest::qFail(QByteArray(result.output + result.diagnostics).constData(), __FILE__,
                     __LINE__);
        return Json::object();
    }
    return result.json()[0];
}

void releaseByCli(const Json& lock, const QStringList& urls)
{
    CliProcess cli;
    const CliResult result = cli.run(
        words("release --follow 0s") + urls
        + QStringList{QString::fromStdString(lock["key"].get<std::string>()),
                      QStringLiteral("--owner"),
                      QString::fromStdString(lock["holders"][0]["owner"].get<std::string>())});
    QVERIFY2(result.exitCode == 0, result.diagnostics.constData());
}

} // namespace

/// Locks that were taken by programs not written here.
class TestForeignClients final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void redisPyWithTimeout();
    void redisPyWithoutTimeout();
    void redisPyTakesWhatWasReleased();
    void npmRedlockOnOneServer_data();
    void npmRedlockOnOneServer();
    void npmRedlockOnThreeServers_data();
    void npmRedlockOnThreeServers();
    void reentrantHashByRedisCli_data();
    void reentrantHashByRedisCli();

private:
    static QByteArray takeByRedisPy(const LiveServer& server, const QStringList& arguments);
    static QByteArray takeByRedlock(const QByteArray& module, const QString& key,
                                    const QStringList& sockets);
};

void TestForeignClients::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

QByteArray TestForeignClients::takeByRedisPy(const LiveServer& server, const QStringList& arguments)
{
    // The system's Python, because the module is the system's: Debian's python3-redis.
    return outputOf(QStringLiteral("/usr/bin/python3"),
                    QStringList{source("foreign/take_redis_py.py"), socketOf(server)} + arguments);
}

QByteArray TestForeignClients::takeByRedlock(const QByteArray& module, const QString& key,
                                             const QStringList& sockets)
{
    return outputOf(QStringLiteral("node"),
                    QStringList{source("node/take_redlock.js"), QString::fromLatin1(module), key,
                                QStringLiteral("60000")}
                        + sockets);
}

void TestForeignClients::redisPyWithTimeout()
{
    LiveServer server;
    const QDateTime before = QDateTime::currentDateTimeUtc();
    const QByteArray token = takeByRedisPy(server, words("lock:report 60"));
    const QDateTime after = QDateTime::currentDateTimeUtc();
    const Json lock = onlyLock(urlOption(server.endpoint()));
    QCOMPARE(text(lock["key"]), text("lock:report"));
    QCOMPARE(text(lock["format"]), text("redis-py"));
    QCOMPARE(text(lock["library"]), text("redis-py"));
    QCOMPARE(text(lock["confidence"]), text("high"));
    QCOMPARE(text(lock["mode"]), text("exclusive"));
    QCOMPARE(text(lock["holders"][0]["owner"]), text(token.toStdString()));
    QVERIFY2(lock["ttlMs"] > 30'000 && lock["ttlMs"] <= 60'000, text(lock["ttlMs"]).c_str());
    QVERIFY(lock["flags"].empty());
    const QDateTime acquiredAt = QDateTime::fromString(
        QString::fromStdString(lock["acquiredAt"].get<std::string>()), Qt::ISODateWithMs);
    QVERIFY2(acquiredAt >= before.addMSecs(-1) && acquiredAt <= after.addMSecs(1),
             text(lock["acquiredAt"]).c_str());
}

void TestForeignClients::redisPyWithoutTimeout()
{
    LiveServer server;
    const QByteArray token = takeByRedisPy(server, words("nightly"));
    const Json lock = onlyLock(urlOption(server.endpoint()) + words("--deep"));
    QCOMPARE(text(lock["format"]), text("redis-py"));
    QCOMPARE(text(lock["holders"][0]["owner"]), text(token.toStdString()));
    QVERIFY(lock["ttlMs"].is_null());
    QCOMPARE(text(lock["flags"]), text(Json::array({"no-expiry"})));
}

void TestForeignClients::redisPyTakesWhatWasReleased()
{
    LiveServer server;
    const QByteArray first = takeByRedisPy(server, words("lock:report 60"));
    releaseByCli(onlyLock(urlOption(server.endpoint())), urlOption(server.endpoint()));
    const QByteArray second = takeByRedisPy(server, words("lock:report 60"));
    QVERIFY(!second.isEmpty() && second != first);
}

void TestForeignClients::npmRedlockOnOneServer_data()
{
    QTest::addColumn<QByteArray>("module");
    QTest::newRow("version 4") << QByteArray("redlock4");
    QTest::newRow("version 5") << QByteArray("redlock5");
}

void TestForeignClients::npmRedlockOnOneServer()
{
    QFETCH(const QByteArray, module);
    LiveServer server;
    const QByteArray token = takeByRedlock(module, QStringLiteral("locks:account:7"),
                                           {socketOf(server)});
    const Json lock = onlyLock(urlOption(server.endpoint()));
    QCOMPARE(text(lock["key"]), text("locks:account:7"));
    QCOMPARE(text(lock["format"]), text("node-redlock"));
    QCOMPARE(text(lock["holders"][0]["owner"]), text(token.toStdString()));
    QVERIFY2(lock["ttlMs"] > 30'000 && lock["ttlMs"] <= 60'000, text(lock["ttlMs"]).c_str());
    QVERIFY(lock["flags"].empty());
    releaseByCli(lock, urlOption(server.endpoint()));
    QVERIFY(
        !takeByRedlock(module, QStringLiteral("locks:account:7"), {socketOf(server)}).isEmpty());
}

void TestForeignClients::npmRedlockOnThreeServers_data()
{
    npmRedlockOnOneServer_data();
}

void TestForeignClients::npmRedlockOnThreeServers()
{
    QFETCH(const QByteArray, module);
    LiveServer a;
    LiveServer b;
    LiveServer c;
    const QByteArray token = takeByRedlock(module, QStringLiteral("locks:account:7"),
                                           {socketOf(a), socketOf(b), socketOf(c)});
    const Json lock = onlyLock(urlOption(a.endpoint()) + urlOption(b.endpoint())
                               + urlOption(c.endpoint()));
    QCOMPARE(text(lock["format"]), text("redlock"));
    QCOMPARE(text(lock["quorum"]["held"]), text(3));
    QCOMPARE(text(lock["quorum"]["total"]), text(3));
    QCOMPARE(text(lock["holders"][0]["owner"]), text(token.toStdString()));
    QVERIFY2(lock["ttlMs"] > 30'000 && lock["ttlMs"] <= 60'000, text(lock["ttlMs"]).c_str());
}

void TestForeignClients::reentrantHashByRedisCli_data()
{
    QTest::addColumn<QByteArray>("owner");
    QTest::addColumn<QByteArray>("format");
    QTest::newRow("a name of its own") << QByteArray("worker-7:12") << QByteArray("reentrant-hash");
    QTest::newRow("as Redisson") << QByteArray("5f0c2e1a-0d2b-4a7e-9f0e-1b2c3d4e5f60:63")
                                 << QByteArray("redisson-lock");
}

void TestForeignClients::reentrantHashByRedisCli()
{
    QFETCH(const QByteArray, owner);
    QFETCH(const QByteArray, format);
    LiveServer server;
    for (int hold = 0; hold < 2; ++hold) {
        outputOf(QStringLiteral("redis-cli"),
                 {QStringLiteral("-s"), socketOf(server), QStringLiteral("--eval"),
                  source("foreign/take_reentrant_hash.lua"), QStringLiteral("lock:order:42"),
                  QStringLiteral(","), QStringLiteral("60000"), QString::fromLatin1(owner)});
    }
    const Json lock = onlyLock(urlOption(server.endpoint()));
    QCOMPARE(text(lock["format"]), text(format.toStdString()));
    QCOMPARE(text(lock["holders"][0]["owner"]), text(owner.toStdString()));
    QCOMPARE(text(lock["holders"][0]["holds"]), text(2));
    QVERIFY2(lock["ttlMs"] > 30'000 && lock["ttlMs"] <= 60'000, text(lock["ttlMs"]).c_str());
}

LOCKSCOPE_TEST(TestForeignClients, Core)

} // namespace lockscope::tst_foreign_clients

#include "tst_foreign_clients.moc"
