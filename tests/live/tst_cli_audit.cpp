#include "tests/live/cli_process.h"
#include "tests/live/relay.h"
#include "tests/support/live/live_server.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTest>

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>

namespace lockscope::tst_cli_audit {

using namespace lockscope::testing;

namespace {

const Bytes kUuid = "8b1a9953-c461-4296-a827-abf8c47804d7";
constexpr int kPatienceMs = 30'000;

QStringList releaseCall(const QString& url, const char* owner = kUuid.c_str())
{
    return words("release lock:a --follow 0s --reason stuck --url")
           + QStringList{url, QStringLiteral("--owner"), QString::fromLatin1(owner)};
}

QString urlOf(const LiveServer& server)
{
    return QString::fromStdString(store::toUrl(server.endpoint()));
}

void send(CliProcess& cli, int signalNumber)
{
    ::kill(static_cast<pid_t>(cli.process().processId()), signalNumber);
}

/// No file of the program gets longer than this, as on a full disk.
void limitFiles(CliProcess& cli, rlim_t bytes)
{
    cli.process().setChildProcessModifier([bytes] {
        const rlimit limit{bytes, bytes};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    });
}

bool isEval(const QByteArray& sent)
{
    return sent.contains("\r\nEVAL\r\n");
}

/// A lock, and how to release it.
struct Bench {
    LiveServer server;
    CliProcess cli;

    Bench() { server.client()("SET", "lock:a", kUuid, "PX", 600'000); }
    bool isLocked() { return server.client()("EXISTS", "lock:a").integer() == 1; }
};

QStringList eventsOf(const CliProcess& cli)
{
    QStringList events;
    for (const Json& line : cli.auditLines()) {
        const std::string event = line["event"].get<std::string>();
        events.append(QString::fromStdString(event == "outcome" ? line["outcome"].get<std::string>()
                                                                : event));
    }
    return events;
}

} // namespace

class TestCliAudit final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void theIntentIsOnDiskBeforeTheServerHearsIt();
    void whoDidItIsNamed();
    void aKillInBetweenLeavesTheIntent();
    void aSignalAfterSendingLeavesItUnknown_data();
    void aSignalAfterSendingLeavesItUnknown();
    void aSignalBeforeSendingIsARefusal();
    void attemptsThatComeToNothingLeaveALine_data();
    void attemptsThatComeToNothingLeaveALine();
    void aFullDiskReleasesNothing();
    void anOutcomeThatDoesNotFitIsSaid();
    void aSymbolicLinkReleasesNothing();
    void widePermissionsAreTakenAway();
    void pastAttemptsAreListed();
    void aChangedFileIsFound();
    void aMissingEndIsFoundByItsHash();
    void aFileThatIsNotThereIsSaid();
};

void TestCliAudit::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestCliAudit::theIntentIsOnDiskBeforeTheServerHearsIt()
{
    Bench bench;
    QStringList before;
    Relay relay(bench.server.endpoint(), [&](const QByteArray& sent) {
        if (isEval(sent)) {
            before = eventsOf(bench.cli);
        }
    });
    QCOMPARE(bench.cli.run(releaseCall(relay.url())).exitCode, 0);
    QCOMPARE(before, QStringList{QStringLiteral("intent")});
    QCOMPARE(eventsOf(bench.cli), words("intent released"));
    const QList<Json> lines = bench.cli.auditLines();
    QCOMPARE(text(lines[0]["attempt"]), text(lines[1]["attempt"]));
    QCOMPARE(text(lines[0]["holders"][0]["owner"]), text(kUuid));
}

void TestCliAudit::whoDidItIsNamed()
{
    Bench bench;
    QCOMPARE(bench.cli.run(releaseCall(urlOf(bench.server))).exitCode, 0);
    const Json line = bench.cli.auditLines().front();
    QVERIFY(!line["user"].get<std::string>().empty());
    std::string host(256, '\0');
    QCOMPARE(::gethostname(host.data(), host.size()), 0);
    QCOMPARE(line["host"].get<std::string>(), std::string(host.c_str()));
    QCOMPARE(line["program"].get<std::string>(), std::string("lockscope-cli " LOCKSCOPE_VERSION));
    QVERIFY(line["process"].get<int>() > 0);
}

void TestCliAudit::aKillInBetweenLeavesTheIntent()
{
    Bench bench;
    Relay relay(bench.server.endpoint(), [&bench](const QByteArray& sent) {
        if (isEval(sent)) {
            send(bench.cli, SIGKILL);
        }
    });
    QCOMPARE(bench.cli.run(releaseCall(relay.url())).exitCode, -1);
    QCOMPARE(eventsOf(bench.cli), words("intent"));
}

void TestCliAudit::aSignalAfterSendingLeavesItUnknown_data()
{
    QTest::addColumn<int>("signalNumber");
    QTest::newRow("SIGINT") << SIGINT;
    QTest::newRow("SIGTERM") << SIGTERM;
    QTest::newRow("SIGHUP") << SIGHUP;
}

void TestCliAudit::aSignalAfterSendingLeavesItUnknown()
{
    QFETCH(const int, signalNumber);
    Bench bench;
    Relay relay(bench.server.endpoint(), [&](const QByteArray& sent) {
        if (isEval(sent)) {
            bench.server.process().freeze();
            send(bench.cli, signalNumber);
        }
    });
    const CliResult result = bench.cli.run(releaseCall(relay.url()) + words("--timeout 1m"));
    bench.server.process().thaw();
    QCOMPARE(result.exitCode, 6);
    QVERIFY2(result.diagnostics.contains("It is unknown whether the lock was released"),
             result.diagnostics.constData());
    QCOMPARE(eventsOf(bench.cli), words("intent unknown"));
}

void TestCliAudit::aSignalBeforeSendingIsARefusal()
{
    Bench bench;
    Relay relay(bench.server.endpoint(), [&](const QByteArray&) {
        bench.server.process().freeze();
        send(bench.cli, SIGTERM);
    });
    const CliResult result = bench.cli.run(releaseCall(relay.url()) + words("--timeout 1m"));
    bench.server.process().thaw();
    QCOMPARE(result.exitCode, 128 + SIGTERM);
    QCOMPARE(eventsOf(bench.cli), words("refused"));
    QVERIFY(bench.isLocked());
}

void TestCliAudit::attemptsThatComeToNothingLeaveALine_data()
{
    QTest::addColumn<QString>("options");
    QTest::addColumn<QString>("events");
    QTest::newRow("another owner") << "release lock:a --owner nobody"
                                   << "changed-hands";
    QTest::newRow("no such key") << "release lock:b --owner nobody"
                                 << "already-gone";
    QTest::newRow("no lock") << "release queue --owner nobody"
                             << "refused";
    const QString readOnly = QStringLiteral("release lock:a --read-only --owner ")
                             + QString::fromStdString(kUuid);
    QTest::newRow("read-only") << readOnly << "intent refused";
    QTest::newRow("no server") << "release lock:a --owner x --url unix:///nonexistent/redis.sock"
                               << "refused";
}

void TestCliAudit::attemptsThatComeToNothingLeaveALine()
{
    QFETCH(const QString, options);
    QFETCH(const QString, events);
    Bench bench;
    bench.server.client()("RPUSH", "queue", "a");
    QStringList call = words(options.toUtf8().constData());
    if (!options.contains(QStringLiteral("--url"))) {
        call += urlOption(bench.server.endpoint());
    }
    QVERIFY(bench.cli.run(call).exitCode != 0);
    QCOMPARE(eventsOf(bench.cli), words(events.toUtf8().constData()));
    QVERIFY(bench.isLocked());
}

void TestCliAudit::aFullDiskReleasesNothing()
{
    Bench bench;
    limitFiles(bench.cli, 100);
    const CliResult result = bench.cli.run(releaseCall(urlOf(bench.server)));
    QCOMPARE(result.exitCode, 5);
    QVERIFY2(result.diagnostics.contains("could not be written to the audit file"),
             result.diagnostics.constData());
    QVERIFY(bench.isLocked());
    QCOMPARE(bench.cli.auditLines().size(), 0);
}

void TestCliAudit::anOutcomeThatDoesNotFitIsSaid()
{
    Bench bench;
    QCOMPARE(bench.cli.run(releaseCall(urlOf(bench.server))).exitCode, 0);
    const QByteArray::size_type size = QFile(bench.cli.auditFile()).size();
    bench.server.client()("SET", "lock:a", kUuid, "PX", 600'000);
    // Room for the line before the release, not for the one after it.
    limitFiles(bench.cli, static_cast<rlim_t>(size + size * 3 / 4));
    const CliResult result = bench.cli.run(releaseCall(urlOf(bench.server)));
    QCOMPARE(result.exitCode, 1);
    QVERIFY2(
        result.diagnostics.contains("could not write the result of this attempt to the audit file"),
        result.diagnostics.constData());
    QVERIFY(!bench.isLocked());
    QCOMPARE(eventsOf(bench.cli), words("intent released intent"));
}

void TestCliAudit::aSymbolicLinkReleasesNothing()
{
    Bench bench;
    const QTemporaryDir folder;
    const QString link = folder.filePath(QStringLiteral("link"));
    QVERIFY(QFile::link(folder.filePath(QStringLiteral("target")), link));
    const CliResult result = bench.cli.run(releaseCall(urlOf(bench.server))
                                           + QStringList{QStringLiteral("--audit-file"), link});
    QCOMPARE(result.exitCode, 5);
    QVERIFY2(result.diagnostics.contains("it is a symbolic link"), result.diagnostics.constData());
    QVERIFY(bench.isLocked());
}

void TestCliAudit::widePermissionsAreTakenAway()
{
    Bench bench;
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("audit")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    const QFile::Permissions forAll = QFile::ReadOwner | QFile::WriteOwner | QFile::ReadOther
                                      | QFile::WriteGroup;
    QVERIFY(file.setPermissions(forAll));
    const QStringList call = releaseCall(urlOf(bench.server))
                             + QStringList{QStringLiteral("--audit-file"), file.fileName()};
    QCOMPARE(bench.cli.run(call).exitCode, 0);
    QVERIFY(!(file.permissions() & (QFile::ReadOther | QFile::WriteGroup)));
}

void TestCliAudit::pastAttemptsAreListed()
{
    Bench bench;
    QCOMPARE(bench.cli.run(releaseCall(urlOf(bench.server), "nobody")).exitCode, 3);
    QCOMPARE(bench.cli.run(releaseCall(urlOf(bench.server))).exitCode, 0);
    const CliResult all = bench.cli.run(words("audit --format json"));
    QCOMPARE(all.exitCode, 0);
    QCOMPARE(all.json().size(), std::size_t(2));
    QCOMPARE(text(all.json()[0]["outcome"]), std::string("\"changed-hands\""));
    QCOMPARE(text(all.json()[1]["outcome"]), std::string("\"released\""));
    QCOMPARE(text(all.json()[1]["key"]), std::string("\"lock:a\""));
    QCOMPARE(text(all.json()[1]["reason"]), std::string("\"stuck\""));
    const CliResult some = bench.cli.run(words("audit --outcome released --since 1h --key lock:*"));
    QCOMPARE(some.output.count('\n'), 2); // and the titles
    QVERIFY2(some.output.contains("released"), some.output.constData());
    QVERIFY(bench.cli.run(words("audit --key other:*")).output.isEmpty());
    QVERIFY(bench.cli.run(words("audit --format csv")).output.startsWith("time,attempt,server,"));
}

void TestCliAudit::aChangedFileIsFound()
{
    Bench bench;
    QCOMPARE(bench.cli.run(releaseCall(urlOf(bench.server))).exitCode, 0);
    const CliResult intact = bench.cli.run(words("audit --verify"));
    QCOMPARE(intact.exitCode, 0);
    QVERIFY2(intact.output.contains("Intact: 2 lines"), intact.output.constData());
    QFile file(bench.cli.auditFile());
    QVERIFY(file.open(QIODevice::ReadWrite));
    QByteArray content = file.readAll();
    content.replace(content.indexOf("stuck"), 5, "quick");
    QVERIFY(file.seek(0) && file.write(content) == content.size());
    file.close();
    const CliResult broken = bench.cli.run(words("audit --verify --format json"));
    QCOMPARE(broken.exitCode, 10);
    QCOMPARE(broken.json()["brokenAt"].get<int>(), 2);
    QVERIFY(!broken.json()["intact"].get<bool>());
    const CliResult listed = bench.cli.run(words("audit"));
    QCOMPARE(listed.exitCode, 0);
    QVERIFY2(listed.diagnostics.contains("cannot be trusted. Broken at line 2"),
             listed.diagnostics.constData());
}

void TestCliAudit::aMissingEndIsFoundByItsHash()
{
    Bench bench;
    QCOMPARE(bench.cli.run(releaseCall(urlOf(bench.server), "nobody")).exitCode, 3);
    QCOMPARE(bench.cli.run(releaseCall(urlOf(bench.server))).exitCode, 0);
    const Json whole = bench.cli.run(words("audit --verify --format json")).json();
    const QString head = QString::fromStdString(whole["head"].get<std::string>());
    const QStringList expecting = words("audit --expect") + QStringList{head};
    QCOMPARE(bench.cli.run(expecting).exitCode, 0);
    QFile file(bench.cli.auditFile());
    QVERIFY(file.open(QIODevice::ReadWrite));
    const QByteArray content = file.readAll();
    QVERIFY(file.resize(content.lastIndexOf('\n', content.size() - 2) + 1));
    file.close();
    QCOMPARE(bench.cli.run(words("audit --verify")).exitCode, 0); // the file alone does not tell
    const CliResult missing = bench.cli.run(expecting);
    QCOMPARE(missing.exitCode, 10);
    QVERIFY2(missing.output.contains("No line has the expected hash"), missing.output.constData());
}

void TestCliAudit::aFileThatIsNotThereIsSaid()
{
    CliProcess cli;
    const CliResult result = cli.run(words("audit --verify"));
    QCOMPARE(result.exitCode, 1);
    QVERIFY2(result.diagnostics.contains("No such file"), result.diagnostics.constData());
}

LOCKSCOPE_TEST(TestCliAudit, Core)

} // namespace lockscope::tst_cli_audit

#include "tst_cli_audit.moc"
