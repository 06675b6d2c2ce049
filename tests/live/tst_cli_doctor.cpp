#include "tests/live/cli_process.h"
#include "tests/support/live/live_server.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <string>
#include <vector>

// `doctor`, `tree`, and who `show` takes an owner for.
namespace lockscope::tst_cli_doctor {

using namespace lockscope::testing;

namespace {

const Bytes kAlice = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60:7";
const Bytes kBob = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d:8";

QStringList call(const char* text, const LiveServer& server)
{
    return words(text) + urlOption(server.endpoint());
}

/// "evicts-keys 2", in the order of the alphabet.
std::vector<std::string> findingsOf(const CliResult& result)
{
    std::vector<std::string> names;
    const Json report = result.json();
    for (const Json& finding : report["findings"]) {
        names.push_back(finding["id"].get<std::string>() + ' ' + text(finding["severity"]));
    }
    std::ranges::sort(names);
    return names;
}

/// A fair lock of Redisson, and who stands in its queue.
void takeFairLock(LiveServer& server, const Bytes& name, const Bytes& holder, const Bytes& waiter)
{
    server.client()("HSET", name, holder, 1);
    server.client()("PEXPIRE", name, 600'000);
    server.client()("RPUSH", "redisson_lock_queue:{" + name + "}", waiter);
    server.client()("ZADD", "redisson_lock_timeout:{" + name + "}", "9795000000000", waiter);
}

} // namespace

class TestCliDoctor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void whatWillHurtIsFound();
    void aSoundServerHasNothing();
    void whatIsRefusedIsNotKnown();
    void leasesAreJudgedAfterAWatch();
    void whoWaitsBehindWhom();
    void aDeadlockIsFound();
    void ownersHaveTheNamesThatTheUserGives();
};

void TestCliDoctor::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestCliDoctor::whatWillHurtIsFound()
{
    LiveServer server;
    server.client()("CONFIG", "SET", "maxmemory-policy", "allkeys-lru", "maxmemory", "100mb");
    server.client()("HSET", "order:lock", kAlice, 1);
    server.client()("SET", "job:lock", "1", "EX", 600);
    CliProcess cli;
    const CliResult result = cli.run(call("doctor --format json", server));
    QCOMPARE(result.exitCode, 10);
    QVERIFY(findingsOf(result)
            == (std::vector<std::string>{"evicts-keys 2", "forgets-on-restart 1",
                                         "locks-without-expiry 2", "same-value 2"}));
    const CliResult people = cli.run(call("doctor", server));
    QCOMPARE(people.exitCode, 10);
    QVERIFY2(
        people.output.contains("   $ lockscope-cli explore --protocol setnx-no-expiry --faults "
                               "crash\n"),
        people.output.constData());
    QVERIFY2(people.output.contains("   Such as order:lock.\n"), people.output.constData());
}

void TestCliDoctor::aSoundServerHasNothing()
{
    LiveServer server(LiveServer::Listen::UnixSocket,
                      {QStringLiteral("--appendonly"), QStringLiteral("yes"),
                       QStringLiteral("--appendfsync"), QStringLiteral("always")});
    server.client()("SET", "order:lock", kAlice.substr(0, 36), "PX", 600'000);
    CliProcess cli;
    const CliResult result = cli.run(call("doctor --format json", server));
    QCOMPARE(result.exitCode, 0);
    QVERIFY2(result.json()["findings"].empty(), result.output.constData());
    QCOMPARE(text(result.json()["notKnown"][0]["id"]), text("short-leases"));
}

void TestCliDoctor::whatIsRefusedIsNotKnown()
{
    LiveServer server;
    server.client()("ACL", "SETUSER", "default", "-info");
    CliProcess cli;
    const CliResult result = cli.run(call("doctor --format json", server));
    QCOMPARE(result.exitCode, 0);
    QVERIFY(result.json()["findings"].empty());
    QCOMPARE(result.json()["notKnown"].size(), std::size_t(4));
}

void TestCliDoctor::leasesAreJudgedAfterAWatch()
{
    LiveServer server;
    server.client()("SET", "order:lock", "0" + kAlice.substr(1, 35), "PX", 600'000);
    CliProcess cli;
    cli.start(call("doctor --for 3s --format json", server));
    QTRY_VERIFY(server.callCount("client|list") > 1); // it looks already
    for (int hold = 1; hold <= 3; ++hold) {
        server.client()("SET", "order:lock", std::to_string(hold) + kAlice.substr(1, 35), "PX",
                        200);
        QTRY_COMPARE(server.client()("EXISTS", "order:lock").integer().value_or(1), 0);
    }
    server.client()("SET", "order:lock", "9" + kAlice.substr(1, 35), "PX", 600'000);
    const CliResult result = cli.waitForEnd();
    const std::vector<std::string> found = findingsOf(result);
    QVERIFY2(std::ranges::find(found, "short-leases 1") != found.end(), result.output.constData());
}

void TestCliDoctor::whoWaitsBehindWhom()
{
    LiveServer server;
    takeFairLock(server, "order:lock", kAlice, kBob);
    takeFairLock(server, "stock:lock", kBob, "77aa0b1c-0000-4000-8000-000000000000:9");
    CliProcess cli;
    const CliResult result = cli.run(call("tree --format json --for 300ms", server));
    QCOMPARE(result.exitCode, 0);
    const Json root = result.json()["roots"][0];
    QCOMPARE(text(root["key"]), text("order:lock"));
    QCOMPARE(text(root["waiterCount"]), text(2));
    QVERIFY(root["waitedMs"].get<int>() >= 600);
    QCOMPARE(text(root["waiters"][0]["owner"]), text(kBob));
    QCOMPARE(text(root["waiters"][0]["holds"][0]["key"]), text("stock:lock"));
    const CliResult people = cli.run(call("tree", server));
    QVERIFY2(
        people.output.contains("    stock:lock: held by 0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d:8 "),
        people.output.constData());
}

void TestCliDoctor::aDeadlockIsFound()
{
    LiveServer server;
    takeFairLock(server, "order:lock", kAlice, kBob);
    takeFairLock(server, "stock:lock", kBob, kAlice);
    CliProcess cli;
    const CliResult result = cli.run(call("tree --format json", server));
    QCOMPARE(result.exitCode, 10);
    QCOMPARE(result.json()["deadlocks"][0].size(), std::size_t(2));
    QVERIFY(result.json()["roots"].empty());
}

void TestCliDoctor::ownersHaveTheNamesThatTheUserGives()
{
    LiveServer server;
    server.client()("SET", "order:lock", "web-3:4711:0a1b2c3d4e5f60718293a4b5c6d7e8f9", "PX",
                    600'000);
    CliProcess cli;
    QTemporaryDir home;
    cli.setVariable("XDG_CONFIG_HOME", home.path());
    QVERIFY(QDir(home.path()).mkpath(QStringLiteral("lockscope")));
    QFile file(home.filePath(QStringLiteral("lockscope/owners.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"rules": [{"token": "{host=text}:{pid=digits}:{id=hex-32}",
                              "who": "{host}, process {pid}"}], "names": {"web-3": "billing"}})");
    file.close();
    const CliResult result = cli.run(call("show order:lock", server));
    QVERIFY2(result.output.contains("  who         billing, process 4711 (your rule {host=text}:"),
             result.output.constData());
    const CliResult json = cli.run(call("show order:lock --format json", server));
    QCOMPARE(text(json.json()["who"][0]["who"]), text("billing, process 4711"));
}

LOCKSCOPE_TEST(TestCliDoctor, Core)

} // namespace lockscope::tst_cli_doctor

#include "tst_cli_doctor.moc"
