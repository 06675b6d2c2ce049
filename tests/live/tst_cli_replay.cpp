// `replay --live`: saved counterexamples on a real Redis, as a user repeats them.

#include "tests/live/cli_process.h"
#include "tests/support/json_schema.h"
#include "tests/support/live/live_server.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace lockscope::tst_cli_replay {

using namespace lockscope::testing;

class TestCliReplay final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void aFlawOfClientsIsRealToo();
    void theSameForScripts();
    void whatOnlyASimulatedServerGoesThroughIsSaid();

private:
    /// The counterexample that `explore` saves.
    QString found(const QString& options);

    CliProcess m_cli;
    QTemporaryDir m_folder;
};

QString TestCliReplay::found(const QString& options)
{
    const QString path = m_folder.filePath(QStringLiteral("found.json"));
    QFile::remove(path);
    m_cli.run(words("explore --max-schedules 2000 --save") << path << options.split(u' '));
    return path;
}

void TestCliReplay::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestCliReplay::aFlawOfClientsIsRealToo()
{
    const QString path = found(QStringLiteral("--protocol exists-then-set --faults interleaving"));
    const CliResult result = m_cli.run(words("replay --live") << path);
    QVERIFY2(result.output.contains("A real Redis gave the same "), result.output.constData());
    QVERIFY2(result.output.contains("the violation was unavoidable"), result.output.constData());
    QCOMPARE(result.exitCode, 10);
}

void TestCliReplay::theSameForScripts()
{
    const QString path = found(QStringLiteral("--protocol setnx-then-expire --faults crash"));
    const CliResult result = m_cli.run(words("replay --live --format json") << path);
    QCOMPARE(result.exitCode, 10);
    const auto json = result.json();
    QCOMPARE(schemaComplaint(json, "run"), std::string());
    QCOMPARE(json["live"]["status"].get<std::string>(), std::string("agrees"));
    QVERIFY(json["live"]["answers"].get<int>() > 0);
    QVERIFY(json["live"]["differences"].empty());
    // The last of its continuations is the run itself.
    QVERIFY(json["inevitableAfter"].get<int>() <= json["continuations"].back()["steps"].get<int>());
}

void TestCliReplay::whatOnlyASimulatedServerGoesThroughIsSaid()
{
    const QString path = found(QStringLiteral("--protocol set-nx-ex --faults failover"));
    const CliResult result = m_cli.run(words("replay --live") << path);
    QVERIFY2(
        result.output.contains("This run cannot be replayed on a real Redis. Only a simulated"),
        result.output.constData());
    QCOMPARE(result.exitCode, 2);
}

LOCKSCOPE_TEST(TestCliReplay, Core)

} // namespace lockscope::tst_cli_replay

#include "tst_cli_replay.moc"
