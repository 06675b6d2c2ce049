#include "tests/live/cli_process.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

namespace lockscope::tst_cli_protocols {

using namespace lockscope::testing;

namespace {

const Json& entryOf(const Json& catalogue, const std::string& id)
{
    return *std::find_if(catalogue.begin(), catalogue.end(),
                         [&id](const Json& entry) { return entry["id"] == id; });
}

} // namespace

class TestCliProtocols final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theCatalogueIsAnArrayOfProtocols();
    void theTableNamesWhatIsFlawed();
    void oneIsExplained();
    void aFileOfOnesOwnIsListedBehindTheOthers();
    void whatAFileImitatesIsSaid();
    void aMalformedFileIsRefusedWithItsLine();
};

void TestCliProtocols::theCatalogueIsAnArrayOfProtocols()
{
    CliProcess cli;
    const CliResult result = cli.run(words("protocols --format json"));
    QCOMPARE(result.exitCode, 0);
    QCOMPARE(result.diagnostics, QByteArray());
    const Json catalogue = result.json();
    QVERIFY(catalogue.is_array());
    QCOMPARE(text(entryOf(catalogue, "set-nx-px-token")["promises"]),
             text(Json::array({"mutual-exclusion", "owner-only-release", "no-stuck-lock",
                               "lease-honesty", "progress"})));
    QCOMPARE(text(entryOf(catalogue, "set-nx-px-token")["keys"]), text("one"));
    QCOMPARE(text(entryOf(catalogue, "rw-two-keys")["keys"]), text("two"));
    QCOMPARE(text(entryOf(catalogue, "redlock")["keys"]), text("n servers"));
}

void TestCliProtocols::theTableNamesWhatIsFlawed()
{
    CliProcess cli;
    const QList<QByteArray> lines = cli.run(words("protocols")).output.split('\n');
    const auto lineOf = [&lines](const QByteArray& id) {
        const auto found = std::find_if(lines.begin(), lines.end(), [&id](const QByteArray& line) {
            return line.startsWith(QByteArray(id + ' '));
        });
        return found == lines.end() ? QByteArray("missing") : *found;
    };
    QVERIFY2(lineOf("set-nx-ex").endsWith("(flawed)"), lineOf("set-nx-ex").constData());
    QVERIFY2(!lineOf("set-nx-px-token").endsWith("(flawed)"), "it has no flaw that is known");
    QVERIFY2(lineOf("setnx-no-expiry").contains("never expires"), "it has no expiry");
}

void TestCliProtocols::oneIsExplained()
{
    CliProcess cli;
    const CliResult people = cli.run(words("protocols set-nx-ex"));
    QCOMPARE(people.exitCode, 0);
    for (const char* const part :
         {"set-nx-ex: SET NX EX", "\nFlaw: ", "\nPromises\n", "owner-only-release    not promised",
          "mutual-exclusion      if ", "\nDefaults\n", "30.0 s"}) {
        QVERIFY2(people.output.contains(part), people.output.constData());
    }
    const CliResult programs = cli.run(words("protocols set-nx-ex --format json"));
    QCOMPARE(text(programs.json()["id"]), text("set-nx-ex"));
}

void TestCliProtocols::aFileOfOnesOwnIsListedBehindTheOthers()
{
    CliProcess cli;
    const CliResult result =
        cli.run(words("protocols --format json --protocol-file")
                << inSourceTree(QStringLiteral("resources/protocols/token-lock.json")));
    QCOMPARE(text(result.json().back()["id"]), text("token-lock"));
}

void TestCliProtocols::whatAFileImitatesIsSaid()
{
    CliProcess cli;
    const QStringList file{QStringLiteral("--protocol-file"),
                           inSourceTree(QStringLiteral("resources/protocols/fenced-lock.json"))};
    const CliResult table = cli.run(words("protocols") + file);
    QVERIFY2(table.output.contains("A token lock in two keys, as in redis-py\n"),
             table.output.constData());
    const CliResult one = cli.run(words("protocols fenced-lock") + file);
    QVERIFY2(one.output.contains("\nImitates: redis-py\n"), one.output.constData());
    const CliResult json = cli.run(words("protocols fenced-lock --format json") + file);
    QCOMPARE(text(json.json()["imitates"]), text("redis-py"));
}

void TestCliProtocols::aMalformedFileIsRefusedWithItsLine()
{
    QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("broken.json"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\n  \"id\": \"mine\",\n  \"title\" \"colon forgotten\"\n}\n");
    file.close();
    CliProcess cli;
    const CliResult result = cli.run(words("protocols --protocol-file") + QStringList{path});
    QCOMPARE(result.exitCode, 2);
    QVERIFY(result.output.isEmpty());
    QVERIFY2(result.diagnostics.contains("line 3, column "), result.diagnostics.constData());
}

LOCKSCOPE_TEST(TestCliProtocols, Core)

} // namespace lockscope::tst_cli_protocols

#include "tst_cli_protocols.moc"
