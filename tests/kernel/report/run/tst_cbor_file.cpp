#include "core/kernel/protocol/file_section.h"
#include "core/kernel/report/run/cbor_file.h"
#include "tests/kernel/random_input.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <limits>

namespace lockscope::tst_cbor_file {

using report::Json;

namespace {

constexpr std::string_view kMark = "\xD9\xD9\xF7";

std::string marked(std::string_view content)
{
    return std::string(kMark) += content;
}

/// What is wrong with the file; empty: nothing.
std::string complaintAbout(std::string_view bytes, nlohmann::json& content)
{
    const auto error = report::readCborFile(bytes, [&content](const nlohmann::json& root) {
        content = root;
    });
    return error ? toText(*error) : std::string();
}

Json someContent()
{
    return {{"number", 1'000'000},    {"negative", std::numeric_limits<std::int64_t>::min()},
            {"text", "käse"},         {"list", {1, true, nullptr, Json::array()}},
            {"none", Json::object()}, {"bytes", Json::binary({1, 2}, 69)}};
}

} // namespace

class TestCborFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsWrittenIsRead();
    void damageIsRefusedWithItsPlace_data();
    void damageIsRefusedWithItsPlace();
    void everyCutIsNoticed();
    void levelsWithoutEndAreRefused();
    void aWrongMemberIsNamed();
    void mutationsNeverCrash();
};

void TestCborFile::whatIsWrittenIsRead()
{
    const std::string bytes = report::cborText(someContent());
    QVERIFY(report::isCbor(bytes));
    QVERIFY(!report::isCbor("{}"));
    nlohmann::json content;
    QCOMPARE(complaintAbout(bytes, content), std::string());
    QVERIFY(content == nlohmann::json(someContent()));
}

void TestCborFile::damageIsRefusedWithItsPlace_data()
{
    using namespace std::string_literals;
    QTest::addColumn<std::string>("content");
    QTest::addColumn<int>("byte");
    QTest::newRow("nothing") << ""s << 4;
    QTest::newRow("something behind") << "\x01\x02"s << 5;
    QTest::newRow("a length is cut off") << "\x79\x01"s << 4;
    QTest::newRow("a text is too short") << "\x63"
                                            "ab"s
                                         << 5;
    QTest::newRow("a list claims too much") << "\x9B\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF"s << 13;
    QTest::newRow("a map claims too much") << "\xBB\x80\x00\x00\x00\x00\x00\x00\x00"s << 13;
    QTest::newRow("no length") << "\x9F\x01\xFF"s << 4;
    QTest::newRow("no UTF-8") << "\x61\xFF"s << 6;
    QTest::newRow("below 64 bits") << "\x3B\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"s << 13;
    QTest::newRow("a fraction") << "\xFB\x3F\xF0\x00\x00\x00\x00\x00\x00"s << 13;
    QTest::newRow("a tag on a number") << "\xD8\x45\x01"s << 7;
    QTest::newRow("a member's name is a number") << "\xA1\x01\x02"s << 6;
}

void TestCborFile::damageIsRefusedWithItsPlace()
{
    QFETCH(const std::string, content);
    QFETCH(const int, byte);
    nlohmann::json parsed;
    QCOMPARE(complaintAbout(marked(content), parsed),
             "byte " + std::to_string(byte) + ": The file is damaged or ends too early.");
}

void TestCborFile::everyCutIsNoticed()
{
    const std::string bytes = report::cborText(someContent());
    nlohmann::json content;
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        QVERIFY2(!complaintAbout(std::string_view(bytes).substr(0, size), content).empty(),
                 std::to_string(size).c_str());
    }
}

/// The parser would call itself until the stack is full.
void TestCborFile::levelsWithoutEndAreRefused()
{
    nlohmann::json content;
    for (const char level : {'\x81', '\xC6'}) {
        const std::string bytes = marked(std::string(5'000'000, level));
        QVERIFY(!complaintAbout(bytes, content).empty());
    }
}

void TestCborFile::aWrongMemberIsNamed()
{
    const auto error = report::readCborFile(report::cborText(someContent()),
                                            [](const nlohmann::json&) {
                                                throw protocol::FileFault{"/list/2", "Odd."};
                                            });
    QCOMPARE(toText(*error), std::string("/list/2: Odd."));
}

void TestCborFile::mutationsNeverCrash()
{
    testing::RandomInput input;
    const std::string sound = report::cborText(someContent());
    for (int run = 0; run < 5'000; ++run) {
        std::string bytes = sound;
        for (std::uint64_t i = 0; i <= input.rng().below(3); ++i) {
            bytes[input.rng().below(bytes.size())] = static_cast<char>(input.rng().below(256));
        }
        nlohmann::json content;
        if (complaintAbout(bytes, content).empty()) {
            nlohmann::json again;
            QVERIFY2(complaintAbout(report::cborText(content), again).empty() && again == content,
                     input.recipe(bytes).c_str());
        }
    }
}

LOCKSCOPE_TEST(TestCborFile, None)

} // namespace lockscope::tst_cbor_file

#include "tst_cbor_file.moc"
