#include "core/kernel/protocol/json_places.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_json_places {

using namespace lockscope::protocol;

namespace {

// No raw string: moc does not understand those with quotes behind backslashes.
constexpr std::string_view kText =
    "{\n"
    "  \"plain\": 1,\n"
    "  \"a \\\"quoted\\\" name\": [\n"
    "    10, \"two\", \"with \\\"quotes\\\" and a backslash \\\\\",\n"
    "    null,   true\n"
    "  ], \"deep\": {\"inner\": [[], {\"last\": -1.5e3}]}\n"
    "}";

} // namespace

class TestJsonPlaces : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void membersAndElementsAreFound_data();
    void membersAndElementsAreFound();
    void whatIsNotThereIsLookedForAroundIt();
    void aMemberThatIsThereTwiceIsNoticed();
    void theSameNameInAnotherObjectIsNotTwice();
    void aPlaceCountsLinesAndBytes_data();
    void aPlaceCountsLinesAndBytes();
};

void TestJsonPlaces::membersAndElementsAreFound_data()
{
    QTest::addColumn<std::string>("path");
    QTest::addColumn<int>("line");
    QTest::addColumn<int>("column");
    const auto add = [](const char* path, int line, int column) {
        QTest::newRow(path) << std::string(path) << line << column;
    };
    add("/plain", 2, 3);
    add("/a \"quoted\" name", 3, 3);
    add("/a \"quoted\" name/0", 4, 5);
    add("/a \"quoted\" name/1", 4, 9);
    add("/a \"quoted\" name/2", 4, 16);
    add("/a \"quoted\" name/3", 5, 5);
    add("/a \"quoted\" name/4", 5, 13);
    add("/deep", 6, 6);
    add("/deep/inner", 6, 15);
    add("/deep/inner/0", 6, 25);
    add("/deep/inner/1", 6, 29);
    add("/deep/inner/1/last", 6, 30);
}

void TestJsonPlaces::membersAndElementsAreFound()
{
    QFETCH(const std::string, path);
    QFETCH(const int, line);
    QFETCH(const int, column);
    const TextPlace place = JsonPlaces(kText).of(path);
    QCOMPARE(place.line, line);
    QCOMPARE(place.column, column);
}

void TestJsonPlaces::whatIsNotThereIsLookedForAroundIt()
{
    const JsonPlaces places(kText);
    QVERIFY(places.of("/deep/inner/9/x") == places.of("/deep/inner"));
    QVERIFY(places.of("/nothing") == (TextPlace{1, 1}));
    QVERIFY(places.of("") == (TextPlace{1, 1}));
}

void TestJsonPlaces::aMemberThatIsThereTwiceIsNoticed()
{
    constexpr std::string_view kTwice = "{\"a\": {\"b\": 1,\n \"b\": 2}}";
    const JsonPlaces places(kTwice);
    QCOMPARE(places.repeated(), std::optional<std::string>("/a/b"));
    QVERIFY(places.repeatedPlace() == (TextPlace{2, 2}));
}

void TestJsonPlaces::theSameNameInAnotherObjectIsNotTwice()
{
    QVERIFY(!JsonPlaces(R"([{"a": 1}, {"a": 2}, {"b": {"a": 3}}])").repeated());
}

void TestJsonPlaces::aPlaceCountsLinesAndBytes_data()
{
    QTest::addColumn<std::size_t>("offset");
    QTest::addColumn<int>("line");
    QTest::addColumn<int>("column");
    QTest::newRow("begin") << std::size_t{0} << 1 << 1;
    QTest::newRow("before the line ends") << std::size_t{2} << 1 << 3;
    QTest::newRow("next line") << std::size_t{3} << 2 << 1;
    QTest::newRow("empty line") << std::size_t{6} << 3 << 1;
    QTest::newRow("end") << std::size_t{8} << 4 << 2;
    QTest::newRow("beyond") << std::size_t{99} << 4 << 2;
}

void TestJsonPlaces::aPlaceCountsLinesAndBytes()
{
    QFETCH(const std::size_t, offset);
    QFETCH(const int, line);
    QFETCH(const int, column);
    const TextPlace place = placeAt("ab\ncd\n\ne", offset);
    QCOMPARE(place.line, line);
    QCOMPARE(place.column, column);
}

LOCKSCOPE_TEST(TestJsonPlaces, Core)

} // namespace lockscope::tst_json_places

#include "tst_json_places.moc"
