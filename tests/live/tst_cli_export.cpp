#include "tests/live/cli_process.h"
#include "tests/support/live/free_ports.h"
#include "tests/support/live/live_server.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTcpSocket>
#include <QTest>

#include <string>

namespace lockscope::tst_cli_export {

using namespace lockscope::testing;

namespace {

const Bytes kUuid = "8b1a9953-c461-4296-a827-abf8c47804d7";
constexpr int kPatienceMs = 30'000;

/// lockscope-cli export at a free port, and a client that scrapes it.
class Exporter {
public:
    explicit Exporter(const QStringList& arguments)
    {
        m_cli.start(words("export --listen 127.0.0.1:0") + arguments);
        static const QRegularExpression kAddress(
            QStringLiteral("metrics are at http://127\\.0\\.0\\.1:(\\d+)/metrics\n"));
        const auto found = [this] {
            const QRegularExpressionMatch match =
                kAddress.match(QString::fromUtf8(m_cli.diagnostics()));
            m_port = static_cast<quint16>(match.captured(1).toUInt());
            return match.hasMatch();
        };
        static_cast<void>(QTest::qWaitFor(found, kPatienceMs));
    }

    CliProcess& cli() { return m_cli; }
    quint16 port() const { return m_port; } // 0: it did not start

    QByteArray answerTo(const QByteArray& request) const
    {
        QTcpSocket socket;
        socket.connectToHost(QHostAddress(QHostAddress::LocalHost), m_port);
        socket.write(request);
        const auto isOver = [&] { return socket.state() == QAbstractSocket::UnconnectedState; };
        return QTest::qWaitFor(isOver, kPatienceMs) ? socket.readAll() : QByteArray();
    }
    QByteArray metrics(const char* accept = "*/*") const
    {
        const QByteArray answer = answerTo("GET /metrics HTTP/1.1\r\nHost: a\r\nAccept: "
                                           + QByteArray(accept) + "\r\n\r\n");
        return answer.mid(answer.indexOf("\r\n\r\n") + 4);
    }
    /// The values of all series whose line begins so and has this text in it, joined by spaces.
    QString values(const char* begin, const char* part = "") const
    {
        QStringList found;
        for (const QByteArray& line : metrics().split('\n')) {
            if (line.startsWith(begin) && line.contains(part)) {
                found.append(QString::fromUtf8(line.mid(line.lastIndexOf(' ') + 1)));
            }
        }
        return found.join(QLatin1Char(' '));
    }

private:
    CliProcess m_cli;
    quint16 m_port = 0;
};

/// What a tool says, with its exit code in front.
QByteArray outputOf(const char* program, const QStringList& arguments, const QByteArray& input = {})
{
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(QString::fromLatin1(program), arguments);
    process.write(input);
    process.closeWriteChannel();
    const bool hasEnded = process.waitForFinished(kPatienceMs);
    return QByteArray::number(hasEnded ? process.exitCode() : -1) + ' ' + process.readAll();
}

bool isInstalled(const char* program)
{
    return !QStandardPaths::findExecutable(QString::fromLatin1(program)).isEmpty();
}

} // namespace

class TestCliExport final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void locksAreCounted();
    void changesAreCounted();
    void serversAreIndependent();
    void aServerThatIsGoneHasNoNumbers();
    void aWrongPasswordLeavesTheOthers();
    void namesAreExportedWhereAskedFor();
    void environmentsAreLabels();
    void filtersDecideWhatCounts();
    void otherPathsAreAnswered();
    void whatIsTypedWrongIsRefused_data();
    void whatIsTypedWrongIsRefused();
    void anAddressInUseIsSaid();
    void aServerGivenTwiceIsRefused();
    void mastersOfOneNameAreToldApart();
    void interruptAndTerminateEndIt_data();
    void interruptAndTerminateEndIt();
    void promtoolFindsNothingToMend();
    void aPrometheusScrapesAndAlerts();
    void alertsAreTested();

private:
    static void startPrometheus(QProcess& process, const QTemporaryDir& folder, quint16 port,
                                const Exporter& exporter);
};

void TestCliExport::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestCliExport::locksAreCounted()
{
    LiveServer server;
    server.client()("SET", "lock:a", kUuid, "PX", 600'000);
    server.client()("SET", "lock:b", kUuid, "PX", 600'000);
    server.client()("SET", "lock:stuck", 1);
    const Exporter exporter(urlOption(server.endpoint()));
    QTRY_COMPARE_WITH_TIMEOUT(exporter.values("lockscope_locks{",
                                              "format=\"token\",state=\"held\""),
                              QStringLiteral("2"), kPatienceMs);
    QCOMPARE(exporter.values("lockscope_server_up"), QStringLiteral("1"));
    QTRY_COMPARE_WITH_TIMEOUT(exporter.values("lockscope_suspicious_locks{", "flag=\"no-expiry\"}"),
                              QStringLiteral("1"), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(exporter.values("lockscope_commands_total{").toDouble() > 0,
                             kPatienceMs);
    QVERIFY(exporter.values("lockscope_oldest_hold_seconds").toDouble() > 0);
    QVERIFY(exporter.values("lockscope_sweep_age_seconds").toDouble() > 0);
    const QByteArray all = exporter.metrics();
    QVERIFY2(all.endsWith("\n# EOF\n"), all.constData());
    QVERIFY2(!all.contains("lock:a"), all.constData()); // names are not told unless asked for
}

void TestCliExport::changesAreCounted()
{
    LiveServer server;
    server.client()("SET", "lock:there", kUuid, "PX", 600'000);
    Exporter exporter(urlOption(server.endpoint()));
    QTRY_VERIFY_WITH_TIMEOUT(exporter.cli().diagnostics().contains(": watching\n"), kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(exporter.values("lockscope_locks{", "\"held\""), QStringLiteral("1"),
                              kPatienceMs);
    server.client()("SET", "lock:a", kUuid, "PX", 600'000);
    QTRY_COMPARE_WITH_TIMEOUT(exporter.values("lockscope_changes_total{", "\"appeared\""),
                              QStringLiteral("1"), kPatienceMs);
    server.client()("PEXPIRE", "lock:a", 700'000);
    QTRY_COMPARE_WITH_TIMEOUT(exporter.values("lockscope_changes_total{", "\"renewed\""),
                              QStringLiteral("1"), kPatienceMs);
    server.client()("DEL", "lock:a");
    QTRY_COMPARE_WITH_TIMEOUT(exporter.values("lockscope_changes_total{", "\"released\""),
                              QStringLiteral("1"), kPatienceMs);
    server.client()("SET", "lock:b", kUuid, "PX", 300);
    QTRY_COMPARE_WITH_TIMEOUT(exporter.values("lockscope_changes_total{", "\"expired\""),
                              QStringLiteral("1"), kPatienceMs);
    QCOMPARE(exporter.values("lockscope_changes_total{", "\"released\""), QStringLiteral("1"));
    QTRY_VERIFY_WITH_TIMEOUT(exporter.values("lockscope_key_messages_total{").toDouble() > 0,
                             kPatienceMs); // measured once a second
}

/// As several --url elsewhere are a Redlock set, where one token would be one row.
void TestCliExport::serversAreIndependent()
{
    LiveServer a;
    LiveServer b;
    for (LiveServer* const server : {&a, &b}) {
        server->client()("SET", "lock:same", kUuid, "PX", 600'000);
    }
    const Exporter exporter(urlOption(a.endpoint()) + urlOption(b.endpoint()));
    QTRY_COMPARE_WITH_TIMEOUT(exporter.values("lockscope_locks{", "\"held\""),
                              QStringLiteral("1 1"), kPatienceMs);
    a.client()("DEL", "lock:same");
    QTRY_COMPARE_WITH_TIMEOUT(exporter.values("lockscope_locks{", "\"held\""),
                              QStringLiteral("0 1"), kPatienceMs);
}

void TestCliExport::aServerThatIsGoneHasNoNumbers()
{
    LiveServer server;
    server.client()("SET", "lock:a", kUuid, "PX", 600'000);
    const Exporter exporter(urlOption(server.endpoint()));
    QTRY_COMPARE_WITH_TIMEOUT(exporter.values("lockscope_locks{", "\"held\""), QStringLiteral("1"),
                              kPatienceMs);
    server.kill();
    QTRY_COMPARE_WITH_TIMEOUT(exporter.values("lockscope_server_up"), QStringLiteral("0"),
                              kPatienceMs);
    QCOMPARE(exporter.values("lockscope_locks{"), QString());
    QCOMPARE(exporter.values("lockscope_suspicious_locks{"), QString());
    QCOMPARE(exporter.values("lockscope_waiters{"), QString());
    QTRY_COMPARE_WITH_TIMEOUT(exporter.values("lockscope_unconfirmed_locks{"), QStringLiteral("1"),
                              kPatienceMs);
    server.restart();
    server.client()("SET", "lock:b", kUuid, "PX", 600'000);
    QTRY_COMPARE_WITH_TIMEOUT(exporter.values("lockscope_server_up"), QStringLiteral("1"),
                              kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(exporter.values("lockscope_locks{", "\"held\""), QStringLiteral("1"),
                              kPatienceMs);
}

void TestCliExport::aWrongPasswordLeavesTheOthers()
{
    LiveServer open;
    LiveServer closed(LiveServer::Listen::UnixSocket);
    closed.client()("CONFIG", "SET", "requirepass", "secret");
    open.client()("SET", "lock:a", kUuid, "PX", 600'000);
    Exporter exporter(urlOption(closed.endpoint()) + urlOption(open.endpoint()));
    QTRY_COMPARE_WITH_TIMEOUT(exporter.values("lockscope_locks{", "\"held\""), QStringLiteral("1"),
                              kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(exporter.values("lockscope_server_up") == QStringLiteral("0 1"),
                             kPatienceMs);
    QCOMPARE(exporter.cli().process().state(), QProcess::Running);
}

void TestCliExport::namesAreExportedWhereAskedFor()
{
    LiveServer server;
    server.client()("SET", "lock:\"a\"\n", kUuid, "PX", 600'000);
    server.client()("SET", "lock:b", kUuid, "PX", 600'000);
    const Exporter exporter(words("--metric-keys lock:?a*") + urlOption(server.endpoint()));
    QTRY_VERIFY_WITH_TIMEOUT(
        !exporter.values("lockscope_lock_held_seconds{", "key=\"lock:\\\"a\\\"\\\\x0a\"").isEmpty(),
        kPatienceMs);
    QCOMPARE(exporter.values("lockscope_lock_held_seconds{", "lock:b"), QString());
    QVERIFY(exporter.values("lockscope_lock_ttl_seconds{").toDouble() > 500);
    QCOMPARE(exporter.values("lockscope_metric_keys_left_out_total"), QStringLiteral("0"));
}

void TestCliExport::environmentsAreLabels()
{
    const QStringList servers = words("--url redis://127.0.0.1:1 --url redis://127.0.0.1:2");
    const Exporter one(words("--environment all") + servers);
    QCOMPARE(one.values("lockscope_server_up{", "environment=\"all\""), QStringLiteral("0 0"));
    const Exporter each(words("--environment a --environment b") + servers);
    QCOMPARE(each.values("lockscope_server_up{server=\"127.0.0.1:1\"", "environment=\"a\"}"),
             QStringLiteral("0"));
    QCOMPARE(each.values("lockscope_server_up{server=\"127.0.0.1:2\"", "environment=\"b\"}"),
             QStringLiteral("0"));
}

void TestCliExport::filtersDecideWhatCounts()
{
    LiveServer server;
    server.client()("SET", "lock:a", kUuid, "PX", 600'000);
    server.client()("SET", "job:lock", kUuid, "PX", 600'000);
    const Exporter exporter(words("--filter key:job:*") + urlOption(server.endpoint()));
    QTRY_COMPARE_WITH_TIMEOUT(exporter.values("lockscope_locks{", "\"held\""), QStringLiteral("1"),
                              kPatienceMs);
}

void TestCliExport::otherPathsAreAnswered()
{
    const Exporter exporter(words("--url redis://127.0.0.1:1"));
    QVERIFY(exporter.answerTo("GET /-/healthy HTTP/1.1\r\n\r\n").startsWith("HTTP/1.1 200 OK\r\n"));
    const QByteArray missing = exporter.answerTo("GET / HTTP/1.1\r\n\r\n");
    QVERIFY2(missing.startsWith("HTTP/1.1 404 ") && missing.count('\n') == 6, missing.constData());
    QVERIFY(exporter.answerTo("POST /metrics HTTP/1.1\r\n\r\n").startsWith("HTTP/1.1 405 "));
    const QByteArray older =
        exporter.answerTo("GET /metrics HTTP/1.1\r\nAccept: text/plain\r\n\r\n");
    QVERIFY2(older.contains("\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"),
             older.constData());
}

void TestCliExport::whatIsTypedWrongIsRefused_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("complaint");
    QTest::newRow("no port") << QStringLiteral("--listen 127.0.0.1") << QStringLiteral("no port");
    QTest::newRow("a name") << QStringLiteral("--listen here:1")
                            << QStringLiteral("is no IP address");
    QTest::newRow("environments")
        << QStringLiteral("--url a --url b --url c --environment x --environment y")
        << QStringLiteral("--environment is specified 2 times for 3 --url");
    QTest::newRow("empty pattern")
        << QStringLiteral("--metric-keys=") << QStringLiteral("matches nothing");
}

void TestCliExport::whatIsTypedWrongIsRefused()
{
    QFETCH(const QString, arguments);
    QFETCH(const QString, complaint);
    CliProcess cli;
    const CliResult result = cli.run(words("export") + words(arguments.toUtf8().constData()));
    QCOMPARE(result.exitCode, 2);
    QVERIFY2(result.diagnostics.contains(complaint.toUtf8()), result.diagnostics.constData());
}

void TestCliExport::anAddressInUseIsSaid()
{
    const Exporter first(words("--url redis://127.0.0.1:1"));
    CliProcess cli;
    const QString address = QStringLiteral("127.0.0.1:%1").arg(first.port());
    const CliResult result = cli.run(words("export --url redis://127.0.0.1:1 --listen")
                                     + QStringList(address));
    QCOMPARE(result.exitCode, 1);
    const QByteArray expected = "could not listen on " + address.toUtf8() + ": ";
    QVERIFY2(result.diagnostics.contains(expected) && result.diagnostics.contains("in use"),
             result.diagnostics.constData());
}

void TestCliExport::aServerGivenTwiceIsRefused()
{
    CliProcess cli;
    const CliResult result = cli.run(words("export --listen 127.0.0.1:0 --url redis://127.0.0.1:1 "
                                           "--url redis://other@127.0.0.1:1"));
    QCOMPARE(result.exitCode, 2);
    QVERIFY2(result.diagnostics.contains("127.0.0.1:1 is specified twice"),
             result.diagnostics.constData());
}

void TestCliExport::mastersOfOneNameAreToldApart()
{
    const Exporter exporter(words("--url redis+sentinel://127.0.0.1:1/mymaster "
                                  "--url redis+sentinel://127.0.0.1:2/mymaster"));
    for (const char* const name : {"\"mymaster@127.0.0.1:1\"", "\"mymaster@127.0.0.1:2\""}) {
        QTRY_COMPARE_WITH_TIMEOUT(exporter.values("lockscope_server_up{", name),
                                  QStringLiteral("0"), kPatienceMs);
    }
}

void TestCliExport::interruptAndTerminateEndIt_data()
{
    QTest::addColumn<bool>("isInterrupt");
    QTest::newRow("SIGINT") << true;
    QTest::newRow("SIGTERM") << false;
}

void TestCliExport::interruptAndTerminateEndIt()
{
    QFETCH(const bool, isInterrupt);
    LiveServer server;
    Exporter exporter(urlOption(server.endpoint()));
    QVERIFY(exporter.port() != 0);
    if (isInterrupt) {
        exporter.cli().interrupt();
    } else {
        exporter.cli().terminate();
    }
    const CliResult result = exporter.cli().waitForEnd();
    QCOMPARE(result.exitCode, 0);
    QCOMPARE(result.output, QByteArray());
}

void TestCliExport::promtoolFindsNothingToMend()
{
    if (!isInstalled("promtool")) {
        QSKIP("promtool is not installed");
    }
    LiveServer server;
    server.client()("SET", "lock:\"a\"\n\xff", kUuid, "PX", 600'000);
    const Exporter exporter(words("--metric-keys * --environment test")
                            + urlOption(server.endpoint()) + words("--url redis://127.0.0.1:1"));
    QTRY_VERIFY_WITH_TIMEOUT(!exporter.values("lockscope_lock_held_seconds{").isEmpty(),
                             kPatienceMs);
    QCOMPARE(outputOf("promtool", words("check metrics"), exporter.metrics("text/plain")),
             QByteArray("0 "));
}

void TestCliExport::startPrometheus(QProcess& process, const QTemporaryDir& folder, quint16 port,
                                    const Exporter& exporter)
{
    QFile rules(folder.filePath(QStringLiteral("rules.yml")));
    QVERIFY(rules.open(QIODevice::WriteOnly));
    rules.write("groups: [{name: a, rules: [{alert: Stuck, expr: "
                "'lockscope_suspicious_locks{flag=\"no-expiry\"} > 0'}]}]\n");
    rules.close();
    QFile settings(folder.filePath(QStringLiteral("prometheus.yml")));
    QVERIFY(settings.open(QIODevice::WriteOnly));
    settings.write("global: {scrape_interval: 1s, evaluation_interval: 1s}\n"
                   "rule_files: [rules.yml]\n"
                   "scrape_configs: [{job_name: lockscope, static_configs: [{targets: "
                   "['127.0.0.1:"
                   + QByteArray::number(exporter.port()) + "']}]}]\n");
    settings.close();
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process.start(QStringLiteral("prometheus"),
                  {QStringLiteral("--config.file=") + settings.fileName(),
                   QStringLiteral("--storage.tsdb.path=") + folder.filePath(QStringLiteral("data")),
                   QStringLiteral("--web.listen-address=127.0.0.1:%1").arg(port),
                   QStringLiteral("--log.level=error")});
}

/// Prometheus asks for OpenMetrics, and takes nothing that is not well-formed.
void TestCliExport::aPrometheusScrapesAndAlerts()
{
    if (!isInstalled("prometheus") || !isInstalled("promtool")) {
        QSKIP("prometheus is not installed");
    }
    LiveServer server;
    server.client()("SET", "lock:stuck", 1);
    const Exporter exporter(words("--metric-keys *") + urlOption(server.endpoint()));
    QTRY_COMPARE_WITH_TIMEOUT(exporter.values("lockscope_suspicious_locks{", "flag=\"no-expiry\"}"),
                              QStringLiteral("1"), kPatienceMs);
    const QTemporaryDir folder;
    const quint16 port = freePort();
    QProcess prometheus;
    startPrometheus(prometheus, folder, port, exporter);
    const auto ask = [&](const char* query) {
        return outputOf("promtool", {QStringLiteral("query"), QStringLiteral("instant"),
                                     QStringLiteral("http://127.0.0.1:%1").arg(port),
                                     QString::fromLatin1(query)});
    };
    // The tool takes a while: patience is measured, and not counted in questions.
    const auto isAnswered = [&](const char* query, const char* answer) {
        return QTest::qWaitFor([&] { return ask(query).contains(answer); }, kPatienceMs);
    };
    QVERIFY(isAnswered("up{job=\"lockscope\"}", "=> 1 @"));
    QVERIFY(isAnswered("ALERTS{alertname=\"Stuck\",alertstate=\"firing\"}", "flag=\"no-expiry\""));
    QVERIFY(ask("lockscope_lock_held_seconds").contains("key=\"lock:stuck\""));
    prometheus.terminate();
    QVERIFY(prometheus.waitForFinished(kPatienceMs));
}

void TestCliExport::alertsAreTested()
{
    if (!isInstalled("promtool")) {
        QSKIP("promtool is not installed");
    }
    const QString rules = inSourceTree(QStringLiteral("resources/monitoring/lockscope-alerts.yml"));
    const QByteArray checked = outputOf("promtool", words("check rules") + QStringList(rules));
    QVERIFY2(checked.startsWith("0 "), checked.constData());
    const QTemporaryDir folder; // the test names its rules by a path beside it
    const QString test = folder.filePath(QStringLiteral("lockscope-alerts-test.yml"));
    QVERIFY(QFile::copy(rules, folder.filePath(QStringLiteral("lockscope-alerts.yml"))));
    QVERIFY(QFile::copy(
        inSourceTree(QStringLiteral("tests/data/monitoring/lockscope-alerts-test.yml")), test));
    const QByteArray tested = outputOf("promtool", words("test rules") + QStringList(test));
    QVERIFY2(tested.startsWith("0 "), tested.constData());
}

LOCKSCOPE_TEST(TestCliExport, Core)

} // namespace lockscope::tst_cli_export

#include "tst_cli_export.moc"
