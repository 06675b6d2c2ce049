#include "core/kernel/inspect/formats/named_token.h"
#include "tests/kernel/inspect/formats/ticket_lock.h"
#include "tests/kernel/random_input.h"
#include "tests/support/seen_keys.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <functional>

// A library that keeps its lock in one string is one data file.
namespace lockscope::tst_named_token {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::string_literals;
using namespace std::string_view_literals;

namespace {

constexpr std::string_view kAlnum =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kBase64Url =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::string_view kHexDigits = "0123456789abcdef";

Bytes drawn(Rng& rng, std::string_view alphabet, std::size_t count)
{
    Bytes text(count, ' ');
    for (char& c : text) {
        c = alphabet[rng.below(alphabet.size())];
    }
    return text;
}

Bytes drawnBytes(Rng& rng, std::size_t count)
{
    Bytes bytes(count, ' ');
    for (char& c : bytes) {
        c = static_cast<char>(rng.below(256));
    }
    return bytes;
}

Bytes drawnUuid4(Rng& rng)
{
    Bytes uuid = drawn(rng, kHexDigits, 36);
    for (const std::size_t dash : {8U, 13U, 18U, 23U}) {
        uuid[dash] = '-';
    }
    uuid[14] = '4';
    uuid[19] = "89ab"[rng.below(4)];
    return uuid;
}

/// The key of a library, and how it draws a token.
struct Library {
    const char* name;
    Bytes key;
    std::function<Bytes(Rng&)> token;
    std::string_view format; // all of them are read as
};

const std::vector<Library>& libraries()
{
    static const std::vector<Library> kLibraries{
        {"bsm-redislock", "lock:stock", [](Rng& r) { return drawn(r, kBase64Url, 22); },
         "bsm-redislock"},
        {"redlock-py", "lock:stock", [](Rng& r) { return drawn(r, kAlnum, 22); }, "bsm-redislock"},
        {"bsm-redislock with metadata", "lock:stock",
         [](Rng& r) { return drawn(r, kBase64Url, 21) + drawn(r, "AQgw", 1) + "my data"; },
         "bsm-redislock"},
        {"redlock-php", "lock:stock", [](Rng& r) { return "6afd7740" + drawn(r, kHexDigits, 5); },
         "redlock-php"},
        {"yii2-redis", "a1b2c9f31a05c9f31a05c9f31a05c9f31a0ff",
         [](Rng& r) { return drawn(r, kBase64Url, 20); }, "yii-mutex"},
        {"redsync", "lock:stock",
         [](Rng& r) { return drawn(r, kBase64, 21) + drawn(r, "AQgw", 1) + "=="; }, "redsync"},
        {"redsync, as warlock names its keys", "stock:lock",
         [](Rng& r) { return drawn(r, kBase64, 21) + drawn(r, "AQgw", 1) + "=="; }, "redsync"},
        {"rslock", "lock:stock", [](Rng& r) { return drawnBytes(r, 20); }, "rslock"},
        {"walrus", "lock:stock", [](Rng& r) { return drawnBytes(r, 32); }, "walrus"},
        {"rueidislock", "rueidislock:0:stock", [](Rng& r) { return drawnBytes(r, 24); },
         "rueidislock"},
        {"python-redis-lock", "lock:stock", [](Rng& r) { return drawn(r, kBase64, 24); },
         "python-redis-lock"},
        {"Laravel", "app-cache-laravel_unique_job:Report:7",
         [](Rng& r) { return drawn(r, kAlnum, 16); }, "laravel-lock"},
        {"Laravel funnel", "laravel_database_report2", [](Rng& r) { return drawn(r, kAlnum, 20); },
         "laravel-funnel"},
        {"Foundatio, go-zero", "lock:stock", [](Rng& r) { return drawn(r, kAlnum, 16); }, "token"},
        {"redis-plus-plus", "lock:stock", [](Rng& r) { return drawn(r, kAlnum, 20); }, "token"},
        {"Redlock.net", "redlock:stock", drawnUuid4, "redlock-prefix"},
        {"Mastodon", "lock:stock", drawnUuid4, "token"},
        {"php-lock", "php-malkusch-lock:stock", [](Rng& r) { return drawn(r, kHexDigits, 64); },
         "php-lock"},
        {"redis-semaphore", "mutex:stock", drawnUuid4, "redis-semaphore-mutex"},
        {"node-redlock", "lock:stock", [](Rng& r) { return drawn(r, kHexDigits, 32); },
         "node-redlock"},
        {"Yii", "lock:stock", [](Rng& r) { return drawn(r, kBase64Url, 20); }, "token"},
        {"nanoid", "lock:stock", [](Rng& r) { return drawn(r, kBase64Url, 21); }, "token"},
        {"Symfony, old form", "lock:stock", [](Rng& r) { return drawn(r, kBase64, 43) + "="; },
         "token"},
        {"BullMQ", "lock:stock", [](Rng& r) { return drawnUuid4(r) + ":3"; }, "token"},
        {"Magento", "lock:stock", [](Rng& r) { return "4711-12-" + drawn(r, kHexDigits, 8); },
         "token"},
        {"host and process", "lock:stock",
         [](Rng& r) { return "web-3:" + drawn(r, "123456789", 4); }, "token"},
    };
    return kLibraries;
}

/// Without `format`: as the first one is read, but never with more than low confidence.
void readAllAlike(const Library& tried, const Bytes& key, std::string_view format)
{
    const int drawCount = qEnvironmentVariableIsSet("LOCKSCOPE_DRAWS")
                              ? qEnvironmentVariableIntValue("LOCKSCOPE_DRAWS")
                              : 5000;
    RandomInput input;
    std::optional<Confidence> confidence = format.empty() ? std::optional(Confidence::Low)
                                                          : std::nullopt;
    for (int i = 0; i < drawCount; ++i) {
        const Bytes token = tried.token(input.rng());
        const std::vector<DecodedLock> decoded = decodedLocksOf(of(stringKey(key, token)));
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
    void aReleaseComparesAndWakes();
    void whatIsNoSuchLockIsNotRead();
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

void TestNamedToken::whatIsNoSuchLockIsNotRead()
{
    using namespace std::chrono_literals;
    QVERIFY(!m_decoder.read(of(stringKey("ticket:7:free", "web-3#0042"))));
    QVERIFY(!m_decoder.read(of(stringKey("ticket:7:held", "web-3#42"))));
    QVERIFY(!m_decoder.read(of(stringKey("ticket:7:held", "web-3#0042", std::nullopt))));
    QVERIFY(!m_decoder.read(of(hashKey("ticket:7:held", {{"web-3#0042", "1"}}))));
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
        const bool isOfAnyName = tried.key == "lock:stock";
        const bool isProcess = tried.name == "host and process"sv || tried.name == "Magento"sv;
        const bool isOfFormatName = tried.name == "python-redis-lock"sv || tried.name == "walrus"sv;
        if (isOfAnyName && !isProcess && !isOfFormatName) {
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
