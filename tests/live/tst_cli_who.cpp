#include "tests/live/cli_process.h"
#include "tests/support/live/live_server.h"
#include "tests/support/test_program.h"

#include <QTest>

// `who`: which clients act on a lock.
namespace lockscope::tst_cli_who {

using namespace lockscope::testing;

namespace {

constexpr int kPatienceMs = 30'000;
const Bytes kAlice = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";
const Bytes kBob = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";

/// MONITOR is what the connection did last.
bool isListenedTo(LiveServer& server)
{
    return server.client()("CLIENT", "LIST").text()->find("cmd=monitor") != Bytes::npos;
}

} // namespace

class TestCliWho : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!LiveServer::isInstalled()) {
            QSKIP("redis-server is not installed");
        }
    }
    void theHolderIsFoundByItsToken();
    void itEndsAfterSoManyBytes();
    void itEndsWithTheServer();
    void aMissingPermissionIsNamed();
    void itListensToOneServer();
};

void TestCliWho::theHolderIsFoundByItsToken()
{
    LiveServer server(LiveServer::Listen::LoopbackPort);
    PlainClient holder(server.endpoint());
    PlainClient rival(server.endpoint());
    holder("CLIENT", "SETNAME", "billing-3");
    holder("SET", "job:lock", kAlice, "NX", "PX", 600'000);
    CliProcess cli;
    cli.start(words("who job:lock --for 3s --format json") + urlOption(server.endpoint()));
    QTRY_VERIFY_WITH_TIMEOUT(isListenedTo(server), kPatienceMs);
    rival("SET", "job:lock", kBob, "NX", "PX", 1000);
    holder("EVAL",
           "if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('pexpire', KEYS[1], 1000) end",
           1, "job:lock", kAlice);
    const CliResult result = cli.waitForEnd();
    QCOMPARE(result.exitCode, 0);
    const Json report = result.json();
    QCOMPARE(text(report["end"]), std::string(R"("time")"));
    QCOMPARE(report["clients"].size(), std::size_t(2));
    const Json& first = report["clients"][0];
    QCOMPARE(text(first["name"]), std::string(R"("billing-3")"));
    QCOMPARE(text(first["owners"]), "[\"" + kAlice + "\"]");
    QCOMPARE(text(first["commands"]), std::string(R"({"EVAL":1})"));
    QCOMPARE(text(report["clients"][1]["commands"]), std::string(R"({"SET NX":1})"));
    QTRY_VERIFY_WITH_TIMEOUT(!isListenedTo(server), kPatienceMs);
}

void TestCliWho::itEndsAfterSoManyBytes()
{
    LiveServer server;
    CliProcess cli;
    cli.start(words("who job:lock --for 60s --max-bytes 1000 --format json")
              + urlOption(server.endpoint()));
    QTRY_VERIFY_WITH_TIMEOUT(isListenedTo(server), kPatienceMs);
    server.client()("SET", "other", Bytes(2000, 'x'));
    const CliResult result = cli.waitForEnd();
    QCOMPARE(result.exitCode, 0);
    QCOMPARE(text(result.json()["end"]), std::string(R"("bytes")"));
}

void TestCliWho::itEndsWithTheServer()
{
    LiveServer server;
    CliProcess cli;
    cli.start(words("who job:lock --for 60s") + urlOption(server.endpoint()));
    QTRY_VERIFY_WITH_TIMEOUT(isListenedTo(server), kPatienceMs);
    server.kill();
    const CliResult result = cli.waitForEnd();
    QVERIFY2(result.output.contains("ended early, because the connection was lost"),
             result.output.constData());
}

void TestCliWho::aMissingPermissionIsNamed()
{
    LiveServer server;
    server.client()("ACL", "SETUSER", "default", "-monitor");
    CliProcess cli;
    const CliResult result = cli.run(words("who job:lock") + urlOption(server.endpoint()));
    QCOMPARE(result.exitCode, 5);
    QVERIFY2(result.diagnostics.contains("+monitor"), result.diagnostics.constData());
}

void TestCliWho::itListensToOneServer()
{
    CliProcess cli;
    const CliResult result =
        cli.run(words("who k --url redis://127.0.0.1:1 --url redis://127.0.0.1:2"));
    QCOMPARE(result.exitCode, 2);
    QVERIFY2(result.diagnostics.contains("who takes one server"), result.diagnostics.constData());
}

LOCKSCOPE_TEST(TestCliWho, Core)

} // namespace lockscope::tst_cli_who

#include "tst_cli_who.moc"
