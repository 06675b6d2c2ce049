#include "core/kernel/report/run/run_file.h"
#include "tests/live/cli_process.h"
#include "tests/support/live/live_server.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace lockscope::tst_cli_contend {

using namespace lockscope::testing;

namespace {

constexpr int kPatienceMs = 30'000;

QStringList contendCall(const char* options)
{
    return words("contend --format json") + words(options);
}

/// What to read when a test fails.
QString said(const CliResult& result)
{
    return QString::fromUtf8(result.diagnostics) + QString::fromUtf8(result.output);
}

Json promiseOf(const CliResult& result, const std::string& id)
{
    const Json all = result.json()["promises"];
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&id](const Json& promise) { return promise["id"] == id; });
    return found == all.end() ? Json() : *found;
}

/// A file with the sound protocol of this tree, and one mistake in it.
QString mistyped(const QTemporaryDir& folder, const char* right, const char* wrong)
{
    QFile sound(inSourceTree(QStringLiteral("resources/protocols/token-lock.json")));
    QByteArray lock = sound.open(QIODevice::ReadOnly) ? sound.readAll() : QByteArray();
    lock.replace(right, wrong);
    lock.replace("\"token-lock\"", "\"mistyped-lock\"");
    const QString path = folder.filePath(QStringLiteral("mistyped.json"));
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(lock) == lock.size() ? path : QString();
}

} // namespace

class TestCliContend final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void aSoundLockHolds();
    void pausesBeyondTheLeaseBreakAPlainLock();
    void aCrashLeavesAStuckLock();
    void redlockRunsOnSeveralServers();
    void aNamedServerIsUsedAndTidied();
    void interruptStillReports();
    void readersShare();
    void aDrawHasOneWinner();
    void aStandbyTakesOver();
    void theReportIsForPeople();
    void sharedConnectionsAreReportedAndNotPredicted();
    void anUnreachableServerIsSaid();
    void aMissingServerProgramIsSaid();
    void aServerThatRefusesIsNoContention();
    void readOnlyRefuses();
    void aRunIsSavedAndTold();
    void aLockThatIsNeverGrantedIsNotJudged();
    void anErrorOfTheServerIsShown();
};

void TestCliContend::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestCliContend::aSoundLockHolds()
{
    CliProcess cli;
    const CliResult result = cli.run(contendCall(
        "--protocol set-nx-px-token --clients 6 --for 1s --think 1ms --hold 1ms --retry 5ms"));
    QVERIFY2(result.exitCode == 0, qPrintable(said(result)));
    const Json json = result.json();
    QCOMPARE(text(json["mode"]), text("contend"));
    QCOMPARE(text(json["protocol"]), text("set-nx-px-token"));
    QVERIFY(json["stats"]["acquisitions"].get<int>() > 0);
    QCOMPARE(text(json["stats"]["overlaps"]), text(0));
    QCOMPARE(text(json["stats"]["wrongReleases"]), text(0));
    QVERIFY(json["stats"]["commandsPerAcquisition"].get<double>() >= 2.0);
    QVERIFY(json["stats"]["waitMs"]["p50"].get<double>()
            <= json["stats"]["waitMs"]["p99"].get<double>());
    QCOMPARE(text(promiseOf(result, "mutual-exclusion")["status"]), text("held"));
    QVERIFY(promiseOf(result, "mutual-exclusion")["chances"].get<int>() > 0);
    // Nobody is late, so no release could harm anybody.
    QCOMPARE(text(promiseOf(result, "owner-only-release")["status"]), text("not-exercised"));
    QCOMPARE(text(promiseOf(result, "progress")["status"]), text("not-applicable"));
    QCOMPARE(result.diagnostics, QByteArray());
}

void TestCliContend::pausesBeyondTheLeaseBreakAPlainLock()
{
    CliProcess cli;
    const CliResult result = cli.run(contendCall(
        "--protocol set-nx-ex --clients 6 --for 6s --lease 1s --hold 200ms --think 1ms --pause 50%"
        " --retry 10ms"));
    QVERIFY2(result.exitCode == 0, qPrintable(said(result))); // nothing that it promises
    const Json json = result.json();
    QVERIFY(json["stats"]["overlaps"].get<int>() > 0);
    QVERIFY(json["stats"]["wrongReleases"].get<int>() > 0);
    QCOMPARE(text(promiseOf(result, "mutual-exclusion")["status"]), text("broken"));
    // It is promised to holders that keep to the lease, and a pause is longer.
    QCOMPARE(text(promiseOf(result, "mutual-exclusion")["promised"]), text(false));
    QCOMPARE(text(promiseOf(result, "owner-only-release")["kind"]), text("wrong-release"));
    QCOMPARE(text(promiseOf(result, "owner-only-release")["promised"]), text(false));
    QVERIFY(!json["story"].empty());
}

void TestCliContend::aCrashLeavesAStuckLock()
{
    LiveServer server;
    CliProcess cli;
    const CliResult result = cli.run(
        contendCall("--protocol setnx-no-expiry --clients 3 --for 1s --think 1ms --crash 100%")
        + urlOption(server.endpoint()));
    QVERIFY2(result.exitCode == 0, qPrintable(said(result)));
    const Json promise = promiseOf(result, "no-stuck-lock");
    QCOMPARE(text(promise["status"]), text("broken"));
    QCOMPARE(text(promise["promised"]), text(false)); // by a lock without an expiry
    QCOMPARE(text(promise["kind"]), text("permanent-lock"));
    QCOMPARE(server.client()("DBSIZE").integer().value_or(0), 1); // it is real
}

void TestCliContend::redlockRunsOnSeveralServers()
{
    LiveServer a;
    LiveServer b;
    LiveServer c;
    CliProcess cli;
    const char* const options = "--protocol redlock --clients 3 --for 1s --think 5ms --hold 2ms";
    const CliResult named = cli.run(contendCall(options) + urlOption(a.endpoint())
                                    + urlOption(b.endpoint()) + urlOption(c.endpoint()));
    QVERIFY2(named.exitCode == 0, qPrintable(said(named)));
    QVERIFY(named.json()["stats"]["acquisitions"].get<int>() > 0);
    for (LiveServer* const server : {&a, &b, &c}) {
        QCOMPARE(server->client()("DBSIZE").integer().value_or(-1), 0);
        QVERIFY(server->callCount("set") > 0);
    }
    const CliResult own = cli.run(contendCall(options) + words("--private 3"));
    QVERIFY2(own.exitCode == 0, qPrintable(said(own)));
    QVERIFY(own.json()["stats"]["acquisitions"].get<int>() > 0);
}

void TestCliContend::aNamedServerIsUsedAndTidied()
{
    LiveServer server;
    CliProcess cli;
    const CliResult result = cli.run(
        contendCall("--protocol set-nx-px-token --clients 4 --for 500ms --keys 2 --think 1ms")
        + urlOption(server.endpoint()));
    QVERIFY2(result.exitCode == 0, qPrintable(said(result)));
    QVERIFY(server.callCount("set") > 0);
    QCOMPARE(server.client()("DBSIZE").integer().value_or(-1), 0);
}

void TestCliContend::interruptStillReports()
{
    LiveServer server;
    CliProcess cli;
    cli.start(contendCall("--protocol set-nx-px-token --clients 4 --for 1h --think 1ms")
              + urlOption(server.endpoint()));
    QTRY_VERIFY_WITH_TIMEOUT(server.callCount("set") > 20, kPatienceMs);
    cli.interrupt();
    const CliResult result = cli.waitForEnd();
    QVERIFY2(result.exitCode == 0, qPrintable(said(result)));
    QVERIFY(result.json()["stats"]["acquisitions"].get<int>() > 0);
    QCOMPARE(server.client()("DBSIZE").integer().value_or(-1), 0);
}

void TestCliContend::readersShare()
{
    CliProcess cli;
    const CliResult result = cli.run(contendCall(
        "--protocol rw-hash-owners --clients 4 --for 1s --think 1ms --hold 2ms --read-share 80%"));
    QVERIFY2(result.exitCode == 0, qPrintable(said(result)));
    QCOMPARE(text(promiseOf(result, "read-write-exclusion")["status"]), text("held"));
    QCOMPARE(text(promiseOf(result, "mutual-exclusion")["status"]), text("not-applicable"));
}

void TestCliContend::aDrawHasOneWinner()
{
    CliProcess cli;
    const CliResult result =
        cli.run(contendCall("--protocol set-nx-px-token --clients 8 --for 10s --kind draw"));
    QVERIFY2(result.exitCode == 0, qPrintable(said(result)));
    QCOMPARE(text(result.json()["stats"]["acquisitions"]), text(1));
    QVERIFY(result.json()["stats"]["elapsedMs"].get<int>() < 9000); // it is over when all drew
}

void TestCliContend::aStandbyTakesOver()
{
    CliProcess cli;
    const CliResult result = cli.run(contendCall(
        "--protocol set-nx-px-token --clients 5 --for 3s --kind hot-standby --lease 500ms"
        " --hold 100ms --retry 50ms"));
    QVERIFY2(result.exitCode == 0, qPrintable(said(result)));
    QVERIFY(result.json()["stats"]["crashes"].get<int>() > 0);
    QVERIFY2(result.json()["stats"]["takeoverMs"]["p50"].is_number(), qPrintable(said(result)));
}

void TestCliContend::theReportIsForPeople()
{
    CliProcess cli;
    const CliResult result =
        cli.run(words("contend --protocol set-nx-px-token --clients 3 --for 500ms --think 1ms"));
    QCOMPARE(result.exitCode, 0);
    for (const char* const part :
         {"set-nx-px-token: 3 contenders, 1 lock, ", " on a private server (contention, lease ",
          "\nacquisitions ", "\nwait ", "Jain ", "\nmutual-exclusion    held "}) {
        QVERIFY2(result.output.contains(part), result.output.constData());
    }
}

void TestCliContend::sharedConnectionsAreReportedAndNotPredicted()
{
    CliProcess cli;
    const QStringList call = words("contend --protocol set-nx-px-token --clients 6 --for 300ms "
                                   "--think 1ms --connections 2");
    const CliResult measured = cli.run(call);
    QCOMPARE(measured.exitCode, 0);
    QVERIFY2(measured.output.contains("6 contenders on 2 connections, 1 lock, "),
             measured.output.constData());
    for (const char* const option : {"--predict", "--with-prediction"}) {
        CliProcess other;
        const CliResult refused = other.run(call + words(option));
        QCOMPARE(refused.exitCode, 2);
        QVERIFY2(refused.diagnostics.contains("predict"), refused.diagnostics.constData());
    }
}

void TestCliContend::anUnreachableServerIsSaid()
{
    CliProcess cli;
    const CliResult result = cli.run(contendCall(
        "--protocol set-nx-px-token --clients 2 --for 1s --url unix:///nonexistent/redis.sock"));
    QCOMPARE(result.exitCode, 1);
    QCOMPARE(result.output, QByteArray());
    QVERIFY2(result.diagnostics.contains("/nonexistent/redis.sock"),
             result.diagnostics.constData());
}

void TestCliContend::aMissingServerProgramIsSaid()
{
    CliProcess cli;
    cli.setVariable("PATH", QStringLiteral("/nonexistent"));
    const CliResult result = cli.run(contendCall("--protocol set-nx-px-token --for 1s"));
    QCOMPARE(result.exitCode, 1);
    QVERIFY2(result.diagnostics.contains("redis-server could not be started"),
             result.diagnostics.constData());
}

void TestCliContend::aServerThatRefusesIsNoContention()
{
    LiveServer server;
    server.client()("ACL", "SETUSER", "default", "-set");
    CliProcess cli;
    const CliResult result =
        cli.run(contendCall("--protocol set-nx-px-token --clients 2 --for 300ms --wait 100ms")
                + urlOption(server.endpoint()));
    QCOMPARE(result.exitCode, 1);
    const Json json = result.json();
    QVERIFY(json["stats"]["errors"].get<int>() > 0);
    QCOMPARE(json["stats"]["unavailable"].get<int>(), 0);
    QVERIFY(json["serverError"].get<std::string>().find("NOPERM") != std::string::npos);
}

void TestCliContend::readOnlyRefuses()
{
    LiveServer server;
    CliProcess cli;
    const CliResult result = cli.run(contendCall("--protocol set-nx-px-token --read-only")
                                     + urlOption(server.endpoint()));
    QCOMPARE(result.exitCode, 5);
    QCOMPARE(result.output, QByteArray());
    QCOMPARE(server.callCount("set"), 0);
}

void TestCliContend::aRunIsSavedAndTold()
{
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("run.cbor"));
    CliProcess cli;
    const CliResult ran =
        cli.run(contendCall("--protocol set-nx-ex --clients 3 --for 1s --think 1ms --seed 5")
                + QStringList{QStringLiteral("--save-run"), file});
    QVERIFY2(ran.exitCode == 0, qPrintable(said(ran)));
    const CliResult told = cli.run(words("replay --format json") + QStringList{file});
    QVERIFY2(told.exitCode == 0, qPrintable(said(told)));
    const Json json = told.json();
    QCOMPARE(text(json["protocol"]), text("set-nx-ex"));
    QCOMPARE(text(json["seed"]), text(5));
    QCOMPARE(text(json["stats"]["acquisitions"]), text(ran.json()["stats"]["acquisitions"]));
    QFile saved(file);
    QVERIFY(saved.open(QIODevice::ReadOnly));
    const auto run = report::readRunFile(saved.readAll().toStdString());
    QCOMPARE(
        std::get<report::RunFile>(run).command,
        std::string("lockscope-cli contend --protocol set-nx-ex --clients 3 --for 1s --think 1ms "
                    "--seed 5 --private 1"));
}

void TestCliContend::aLockThatIsNeverGrantedIsNotJudged()
{
    const QTemporaryDir folder;
    CliProcess cli;
    const CliResult result = cli.run(words("contend --clients 3 --for 300ms --protocol-file")
                                     + QStringList{mistyped(folder, "redis.call('set'",
                                                            "redis.call('sett'")});
    QVERIFY2(result.exitCode == 1, qPrintable(said(result)));
    QVERIFY2(result.output.contains("No acquisition was ever granted: nothing was tested. The "
                                    "server answers with an error: ERR "),
             result.output.constData());
    QVERIFY2(!result.output.contains("held"), result.output.constData());
}

/// A release with an unknown command is no answer that was lost.
void TestCliContend::anErrorOfTheServerIsShown()
{
    const QTemporaryDir folder;
    const QStringList call = words("contend --clients 3 --for 300ms --protocol-file")
                             + QStringList{
                                 mistyped(folder, "redis.call('del'", "redis.call('dell'")};
    CliProcess cli;
    const CliResult table = cli.run(call);
    QVERIFY2(table.output.contains("answered with an error: ERR "), table.output.constData());
    QVERIFY2(!table.output.contains("lost"), table.output.constData());
    CliProcess other;
    const Json json = other.run(call + words("--format json")).json();
    QVERIFY(json["stats"]["errors"].get<int>() > 0);
    QCOMPARE(json["stats"]["uncertain"].get<int>(), 0);
    QVERIFY(json["serverError"].get<std::string>().starts_with("ERR "));
}

LOCKSCOPE_TEST(TestCliContend, Core)

} // namespace lockscope::tst_cli_contend

#include "tst_cli_contend.moc"
