#include "core/kernel/inspect/decoders/token_shapes.h"
#include "tests/kernel/random_input.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

Q_DECLARE_METATYPE(lockscope::inspect::decoders::TokenShape)

namespace lockscope::tst_token_shapes {

using namespace lockscope::inspect::decoders;
using namespace std::chrono_literals;
using namespace std::string_literals;
using lockscope::testing::RandomInput;

namespace {

const Bytes kUuid = "0b2e54a7-9f0c-4d51-8a6e-1c2d3e4f5a6b";

} // namespace

class TestTokenShapes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void decimalsAreStrict();
    void uuidsAreToldByTheirDashes();
    void onlyRandomUuidsCountAsVersion4();
    void redissonOwnersHaveAThread();
    void timeUuidsTellTimeAndNode();
    void otherHexIsNoTimeUuid();
    void stampsHaveThirteenDigits();
    void stampsAreBigEndian();
    void onlyInstantsOfThisEraAreNear();
    void stampedUuidsAreTakenApart();
    void shapesAreTold_data();
    void shapesAreTold();
    void randomTokensAreAlwaysSeen();
    void anyBytesHaveAShape();
};

void TestTokenShapes::decimalsAreStrict()
{
    QCOMPARE(decimalOf("0"), 0);
    QCOMPARE(decimalOf("42"), 42);
    QCOMPARE(decimalOf("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
    for (const std::string_view text :
         {"", "-1", "+1", "01", "1.0", " 1", "1 ", "0x1", "9223372036854775808"}) {
        QVERIFY2(!decimalOf(text), std::string(text).c_str());
    }
}

void TestTokenShapes::uuidsAreToldByTheirDashes()
{
    QVERIFY(isUuid(kUuid));
    QVERIFY(isUuid("0B2E54A7-9F0C-4D51-8A6E-1C2D3E4F5A6B"));
    QVERIFY(!isUuid("0b2e54a79f0c-4d51-8a6e-1c2d3e4f5a6b-"));
    QVERIFY(!isUuid("0b2e54a7-9f0c-4d51-8a6e-1c2d3e4f5a6g"));
    QVERIFY(!isUuid(kUuid + "0"));
    QVERIFY(!isUuid(""));
}

void TestTokenShapes::onlyRandomUuidsCountAsVersion4()
{
    QVERIFY(isUuid4(kUuid));
    QVERIFY(!isUuid4("0b2e54a7-9f0c-1d51-8a6e-1c2d3e4f5a6b"));
    QVERIFY(!isUuid4("0b2e54a7-9f0c-4d51-7a6e-1c2d3e4f5a6b"));
    QVERIFY(!isUuid4("0B2E54A7-9F0C-4D51-8A6E-1C2D3E4F5A6B"));
}

void TestTokenShapes::redissonOwnersHaveAThread()
{
    QVERIFY(isUuidAndThread(kUuid + ":63"));
    QVERIFY(isUuidAndThread(kUuid + ":-9223372036854775808"));
    for (const std::string tail :
         {"", ":", ":-", ":6x", ".63", ":63:write", ":12345678901234567890"}) {
        QVERIFY2(!isUuidAndThread(kUuid + tail), tail.c_str());
    }
    QVERIFY(!isUuidAndThread("0b2e54a7-9f0c-1d51-8a6e-1c2d3e4f5a6b:63"));
}

void TestTokenShapes::timeUuidsTellTimeAndNode()
{
    // Taken by python3-redis 4.3.4 when the server's clock said 1795164858641.
    const std::optional<TimeUuid> token = timeUuidOfHex32("f8a16a0ee4bf11f185fa02fc00000001");
    QVERIFY(token);
    QCOMPARE(toEpochMs(token->createdAt), 1'795'164'858'641);
    QCOMPARE(token->node, 0x02fc00000001U);
    QVERIFY(!token->isNodeRandom());
    QVERIFY(timeUuidOfHex32("f8a16a0ee4bf11f185fa03fc00000001")->isNodeRandom());
}

void TestTokenShapes::otherHexIsNoTimeUuid()
{
    for (const std::string_view text :
         {"f8a16a0ee4bf41f185fa02fc00000001", "f8a16a0ee4bf11f175fa02fc00000001",
          "F8A16A0EE4BF11F185FA02FC00000001", "f8a16a0ee4bf11f185fa02fc0000000", ""}) {
        QVERIFY2(!timeUuidOfHex32(text), std::string(text).c_str());
    }
}

void TestTokenShapes::stampsHaveThirteenDigits()
{
    QCOMPARE(toEpochMs(*stampOf13Digits("1795164858641")), 1'795'164'858'641);
    QVERIFY(!stampOf13Digits("179516485864"));
    QVERIFY(!stampOf13Digits("17951648586411"));
    QVERIFY(!stampOf13Digits("0795164858641"));
    QVERIFY(!stampOf13Digits("1795164858.64"));
    QCOMPARE(toEpochMs(*stampOfMillis("1795164858641")), 1'795'164'858'641);
    QCOMPARE(toEpochMs(*stampOfMillis("1795164858641.199")), 1'795'164'858'641);
    QVERIFY(!stampOfMillis("1795164858641."));
    QVERIFY(!stampOfMillis("1795164858641.2e3"));
    QVERIFY(!stampOfMillis("1795164858.64"));
}

void TestTokenShapes::stampsAreBigEndian()
{
    QCOMPARE(toEpochMs(*stampOf8Bytes("\x00\x00\x01\xa1\xf8*b3"s)), 1'795'164'889'651);
    QVERIFY(!stampOf8Bytes("\x00\x00\x01\xa1\xf8*b"s));
    QVERIFY(!stampOf8Bytes(""));
}

void TestTokenShapes::onlyInstantsOfThisEraAreNear()
{
    const WallTime now = wallTimeOfMs(1'795'164'858'641);
    const std::chrono::days window(10);
    QVERIFY(isNear(now - window, now, window));
    QVERIFY(!isNear(now - window - 1ms, now, window));
    QVERIFY(isNear(now + window, now, window));
    QVERIFY(!isNear(now + window + 1ms, now, window));
    QVERIFY(!isNear(WallTime::min(), now, window));
    QVERIFY(!isNear(WallTime::max(), now, window));
    QVERIFY2(!isNear(WallTime{}, WallTime{}, window), "the server's clock is not known");
    QVERIFY(!isNear(WallTime::max(), WallTime::max(), window));
}

void TestTokenShapes::stampedUuidsAreTakenApart()
{
    const Bytes value = kUuid + ".1795164858641";
    const std::optional<StampedUuid> token = stampedUuidOf(value);
    QVERIFY(token);
    QCOMPARE(Bytes(token->uuid), kUuid);
    QCOMPARE(toEpochMs(token->stamp), 1'795'164'858'641);
    for (const std::string tail : {"", ".", ".179516485864", ":1795164858641", ".1795164858641x"}) {
        QVERIFY2(!stampedUuidOf(kUuid + tail), tail.c_str());
    }
}

void TestTokenShapes::shapesAreTold_data()
{
    QTest::addColumn<std::string>("bytes");
    QTest::addColumn<TokenShape>("shape");
    QTest::newRow("uuid") << kUuid << TokenShape::Uuid;
    QTest::newRow("uuid and thread") << kUuid + ":17" << TokenShape::UuidTail;
    QTest::newRow("uuid and host") << kUuid + "@web-3" << TokenShape::UuidTail;
    QTest::newRow("uuid and a novel") << kUuid + ":" + Bytes(64, 'x') << TokenShape::UuidInside;
    QTest::newRow("uuid and a letter") << kUuid + "x" << TokenShape::Name;
    QTest::newRow("32 hex") << "9f1c02d7a4e35b8860ffabcd12345678"s << TokenShape::Hex;
    QTest::newRow("one digit over and over") << Bytes(32, 'a') << TokenShape::Hex;
    QTest::newRow("32 digits") << Bytes("12345678901234567890123456789012") << TokenShape::Hex;
    QTest::newRow("base64 of 16") << "nxwC16TjW4hg/6vNEjRWeA=="s << TokenShape::Base64;
    QTest::newRow("base64 of 18") << "nxwC16TjW4hg6vNEjRWeA123"s << TokenShape::Base64;
    QTest::newRow("base64 of 16, not filled up") << "nxwC16TjW4hg/6vNEjRWeA"s << TokenShape::Base64;
    QTest::newRow("base64url of 16") << "nxwC16TjW4hg_6vNEjRWeA"s << TokenShape::Random;
    QTest::newRow("20 bytes")
        << "\x9f\x1c\x02\xd7\xa4\xe3\x5b\x88\x60\xff\xab\xcd\x12\x34\x56\x78\xde\xad\xbe\xef"s
        << TokenShape::RawBytes;
    QTest::newRow("17 bytes")
        << "\x9f\x1c\x02\xd7\xa4\xe3\x5b\x88\x60\xff\xab\xcd\x12\x34\x56\x78\xde"s
        << TokenShape::None;
    QTest::newRow("letters and digits") << "Zk3mQ9xT7bL2vN8c"s << TokenShape::Random;
    QTest::newRow("few of them") << "a8Fk29dk"s << TokenShape::Name;
    QTest::newRow("host and process") << "web-3:4711"s << TokenShape::Process;
    QTest::newRow("host and process, PHP") << "web-3.example|4711"s << TokenShape::Process;
    QTest::newRow("process and host") << "4711@web-3"s << TokenShape::Process;
    QTest::newRow("thread of a pool") << "pool-1-thread-3"s << TokenShape::Name;
    QTest::newRow("numbers that are joined") << "4711-12-80125307"s << TokenShape::Name;
    QTest::newRow("process and host in brackets") << "[pid 4711] web-3:/x"s << TokenShape::Phrase;
    QTest::newRow("words") << "OrderImportService"s << TokenShape::Name;
    QTest::newRow("word") << "locked"s << TokenShape::Name;
    QTest::newRow("a worker of a host") << "web-3:4711:12"s << TokenShape::Worker;
    QTest::newRow("the same in other words") << "web-3/4711/worker-2"s << TokenShape::Worker;
    QTest::newRow("names without a number") << "a:b:c"s << TokenShape::Name;
    QTest::newRow("worker and uuid") << "worker-3:" + kUuid << TokenShape::UuidInside;
    QTest::newRow("serialised by Java")
        << "\xac\xed\x00\x05t\x00$"s + kUuid << TokenShape::UuidInside;
    QTest::newRow("uuid in quotes") << '"' + kUuid + '"' << TokenShape::UuidInside;
    QTest::newRow("name and uuid without dashes")
        << "_LOCK:orders:6e3fe2e0f4ca4d5dae71d10b85f709a2"s << TokenShape::UuidInside;
    QTest::newRow("name and 33 hex")
        << "_LOCK:orders:6e3fe2e0f4ca4d5dae71d10b85f709a2a"s << TokenShape::Name;
    QTest::newRow("uuid and a page") << kUuid + ":" + Bytes(300, 'x') << TokenShape::Name;
    QTest::newRow("JSON of an owner")
        << R"({"host": "web-3", "pid": 4711})"s << TokenShape::Document;
    QTest::newRow("JSON, other spelling") << R"({"lockedBy":"web-3"})"s << TokenShape::Document;
    QTest::newRow("JSON of an instant")
        << R"({"lockedSince":"2026-11-25T07:11:15.422Z"})"s << TokenShape::Document;
    QTest::newRow("an owner as a value") << R"({"role":"owner"})"s << TokenShape::None;
    QTest::newRow("name in quotes") << "\"worker-7\""s << TokenShape::Document;
    QTest::newRow("number in quotes") << "\"7\""s << TokenShape::None;
    QTest::newRow("Chinese") << "工作节点"s << TokenShape::Name;
    QTest::newRow("German, UTF-8") << "Müller-PC"s << TokenShape::Name;
    QTest::newRow("German, Latin-1") << "M\xfcller-PC"s << TokenShape::Name;
    QTest::newRow("a long name") << Bytes(300, 'w') << TokenShape::Name;
    QTest::newRow("too long for a name") << Bytes(1025, 'w') << TokenShape::None;
    QTest::newRow("several words") << "the night shift"s << TokenShape::Phrase;
    QTest::newRow("a date") << "2026-11-23T11:40:05Z"s << TokenShape::Phrase;
    QTest::newRow("an address of the web") << "https://example.org/a"s << TokenShape::Phrase;
    QTest::newRow("number") << "1234567"s << TokenShape::None;
    QTest::newRow("document") << "{\"a\": 1}"s << TokenShape::None;
    QTest::newRow("line break") << "a\nb"s << TokenShape::None;
    QTest::newRow("nothing") << ""s << TokenShape::None;
}

void TestTokenShapes::shapesAreTold()
{
    QFETCH(std::string, bytes);
    QFETCH(TokenShape, shape);
    QCOMPARE(shapeOf(bytes), shape);
}

void TestTokenShapes::randomTokensAreAlwaysSeen()
{
    constexpr std::string_view kAlphabet =
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    RandomInput input;
    int seen = 0;
    for (int i = 0; i < 1'000; ++i) {
        Bytes token(20, '\0');
        for (char& c : token) {
            c = kAlphabet[input.rng().below(kAlphabet.size())];
        }
        seen += isUnmistakable(shapeOf(token)) ? 1 : 0;
    }
    QVERIFY2(seen == 1'000, input.recipe(std::to_string(seen)).c_str());
}

void TestTokenShapes::anyBytesHaveAShape()
{
    RandomInput input;
    for (int i = 0; i < 20'000; ++i) {
        const Bytes bytes = input.bytes(300);
        const TokenShape shape = shapeOf(bytes);
        QVERIFY2(!isUnmistakable(shape) || bytes.size() <= 256, input.recipe(bytes).c_str());
    }
}

LOCKSCOPE_TEST(TestTokenShapes, None)

} // namespace lockscope::tst_token_shapes

#include "tst_token_shapes.moc"
