#include "kernel/text_in_failures.h"
#include "report/csv_text.h"

#include <QTest>

using namespace lockscope;

class TestCsvText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void onlyWhatNeedsItIsQuoted();
};

void TestCsvText::onlyWhatNeedsItIsQuoted()
{
    QCOMPARE(report::csvQuoted(""), std::string());
    QCOMPARE(report::csvQuoted("order 42"), std::string("order 42"));
    QCOMPARE(report::csvQuoted("a,b"), std::string("\"a,b\""));
    QCOMPARE(report::csvQuoted("say \"a\""), std::string("\"say \"\"a\"\"\""));
    QCOMPARE(report::csvQuoted("a\nb"), std::string("\"a\nb\""));
}

QTEST_APPLESS_MAIN(TestCsvText)
#include "tst_csv_text.moc"
