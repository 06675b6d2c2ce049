#include "core/kernel/report/run/packed_column.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <limits>

namespace lockscope::tst_packed_column {

using Numbers = std::vector<std::int64_t>;

class TestPackedColumn : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theTextIsAsDocumented();
    void theLimitsOfNumbersAreRead();
    void brokenColumnsAreRefused_data();
    void brokenColumnsAreRefused();
};

void TestPackedColumn::theTextIsAsDocumented()
{
    QVERIFY(report::unpackedColumn("") == Numbers());
    QVERIFY(report::unpackedColumn("AAEC") == (Numbers{0, -1, 1}));
    QVERIFY(report::unpackedColumn("gAE=") == Numbers{64});
    QVERIFY(report::unpackedColumn("fw==") == Numbers{-64});
}

/// As version 1 wrote them.
void TestPackedColumn::theLimitsOfNumbersAreRead()
{
    QVERIFY(report::unpackedColumn("/v//////////Af///////////wE=")
            == (Numbers{std::numeric_limits<std::int64_t>::max(),
                        std::numeric_limits<std::int64_t>::min()}));
}

void TestPackedColumn::brokenColumnsAreRefused_data()
{
    QTest::addColumn<std::string>("text");
    QTest::newRow("too short") << std::string("AAE");
    QTest::newRow("no letter") << std::string("AA*C");
    QTest::newRow("padding within") << std::string("A=AAAAAA");
    QTest::newRow("cut off") << std::string("gICA");
    QTest::newRow("more than 64 bits") << std::string("//////////////9/");
}

void TestPackedColumn::brokenColumnsAreRefused()
{
    QFETCH(const std::string, text);
    QVERIFY(!report::unpackedColumn(text));
}

LOCKSCOPE_TEST(TestPackedColumn, None)

} // namespace lockscope::tst_packed_column

#include "tst_packed_column.moc"
