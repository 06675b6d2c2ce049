#include "tests/live/cli_process.h"
#include "tests/support/live/live_server.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <memory>

namespace lockscope::tst_cli_formats {

using namespace lockscope::testing;
using namespace Qt::StringLiterals;

namespace {

/// The first JSON file below a heading of docs/decoders.md.
QByteArray exampleBelow(const QByteArray& heading)
{
    QFile page(inSourceTree(u"docs/decoders.md"_s));
    if (!page.open(QIODevice::ReadOnly)) {
        return {};
    }
    const QByteArray text = page.readAll();
    const qsizetype begin = text.indexOf("```json\n", text.indexOf(QByteArray("## " + heading)))
                            + 8;
    return text.mid(begin, text.indexOf("```", begin) - begin);
}

bool write(const QString& path, const QByteArray& text)
{
    QFile file(path);
    return QDir().mkpath(QFileInfo(path).path()) && file.open(QIODevice::WriteOnly)
           && file.write(text) == text.size();
}

} // namespace

/// The walk through "Your own format file" of docs/decoders.md, with the file that stands there.
class TestCliFormats final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void init();
    void theExampleIsAFormat();
    void theExampleIsListedShownAndReleased();
    void aMistakeIsToldAndTheOthersCount();
    void whatIsTreatedAsSomethingElseIs();
    void treatIsRememberedAndHonoured();
    void treatIsTriedOnTheKeys();
    void treatForgets();
    void treatSaysWhatIsWrong();

private:
    QString formatFile(const QString& name) const
    {
        return m_config->path() + u"/lockscope/formats/"_s + name;
    }
    CliResult run(const QStringList& arguments)
    {
        CliProcess cli;
        cli.setVariable("XDG_CONFIG_HOME", m_config->path());
        return cli.run(arguments);
    }
    CliResult runOnServer(const QStringList& arguments)
    {
        return run(arguments + urlOption(m_server->endpoint()));
    }

    std::unique_ptr<LiveServer> m_server;
    std::unique_ptr<QTemporaryDir> m_config;
};

void TestCliFormats::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestCliFormats::init()
{
    m_server = std::make_unique<LiveServer>();
    m_config = std::make_unique<QTemporaryDir>();
    QVERIFY(write(formatFile(u"acme.json"_s), exampleBelow("Your own format file")));
    PlainClient& client = m_server->client();
    client("SET", "acme:job:42", "worker-7/4711", "EX", 600);
}

void TestCliFormats::theExampleIsAFormat()
{
    const CliResult check = run({u"formats"_s, u"--check"_s, formatFile(u"acme.json"_s)});
    QCOMPARE(check.exitCode, 0);
    QVERIFY(check.output.contains("format acme-job of Acme"));
    QVERIFY(run({u"formats"_s}).output.contains("acme-job"));
}

void TestCliFormats::theExampleIsListedShownAndReleased()
{
    const Json locks = runOnServer({u"list"_s, u"--format"_s, u"json"_s}).json();
    QCOMPARE(locks.size(), 1U);
    QCOMPARE(locks[0].value("key", std::string()), std::string("acme:job:42"));
    QCOMPARE(locks[0].value("format", std::string()), std::string("acme-job"));
    QCOMPARE(locks[0].value("confidence", std::string()), std::string("high"));
    const QByteArray shown = runOnServer({u"show"_s, u"acme:job:42"_s}).output;
    QVERIFY2(shown.contains("host") && shown.contains("worker-7"), shown.constData());
    const CliResult released = runOnServer({u"release"_s, u"acme:job:42"_s, u"--owner"_s,
                                            u"worker-7/4711"_s, u"--follow"_s, u"0s"_s});
    QCOMPARE(released.exitCode, 0);
    QVERIFY(runOnServer({u"list"_s, u"--format"_s, u"json"_s}).json().empty());
}

void TestCliFormats::aMistakeIsToldAndTheOthersCount()
{
    const QString broken = formatFile(u"broken.json"_s);
    QVERIFY(write(broken, "{\n  \"id\": \"broken\",\n  \"libary\": \"x\"\n}"));
    const CliResult list = runOnServer({u"list"_s});
    QCOMPARE(list.exitCode, 0);
    QVERIFY(list.output.contains("acme-job"));
    QVERIFY2(list.diagnostics.contains(QByteArray(broken.toUtf8() + ": line 3, column 3")),
             list.diagnostics.constData());
    const CliResult check = run({u"formats"_s, u"--check"_s, broken});
    QCOMPARE(check.exitCode, 2);
    QVERIFY(check.diagnostics.contains("line 3, column 3"));
}

void TestCliFormats::whatIsTreatedAsSomethingElseIs()
{
    PlainClient& client = m_server->client();
    client("SET", "cart:7:lock", "8b1a9953-c461-4296-a827-abf8c47804d7", "EX", 600);
    client("SET", "acme:lease:1", "8b1a9953-c461-4296-a827-abf8c47804d7", "EX", 600);
    QVERIFY(write(m_config->path() + u"/lockscope/treat-as.json"_s, exampleBelow("Treat as…")));
    const QByteArray list = runOnServer({u"list"_s, u"--format"_s, u"csv"_s}).output;
    QVERIFY2(!list.contains("cart:7"), list.constData());
    QVERIFY2(list.contains("acme:lease:1,token"), list.constData());
    const QByteArray near = runOnServer({u"list"_s, u"--near-misses"_s}).output;
    QVERIFY2(!near.contains("cart:7"), near.constData());
}

void TestCliFormats::treatIsRememberedAndHonoured()
{
    PlainClient& client = m_server->client();
    client("SET", "cart:7:lock", "8b1a9953-c461-4296-a827-abf8c47804d7", "EX", 600);
    client("SET", "acme:lease:1", "8b1a9953-c461-4296-a827-abf8c47804d7", "EX", 600);
    QVERIFY(run(words("treat")).output.contains("No names are treated"));
    const CliResult as = run(words("treat acme:lease:* --as token"));
    QCOMPARE(as.exitCode, 0);
    QCOMPARE(as.output,
             QByteArray("Keys that match acme:lease:* are treated as token from now on, where "
                        "their values fit.\n"));
    QVERIFY2(as.diagnostics.contains("No server was asked"), as.diagnostics.constData());
    QCOMPARE(run(words("treat cart:* --not-a-lock")).exitCode, 0);
    const Json all = run(words("treat --format json")).json();
    QCOMPARE(all.dump(), Json::parse(R"([{"keys":"cart:*","format":"not-a-lock"},
                                         {"keys":"acme:lease:*","format":"token"}])")
                             .dump());
    const QByteArray list = runOnServer(words("list --format csv")).output;
    QVERIFY2(!list.contains("cart:7") && list.contains("acme:lease:1,token"), list.constData());
    const Json shown = runOnServer(words("show acme:lease:1 --format json")).json();
    QCOMPARE(text(shown["lock"]["format"]), text("token"));
}

void TestCliFormats::treatIsTriedOnTheKeys()
{
    PlainClient& client = m_server->client();
    const QStringList call = words("treat lock.global.* --as token");
    const CliResult none = runOnServer(call);
    QCOMPARE(none.exitCode, 0);
    QVERIFY2(none.diagnostics.contains("No key matches now"), none.diagnostics.constData());
    QCOMPARE(run(words("treat lock.global.* --forget")).exitCode, 0);

    client("SET", "lock.global.init", "2026-11-28T21:14:05.000001+00:00::infrahub-server-0");
    client("SET", "lock.global.flag", "1", "EX", 600);
    const CliResult misfit = runOnServer(call);
    QCOMPARE(misfit.exitCode, 5);
    QVERIFY2(misfit.diagnostics.contains("2 of 2 keys do not fit the format token")
                 && misfit.diagnostics.contains("lock.global.init (fits no format)")
                 && misfit.diagnostics.contains("lock.global.flag (fits flag)"),
             misfit.diagnostics.constData());
    QVERIFY(run(words("treat --format json")).json().empty());

    client("SET", "lock.global.worker", "8b1a9953-c461-4296-a827-abf8c47804d7");
    const CliResult some = runOnServer(call);
    QCOMPARE(some.exitCode, 0);
    QVERIFY2(some.diagnostics.contains("2 of 3 keys do not fit"), some.diagnostics.constData());
    const CliResult list = runOnServer(words("list"));
    QVERIFY2(list.diagnostics.contains("2 of 3 keys do not fit the format token"),
             list.diagnostics.constData());
    const CliResult show = runOnServer(words("show lock.global.flag"));
    QVERIFY2(show.output.contains("to be treated as token"), show.output.constData());
    const CliResult release = runOnServer({u"release"_s, u"lock.global.init"_s, u"--owner="_s,
                                           u"--audit-file"_s,
                                           m_config->path() + u"/audit.jsonl"_s});
    QCOMPARE(release.exitCode, 5);
    QVERIFY2(!release.diagnostics.contains("not recognised")
                 && release.diagnostics.contains("No other format fits it"),
             release.diagnostics.constData());
}

void TestCliFormats::treatForgets()
{
    QCOMPARE(run(words("treat cart:* --not-a-lock")).exitCode, 0);
    const CliResult forgotten = run(words("treat cart:* --forget"));
    QCOMPARE(forgotten.exitCode, 0);
    QVERIFY(run(words("treat --format json")).json().empty());
    const CliResult again = run(words("treat cart:* --forget"));
    QCOMPARE(again.exitCode, 4);
    QVERIFY2(again.diagnostics.contains("is not among the treated names"),
             again.diagnostics.constData());
}

void TestCliFormats::treatSaysWhatIsWrong()
{
    const CliResult unknown = run(words("treat a:* --as nothing"));
    QCOMPARE(unknown.exitCode, 2);
    QVERIFY2(unknown.diagnostics.contains("There is no format \"nothing\""),
             unknown.diagnostics.constData());
    QCOMPARE(run(words("treat a:* --as redlock")).exitCode, 2);
    const QString file = m_config->path() + u"/lockscope/treat-as.json"_s;
    QVERIFY(write(file, "{"));
    const CliResult damaged = run(words("treat a:* --not-a-lock"));
    QCOMPARE(damaged.exitCode, 5);
    QVERIFY2(damaged.diagnostics.contains("treat-as.json: line 1"),
             damaged.diagnostics.constData());
    QFile kept(file);
    QVERIFY(kept.open(QIODevice::ReadOnly));
    QCOMPARE(kept.readAll(), QByteArray("{"));
}

LOCKSCOPE_TEST(TestCliFormats, Core)

} // namespace lockscope::tst_cli_formats

#include "tst_cli_formats.moc"
