#include "core/kernel/report/run/file_column.h"
#include "core/kernel/report/run/packed_column.h"
#include "tests/kernel/random_input.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <limits>
#include <vector>

namespace lockscope::tst_packed_column {

using report::ColumnReader;
using report::ColumnWriter;

namespace {

std::vector<std::int64_t> numbersIn(ColumnReader reader)
{
    std::vector<std::int64_t> numbers;
    while (const auto number = reader.next()) {
        numbers.push_back(*number);
    }
    return numbers;
}

std::string textOf(const std::vector<std::int64_t>& numbers)
{
    ColumnWriter writer;
    for (const std::int64_t number : numbers) {
        writer.add(number);
    }
    return writer.text();
}

} // namespace

class TestPackedColumn : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theTextIsAsDocumented();
    void everyNumberComesBack();
    void randomColumnsComeBack();
    void brokenColumnsEnd_data();
    void brokenColumnsEnd();
    void filesKeepNumbersWithinLimits();
};

void TestPackedColumn::theTextIsAsDocumented()
{
    QCOMPARE(textOf({}), std::string());
    QCOMPARE(textOf({0, -1, 1}), std::string("AAEC"));
    QCOMPARE(textOf({64}), std::string("gAE="));
}

void TestPackedColumn::everyNumberComesBack()
{
    const std::vector<std::int64_t> numbers{0,
                                            1,
                                            -1,
                                            63,
                                            64,
                                            -64,
                                            -65,
                                            1'000'000'007,
                                            std::numeric_limits<std::int64_t>::max(),
                                            std::numeric_limits<std::int64_t>::min()};
    const auto reader = ColumnReader::of(textOf(numbers));
    QVERIFY(reader);
    QVERIFY(numbersIn(*reader) == numbers);
    QVERIFY(reader->countMax() >= numbers.size());
}

void TestPackedColumn::randomColumnsComeBack()
{
    testing::RandomInput input;
    for (int run = 0; run < 200; ++run) {
        std::vector<std::int64_t> numbers(input.rng().below(20));
        for (std::int64_t& number : numbers) {
            number = static_cast<std::int64_t>(input.rng().next() >> input.rng().below(64));
        }
        const auto reader = ColumnReader::of(textOf(numbers));
        QVERIFY2(reader && numbersIn(*reader) == numbers, input.recipe().c_str());
    }
}

void TestPackedColumn::brokenColumnsEnd_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<bool>("isBase64");
    QTest::newRow("too short") << std::string("AAE") << false;
    QTest::newRow("no letter") << std::string("AA*C") << false;
    QTest::newRow("padding within") << std::string("A=AAAAAA") << false;
    QTest::newRow("cut off") << std::string("gICA") << true;
    QTest::newRow("more than 64 bits") << std::string("//////////////9/") << true;
}

void TestPackedColumn::brokenColumnsEnd()
{
    QFETCH(const std::string, text);
    QFETCH(const bool, isBase64);
    const auto reader = ColumnReader::of(text);
    QCOMPARE(reader.has_value(), isBase64);
    QVERIFY(!reader || numbersIn(*reader).empty());
}

void TestPackedColumn::filesKeepNumbersWithinLimits()
{
    const nlohmann::json root{{"column", textOf({1, 9})}, {"number", 7}, {"huge", ~0ULL}};
    const protocol::FileSection file(root, "", {"column", "number", "huge"});
    report::FileColumn column(file, "column", 0, 8);
    QCOMPARE(column.nextAs<int>(), 1);
    QVERIFY_THROWS_EXCEPTION(protocol::FileFault, column.expectEnd());
    QVERIFY_THROWS_EXCEPTION(protocol::FileFault, column.next());
    QCOMPARE(report::readInteger(file, "number", 0, 7), 7);
    QVERIFY_THROWS_EXCEPTION(protocol::FileFault, report::readInteger(file, "number", 0, 6));
    QVERIFY_THROWS_EXCEPTION(protocol::FileFault, report::readInteger(file, "huge", 0, 6));
}

LOCKSCOPE_TEST(TestPackedColumn, None)

} // namespace lockscope::tst_packed_column

#include "tst_packed_column.moc"
