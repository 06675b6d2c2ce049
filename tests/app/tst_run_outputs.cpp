// What --save-run and --export write, and what `replay` says of a saved run.

#include "app/cli/output/run_outputs.h"
#include "tests/kernel/exports/recorded_example.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/json_schema.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace lockscope::tst_run_outputs {

using namespace lockscope::cli;
using exports::ExportFormat;

namespace {

std::string contentOf(const std::string& path)
{
    QFile file(QString::fromStdString(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

} // namespace

class TestRunOutputs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bothFilesAreWritten();
    void whatCannotBeWrittenIsSaid();
    void aRecordIsToldInWords();
    void scriptsGetTheSame();
};

void TestRunOutputs::bothFilesAreWritten()
{
    const QTemporaryDir folder;
    const report::RunFile run = testing::recordedExample();
    RunOutputs outputs;
    QVERIFY(outputs.isEmpty());
    outputs.runFile = folder.filePath(QStringLiteral("a.run.cbor")).toStdString();
    outputs.exportFormat = ExportFormat::Csv;
    outputs.exportFile = folder.filePath(QStringLiteral("a.csv")).toStdString();
    QVERIFY(!outputs.isEmpty());
    QCOMPARE(writeOutputs(outputs, run), std::string());
    QVERIFY(
        std::holds_alternative<report::RunFile>(report::readRunFile(contentOf(outputs.runFile))));
    QCOMPARE(contentOf(outputs.exportFile), exported(run, ExportFormat::Csv));
}

void TestRunOutputs::whatCannotBeWrittenIsSaid()
{
    RunOutputs outputs;
    outputs.exportFormat = ExportFormat::Markdown;
    outputs.exportFile = "/nowhere/x.md";
    QCOMPARE(writeOutputs(outputs, testing::recordedExample()),
             std::string("the export could not be written to \"/nowhere/x.md\" "
                         "(No such file or directory)"));
}

void TestRunOutputs::aRecordIsToldInWords()
{
    const std::string text = recordText(testing::recordedExample());
    const auto isIn = [&text](const char* part) { return text.find(part) != std::string::npos; };
    QVERIFY2(text.starts_with("set-nx-px-token, plan \""), text.c_str());
    QVERIFY2(isIn("Recorded by replay, "), text.c_str());
    QVERIFY2(isIn("Run again: lockscope-cli replay 'my run.json'\n"), text.c_str());
    QVERIFY2(isIn("mutual-exclusion") && isIn("A and B both hold k"), text.c_str());
    QVERIFY2(isIn("  acquisitions"), text.c_str());
    QVERIFY2(isIn(" 1.    0.000 s  A sends SET"), text.c_str());
}

void TestRunOutputs::scriptsGetTheSame()
{
    const report::Json json = recordJson(testing::recordedExample(), "a.run.cbor");
    QCOMPARE(testing::schemaComplaint(nlohmann::json(json), "run"), std::string());
    QCOMPARE(json["file"].get<std::string>(), std::string("a.run.cbor"));
    QVERIFY(json["stats"]["acquisitions"].get<int>() >= 2);
}

LOCKSCOPE_TEST(TestRunOutputs, Core)

} // namespace lockscope::tst_run_outputs

#include "tst_run_outputs.moc"
