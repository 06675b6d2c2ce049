#include "core/kernel/report/run/file_column.h"
#include "core/kernel/report/run/typed_column.h"
#include "tests/kernel/random_input.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <limits>

namespace lockscope::tst_typed_column {

using nlohmann::json;
using report::numbersInTypedColumn;
using report::typedColumn;

namespace {

using Numbers = std::vector<std::int64_t>;

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

} // namespace

class TestTypedColumn : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theNarrowestTypeIsTaken_data();
    void theNarrowestTypeIsTaken();
    void numbersAreLittleEndian();
    void randomColumnsComeBack();
    void whatIsNoColumnIsRefused();
    void filesKeepNumbersWithinLimits();
};

void TestTypedColumn::theNarrowestTypeIsTaken_data()
{
    QTest::addColumn<Numbers>("numbers");
    QTest::addColumn<int>("tag");
    QTest::addColumn<int>("bytesEach");
    QTest::newRow("none") << Numbers{} << 64 << 0;
    QTest::newRow("uint8") << Numbers{0, 255} << 64 << 1;
    QTest::newRow("sint8") << Numbers{-128, 127} << 72 << 1;
    QTest::newRow("uint16") << Numbers{0, 65'535} << 69 << 2;
    QTest::newRow("sint16") << Numbers{-1, 128} << 77 << 2;
    QTest::newRow("uint32") << Numbers{0, 4'294'967'295} << 70 << 4;
    QTest::newRow("sint32") << Numbers{-32'769, 0} << 78 << 4;
    QTest::newRow("sint64") << Numbers{0, 4'294'967'296} << 79 << 8;
    QTest::newRow("all bits") << Numbers{-kMost - 1, kMost} << 79 << 8;
}

void TestTypedColumn::theNarrowestTypeIsTaken()
{
    QFETCH(const Numbers, numbers);
    QFETCH(const int, tag);
    QFETCH(const int, bytesEach);
    const json column = typedColumn(numbers);
    QCOMPARE(static_cast<int>(column.get_binary().subtype()), tag);
    QCOMPARE(column.get_binary().size(), numbers.size() * static_cast<std::size_t>(bytesEach));
    QVERIFY(numbersInTypedColumn(column) == numbers);
}

void TestTypedColumn::numbersAreLittleEndian()
{
    const json column = typedColumn({-2, 0x0102});
    QVERIFY(column.get_binary()
            == json::binary_t(std::vector<std::uint8_t>{0xFE, 0xFF, 0x02, 0x01}, 77));
}

void TestTypedColumn::randomColumnsComeBack()
{
    testing::RandomInput input;
    for (int run = 0; run < 200; ++run) {
        Numbers numbers(input.rng().below(20));
        const std::uint64_t narrower = input.rng().below(64);
        for (std::int64_t& number : numbers) {
            number = static_cast<std::int64_t>(input.rng().next() >> narrower);
        }
        QVERIFY2(numbersInTypedColumn(typedColumn(numbers)) == numbers, input.recipe().c_str());
    }
}

void TestTypedColumn::whatIsNoColumnIsRefused()
{
    QVERIFY(!numbersInTypedColumn(json("AAEC")));
    QVERIFY(!numbersInTypedColumn(json::binary({1, 2})));     // of no type
    QVERIFY(!numbersInTypedColumn(json::binary({1, 2}, 65))); // big-endian
    QVERIFY(!numbersInTypedColumn(json::binary({1, 2, 3}, 69)));
}

void TestTypedColumn::filesKeepNumbersWithinLimits()
{
    const json root{{"column", typedColumn({1, 9})}, {"number", 7}, {"huge", ~0ULL}};
    const protocol::FileSection file(root, "", {"column", "number", "huge"});
    report::FileColumn column(file, "column", 0, 8);
    QCOMPARE(column.nextAs<int>(), 1);
    QVERIFY_THROWS_EXCEPTION(protocol::FileFault, column.expectEnd());
    QVERIFY_THROWS_EXCEPTION(protocol::FileFault, column.next());
    QCOMPARE(report::readInteger(file, "number", 0, 7), 7);
    QVERIFY_THROWS_EXCEPTION(protocol::FileFault, report::readInteger(file, "number", 0, 6));
    QVERIFY_THROWS_EXCEPTION(protocol::FileFault, report::readInteger(file, "huge", 0, 6));
}

LOCKSCOPE_TEST(TestTypedColumn, None)

} // namespace lockscope::tst_typed_column

#include "tst_typed_column.moc"
