#include "core/kernel/report/csv_text.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_csv_text {

class TestCsvText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void onlyWhatNeedsItIsQuoted();
    void noFieldIsAFormula_data();
    void noFieldIsAFormula();
};

void TestCsvText::onlyWhatNeedsItIsQuoted()
{
    QCOMPARE(report::csvField(""), std::string());
    QCOMPARE(report::csvField("order 42"), std::string("order 42"));
    QCOMPARE(report::csvField("a,b"), std::string("\"a,b\""));
    QCOMPARE(report::csvField("say \"a\""), std::string("\"say \"\"a\"\"\""));
    QCOMPARE(report::csvField("a\nb"), std::string("\"a\nb\""));
    QCOMPARE(report::csvField("a\x1b[2Jb"), std::string("a\\x1b[2Jb"));
}

void TestCsvText::noFieldIsAFormula_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("field");
    QTest::newRow("=") << std::string("=1+1") << std::string("'=1+1");
    QTest::newRow("+") << std::string("+49 30") << std::string("'+49 30");
    QTest::newRow("-") << std::string("-cmd|' /C calc'!A0") << std::string("'-cmd|' /C calc'!A0");
    QTest::newRow("- before a digit") << std::string("-1+cmd") << std::string("'-1+cmd");
    QTest::newRow("- and two numbers") << std::string("-1-2") << std::string("'-1-2");
    QTest::newRow("@") << std::string("@SUM(A1)") << std::string("'@SUM(A1)");
    QTest::newRow("tab") << std::string("\t=1") << std::string("'\t=1");
    QTest::newRow("return") << std::string("\r=1") << std::string("\\x0d=1");
    QTest::newRow("line end") << std::string("\n=1") << std::string("\"'\n=1\"");
    QTest::newRow("wide") << std::string("\uff1d1") << std::string("'\uff1d1");
    QTest::newRow("quoted") << std::string("=a,b") << std::string("\"'=a,b\"");
    QTest::newRow("a number") << std::string("-5") << std::string("-5");
    QTest::newRow("a fraction") << std::string("-1.5e-07") << std::string("-1.5e-07");
    QTest::newRow("inside") << std::string("a=1") << std::string("a=1");
}

void TestCsvText::noFieldIsAFormula()
{
    QFETCH(const std::string, text);
    QFETCH(const std::string, field);
    QCOMPARE(report::csvField(text), field);
}

LOCKSCOPE_TEST(TestCsvText, None)

} // namespace lockscope::tst_csv_text

#include "tst_csv_text.moc"
