#include "core/kernel/inspect/formats/named_token.h"
#include "tests/kernel/inspect/formats/library_tokens.h"
#include "tests/kernel/inspect/formats/ticket_lock.h"
#include "tests/kernel/random_input.h"
#include "tests/support/seen_keys.h"
#include "tests/support/test_program.h"

#include <QTest>

// A library that keeps its lock in one string is one data file.
namespace lockscope::tst_named_token {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::string_literals;
using namespace std::string_view_literals;

namespace {

/// Without `format`: as the first one is read, but never with more than low confidence.
void readAllAlike(const Library& tried, const Bytes& key, std::string_view format)
{
    const int drawCount = qEnvironmentVariableIsSet("LOCKSCOPE_DRAWS")
                              ? qEnvironmentVariableIntValue("LOCKSCOPE_DRAWS")
                              : 1000;
    RandomInput input;
    std::optional<Confidence> confidence = format.empty() ? std::optional(Confidence::Low)
                                                          : std::nullopt;
    for (int i = 0; i < drawCount; ++i) {
        const Bytes token = tried.token(input.rng());
        const std::vector<DecodedLock> decoded = decodedLocksOf(tried.seen(key, token));
        const bool isRead = !decoded.empty()
                            && decoded.front().format
                                   == (format.empty() ? decoded.front().format : format)
                            && decoded.front().confidence
                                   == confidence.value_or(decoded.front().confidence);
        QVERIFY2(isRead, (escaped(token) + " is read as "
                          + (decoded.empty() ? "nothing" : std::string(decoded.front().format))
                          + ", " + input.recipe())
                             .c_str());
        confidence = decoded.front().confidence;
        format = decoded.front().format;
    }
}

} // namespace

class TestNamedToken : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFileIsARecogniser();
    void mostKeysAreToldByTheirFirstByte();
    void aReleaseComparesAndWakes();
    void whatIsNoSuchLockIsNotRead();
    void aMessageIsPublishedWhereClientsListen();
    void aTokenToTheBaseOf36MayBeDigitsAlone();
    void allTokensOfALibraryAreReadAlike_data();
    void allTokensOfALibraryAreReadAlike();
    void underAPlainNameTheyAreReadAlikeToo_data();
    void underAPlainNameTheyAreReadAlikeToo();

private:
    const FormatFile m_format = std::get<FormatFile>(readFormatFile(kTicketLock));
    const Decoder m_decoder = decoderOf(m_format);
    const LockSnapshot m_snapshot = of(stringKey("ticket:7:held", "web-3#0042"));
};

void TestNamedToken::aFileIsARecogniser()
{
    const std::optional<DecodedLock> decoded = m_decoder.read(m_snapshot);
    QVERIFY(decoded);
    QVERIFY(decoded->confidence == Confidence::High);
    QCOMPARE(decoded->holders.at(0).owner, "web-3#0042"s);
    const std::vector<Fact> facts = m_decoder.facts(m_snapshot, *decoded);
    QCOMPARE(facts.size(), 1U);
    QVERIFY(facts.front().label == "host" && facts.front().text == "web-3");
}

/// What a sweep of many keys is spared.
void TestNamedToken::mostKeysAreToldByTheirFirstByte()
{
    QVERIFY(m_decoder.mayBegin("ticket:7:held"));
    QVERIFY(!m_decoder.mayBegin("order:7"));
    QVERIFY(!m_decoder.mayBegin(""));
    const auto anyKey = readFormatFile(R"({
      "id": "any-lock", "library": "anylock", "summary": "The lock of anylock.",
      "keys": ["lock:*", "*:lock"], "values": ["{uuid4}"], "confidence": "low"
    })");
    QVERIFY(decoderOf(std::get<FormatFile>(anyKey)).mayBegin("order:7"));
}

void TestNamedToken::aReleaseComparesAndWakes()
{
    const ReleaseRecipe recipe = m_decoder.release(m_snapshot, *m_decoder.read(m_snapshot),
                                                   HolderChoice::all());
    QVERIFY(recipe.isAnonymous()); // the next hold of the process looks the same
    QCOMPARE(recipe.checks.at(0).value, "web-3#0042"s);
    QVERIFY(recipe.script == ReleaseRecipe::Script::PushToList);
    QVERIFY(recipe.companions == std::vector{"ticket:7:wake"s});
    QCOMPARE(recipe.payload, "go"s);
    QVERIFY((recipe.moreArguments == std::vector{"2000"s, "keep"s}));
    QCOMPARE(recipe.warnings.size(), 1U);
}

void TestNamedToken::aMessageIsPublishedWhereClientsListen()
{
    const auto read = readFormatFile(R"({
      "id": "bell-lock", "library": "belllock", "summary": "The lock of belllock.",
      "keys": ["*"], "values": ["{uuid4-hex}"], "confidence": "high",
      "publish": {"channel": "bell:*", "message": "free *"}, "needsListeners": true
    })");
    const Decoder decoder = decoderOf(std::get<FormatFile>(read));
    LockSnapshot snapshot = of(stringKey("stock", "95c34eb19f0c496681098cf1d1f275ab"));
    QVERIFY((decoder.channels(snapshot).channels == std::vector<Bytes>{"bell:stock"}));
    QVERIFY(decoder.channels(of(stringKey("stock", "95c34eb1"))).channels.empty());
    QVERIFY(!decoder.read(snapshot)); // others write such tokens as well

    snapshot.channels = {{"bell:stock", 1}};
    const std::optional<DecodedLock> decoded = decoder.read(snapshot);
    QVERIFY(decoded);
    QVERIFY(decoded->waiterSource == WaiterSource::Channel);
    QCOMPARE(decoded->waiterChannel, "bell:stock"s);
    const ReleaseRecipe recipe = decoder.release(snapshot, *decoded, HolderChoice::all());
    QCOMPARE(recipe.channel, "bell:stock"s);
    QCOMPARE(recipe.payload, "free stock"s);
}

void TestNamedToken::whatIsNoSuchLockIsNotRead()
{
    using namespace std::chrono_literals;
    QVERIFY(!m_decoder.read(of(stringKey("ticket:7:free", "web-3#0042"))));
    QVERIFY(!m_decoder.read(of(stringKey("ticket:7:held", "web-3#42"))));
    QVERIFY(!m_decoder.read(of(stringKey("ticket:7:held", "web-3#0042", std::nullopt))));
    QVERIFY(!m_decoder.read(of(hashKey("ticket:7:held", {{"web-3#0042", "1"}}))));
}

/// One of 100,000 draws of Math.random().toString(36) had no letter, and was read as a constant.
void TestNamedToken::aTokenToTheBaseOf36MayBeDigitsAlone()
{
    const auto formatOf = [](const Bytes& token) {
        const std::vector<DecodedLock> decoded = decodedLocksOf(of(stringKey("lock:stock", token)));
        return decoded.empty() ? std::string() : std::string(decoded.front().format);
    };
    QCOMPARE(formatOf("5lkikkr39oo"), "token"s);
    QCOMPARE(formatOf("12492985671"), "token"s);
    QCOMPARE(formatOf("124929856710"), "token"s);
}

void TestNamedToken::allTokensOfALibraryAreReadAlike_data()
{
    QTest::addColumn<int>("library");
    for (std::size_t i = 0; i < libraries().size(); ++i) {
        QTest::newRow(libraries()[i].name) << static_cast<int>(i);
    }
}

/// How a lock is read must not depend on the luck of the draw.
void TestNamedToken::allTokensOfALibraryAreReadAlike()
{
    QFETCH(int, library);
    const Library& tried = libraries()[static_cast<std::size_t>(library)];
    readAllAlike(tried, tried.key, tried.format);
}

void TestNamedToken::underAPlainNameTheyAreReadAlikeToo_data()
{
    QTest::addColumn<int>("library");
    for (std::size_t i = 0; i < libraries().size(); ++i) {
        const Library& tried = libraries()[i];
        const bool isOfAnyName = tried.key == "lock:stock" && !tried.hasStructure;
        const bool isName = tried.name == "host and process"sv || tried.name == "Magento"sv
                            || tried.name == "python-redilock"sv
                            || tried.name == "Math.random().toString(36)"sv;
        const bool isOfFormatName = tried.name == "python-redis-lock"sv || tried.name == "walrus"sv;
        const bool isStamp = tried.name == "Discourse"sv || tried.name == "redis-py"sv;
        if (isOfAnyName && !isName && !isOfFormatName && !isStamp) {
            QTest::newRow(tried.name) << static_cast<int>(i);
        }
    }
}

void TestNamedToken::underAPlainNameTheyAreReadAlikeToo()
{
    QFETCH(int, library);
    readAllAlike(libraries()[static_cast<std::size_t>(library)], "order:42", {});
}

LOCKSCOPE_TEST(TestNamedToken, None)

} // namespace lockscope::tst_named_token

#include "tst_named_token.moc"
