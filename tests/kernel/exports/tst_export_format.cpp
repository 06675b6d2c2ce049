#include "core/kernel/exports/export_format.h"
#include "tests/kernel/exports/recorded_example.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_export_format {

using exports::ExportFormat;

class TestExportFormat : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyFormatIsFoundByItsName();
    void aRunIsWrittenInEveryFormat();
};

void TestExportFormat::everyFormatIsFoundByItsName()
{
    for (int i = 0; i < static_cast<int>(ExportFormat::FormatCount); ++i) {
        const auto format = static_cast<ExportFormat>(i);
        QVERIFY(!idOf(format).empty() && suffixOf(format).starts_with('.'));
        QVERIFY(exports::exportFormatOf(idOf(format)) == format);
    }
    QVERIFY(!exports::exportFormatOf("pdf"));
}

void TestExportFormat::aRunIsWrittenInEveryFormat()
{
    const report::RunFile run = testing::recordedExample();
    QVERIFY(exported(run, ExportFormat::Perfetto).starts_with("{\"displayTimeUnit\""));
    QVERIFY(exported(run, ExportFormat::ShiViz).starts_with("(?<timestamp>"));
    QVERIFY(exported(run, ExportFormat::Csv).starts_with("contender,lock,"));
    QVERIFY(exported(run, ExportFormat::Markdown).starts_with("# set-nx-px-token"));
}

LOCKSCOPE_TEST(TestExportFormat, None)

} // namespace lockscope::tst_export_format

#include "tst_export_format.moc"
