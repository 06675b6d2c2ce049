#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/protocol/file_section.h"
#include "core/kernel/protocol/own_protocol.h"
#include "tests/kernel/protocol/builtin/answer_rows.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTest>

namespace lockscope::tst_own_protocol {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::chrono_literals;

namespace {

/// A file that is right, one member a line, in the order of the map's keys below.
std::string fileWith(const std::string& line, const std::string& replacement)
{
    const std::string right = R"({
  "id": "mine",
  "title": "Mine",
  "summary": "A lock of mine.",
  "lease": "5s",
  "retry": {"interval": "20ms"},
  "renewal": {"period": "2s"},
  "acquire": {
    "script": ["local a = 1", "return a"],
    "keys": ["{key}"],
    "args": ["{token}", "{leaseMs}"],
    "granted": [1],
    "refused": [0]
  },
  "renew": {
    "script": "return 1",
    "keys": ["{key}"],
    "renewed": [1]
  },
  "release": {
    "script": "return 1",
    "keys": ["{key}"],
    "released": [1]
  }
}
)";
    std::string file = right;
    const std::size_t at = file.find(line);
    if (at == std::string::npos) {
        throw std::logic_error("there is no such line: " + line);
    }
    return file.replace(at, line.size(), replacement);
}

std::unique_ptr<LockProtocol> protocolOf(const std::string& file)
{
    auto read = readProtocol(file);
    if (const auto* const error = std::get_if<ProtocolFileError>(&read)) {
        throw std::logic_error("line " + std::to_string(error->line) + ": " + error->reason);
    }
    return std::get<std::unique_ptr<LockProtocol>>(std::move(read));
}

std::string shipped(const QString& name)
{
    QFile file(inSourceTree(QStringLiteral("resources/protocols/") + name));
    if (!file.open(QIODevice::ReadOnly)) {
        throw std::runtime_error("cannot read " + file.fileName().toStdString());
    }
    return file.readAll().toStdString();
}

} // namespace

class TestOwnProtocol : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFileThatIsRightBecomesAProtocol();
    void whatAFileDoesNotSayHasADefault();
    void everythingThatCanBeSaidIsHeard();
    void aMalformedFileIsRefused_data();
    void aMalformedFileIsRefused();
    void aWakeUpIsACondition();
    void whatItImitatesIsKnown();
    void aCheckMayBeWhatRefuses();
    void copiesSayWhatTheBuiltinOnesSay_data();
    void copiesSayWhatTheBuiltinOnesSay();
    void theColumnIsThatOfTheMember();
    void aFaultNamesThePathOfItsMember();
    void theExamplesAreRight_data();
    void theExamplesAreRight();
};

void TestOwnProtocol::aFileThatIsRightBecomesAProtocol()
{
    const auto protocol = protocolOf(fileWith("", ""));
    QCOMPARE(protocol->info().id, std::string("mine"));
    QCOMPARE(protocol->info().defaults.lease, Duration(5s));
    QCOMPARE(protocol->info().defaults.retry.interval, Duration(20ms));
    QCOMPARE(protocol->info().defaults.renewal.period, Duration(2s));
    QVERIFY(protocol->info().canRenew);

    ContenderBench bench(answering({{"EVAL", number(1)}}));
    const auto outcome = bench.loop().run(protocol->attempt(bench.contender(), bench.request()));
    QCOMPARE(bench.store().asked(),
             std::vector<std::string>{"EVAL \"local a = 1\\nreturn a\" 1 k "
                                      + takeGrant(outcome).token + " 10000"});
}

void TestOwnProtocol::whatAFileDoesNotSayHasADefault()
{
    const auto protocol = protocolOf(R"({"id": "m", "title": "M", "summary": "S",
        "acquire": {"script": "return 1", "keys": ["{key}"], "granted": [1], "refused": [0]},
        "release": {"script": "return 1", "keys": ["{key}"], "released": [1]}})");
    const ProtocolInfo& info = protocol->info();
    QCOMPARE(info.defaults.lease, Duration(30s));
    QVERIFY(!info.defaults.renewal.isOn());
    QVERIFY(!info.canRenew);
    QVERIFY(!info.isReentrant);
    QVERIFY(!info.hasFence);
    QVERIFY(info.hasExpiry);
    QCOMPARE(info.keys, KeyUse::One);
    QVERIFY(info.claimsPromise(Promise::MutualExclusion));
    QVERIFY(!info.claimsPromise(Promise::Fairness));
}

void TestOwnProtocol::everythingThatCanBeSaidIsHeard()
{
    const auto protocol = protocolOf(R"({"id": "m", "title": "M", "summary": "S", "flaw": "F",
        "promises": ["fairness"], "expires": false, "reentrant": true, "permits": true,
        "retry": {"kind": "exponential", "interval": "2ms", "intervalMax": "64ms",
                  "jitter": "1ms", "triesMax": 9},
        "renewal": {"period": "1s", "countMax": 4, "atOnce": true},
        "acquire": {"script": "return {1, 1, 7}", "keys": ["{key}", "{key}:fence"],
                    "granted": [1], "refused": [0], "holds": 1, "fence": 2},
        "renew": {"script": "return 1", "keys": ["{key}"], "renewed": [1]},
        "release": {"script": "return 1", "keys": ["{key}"], "released": [1]}})");
    const ProtocolInfo& info = protocol->info();
    QCOMPARE(info.flaw, std::string("F"));
    QVERIFY(info.claimsPromise(Promise::Fairness));
    QVERIFY(!info.claimsPromise(Promise::MutualExclusion));
    QVERIFY(!info.hasExpiry);
    QVERIFY(info.isReentrant);
    QVERIFY(info.hasPermits);
    QVERIFY(info.hasFence);
    QCOMPARE(info.keys, KeyUse::Two);
    QCOMPARE(info.defaults.retry.kind, Retry::Kind::Exponential);
    QCOMPARE(info.defaults.retry.intervalMax, Duration(64ms));
    QCOMPARE(info.defaults.retry.jitter, Duration(1ms));
    QCOMPARE(info.defaults.retry.triesMax, std::optional(9));
    QCOMPARE(info.defaults.renewal.countMax, std::optional(4));
    QVERIFY(info.defaults.renewal.isFirstAtOnce);
}

void TestOwnProtocol::aMalformedFileIsRefused_data()
{
    QTest::addColumn<std::string>("line");
    QTest::addColumn<std::string>("replacement");
    QTest::addColumn<int>("expectedLine");
    QTest::addColumn<std::string>("part"); // of the reason
    const auto add = [](const char* name, const char* line, const char* replacement,
                        int expectedLine, const char* part) {
        QTest::newRow(name) << std::string(line) << std::string(replacement) << expectedLine
                            << std::string(part);
    };
    add("Invalid JSON", "\"Mine\",", "Mine,", 3, "Invalid JSON: ");
    add("a number beyond all numbers", "\"Mine\",", "1e999,", 3, "This number is too large.");
    add("a comma too few", "\"Mine\",", "\"Mine\"", 4, "Invalid JSON: ");
    add("cut off", "    \"released\": [1]\n  }\n}\n", "", 23, "Invalid JSON: ");
    add("a member twice", "\"lease\": \"5s\",", "\"id\": \"mine\",", 5, "Duplicate member");
    add("a misspelt member", "\"lease\"", "\"laese\"", 5, "did you mean \"lease\"?");
    add("a misspelt member of a step", "\"granted\"", "\"grantd\"", 12,
        "did you mean \"granted\"?");
    add("an unknown member", "\"lease\"", "\"colour\"", 5, "\"colour\" is not a known member.");
    add("no id", "\"id\": \"mine\",", "", 1, "\"id\" is missing");
    add("an id with capitals", "\"mine\"", "\"Mine\"", 2, "lower-case letters");
    add("an id that begins with a dash", "\"mine\"", "\"-mine\"", 2, "lower-case letters");
    add("an id that is taken", "\"mine\"", "\"redlock\"", 2, "already has this id");
    add("a title that is no text", "\"Mine\"", "7", 3, "must be a string");
    add("an empty title", "\"Mine\"", "\"\"", 3, "is empty");
    add("a lease that is no duration", "\"5s\"", "\"5 parsecs\"", 5, "must be a duration");
    add("a lease that is a number", "\"5s\"", "5", 5, "must be a duration");
    add("a lease of nothing", "\"5s\"", "\"0ms\"", 5, "at least 1ms");
    add("a flag that is none", "\"lease\": \"5s\"", "\"expires\": \"yes\"", 5, "true or false");
    add("an unknown promise", "\"lease\": \"5s\"", "\"promises\": [\"fairness\",\n\"luck\"]", 6,
        "Unknown promise");
    add("a retry that is no object", "{\"interval\": \"20ms\"}", "3", 6, "An object");
    add("an unknown kind of retry", "{\"interval\": \"20ms\"}", "{\"kind\": \"often\"}", 6,
        "\"exponential\" or \"wake-up\"");
    add("a wake-up without channel", "{\"interval\": \"20ms\"}", "{\"kind\": \"wake-up\"}", 6,
        "\"channel\" is missing");
    add("one channel for all locks", "{\"interval\": \"20ms\"}",
        "{\"kind\": \"wake-up\",\n\"channel\": \"free\"}", 7, "must contain {key}");
    add("a channel that nobody knows", "{\"interval\": \"20ms\"}",
        "{\"kind\": \"wake-up\", \"channel\": \"{key}:{token}\"}", 6, "no other placeholder");
    add("a channel with an open brace", "{\"interval\": \"20ms\"}",
        "{\"kind\": \"wake-up\", \"channel\": \"{key\"}", 6, "not closed");
    add("a channel for those who poll", "{\"interval\": \"20ms\"}", "{\"channel\": \"{key}\"}", 6,
        "Only a retry of the kind \"wake-up\"");
    add("an empty name of a library", "\"lease\": \"5s\"", "\"imitates\": \"\"", 5, "is empty");
    add("a check without its yes", "\"granted\": [1]",
        "\"check\": {\"script\": \"return 1\", \"keys\": [\"{key}\"]}, \"granted\": [1]", 12,
        "\"passed\" is missing");
    add("holds in a check before there are any", "\"granted\": [1]",
        "\"check\": {\"script\": \"return 1\", \"keys\": [\"{key}\"],\n\"args\": [\"{holds}\"], "
        "\"passed\": [1]}, \"granted\": [1]",
        13, "only known while");
    add("an owner in the check of an acquisition", "\"granted\": [1]",
        "\"check\": {\"script\": \"return 1\", \"keys\": [\"{key}\"], \"passed\": [1],\n"
        "\"otherOwner\": [0]}, \"granted\": [1]",
        13, "\"otherOwner\" is not a known member");
    add("no pause between tries", "20ms", "0ms", 6, "at least 1ms");
    add("intervals the wrong way round", "{\"interval\": \"20ms\"}",
        "{\"interval\": \"20ms\", \"intervalMax\": \"10ms\"}", 6, "smaller than the first");
    add("tries that are no number", "{\"interval\": \"20ms\"}", "{\"triesMax\": 1.5}", 6,
        "a whole number from 1");
    add("no try at all", "{\"interval\": \"20ms\"}", "{\"triesMax\": 0}", 6,
        "a whole number from 1");
    add("a renewal without period", "{\"period\": \"2s\"}", "{}", 7, "\"period\" is missing");
    add("a period of nothing", "\"2s\"", "\"0s\"", 7, "at least 1ms");
    add("a step twice", "\"renew\": {", "\"release\": {", 20, "Duplicate member");
    add("a renewal without a step",
        "  \"renew\": {\n    \"script\": \"return 1\",\n    \"keys\": [\"{key}\"],\n"
        "    \"renewed\": [1]\n  },\n",
        "", 7, "no \"renew\" step");
    add("no script", "\"script\": [\"local a = 1\", \"return a\"],", "", 8,
        "\"script\" is missing");
    add("an empty script", "[\"local a = 1\", \"return a\"]", "[]", 9, "is empty");
    add("a script with a number", "[\"local a = 1\", \"return a\"]", "[\n\"return\",\n1]", 11,
        "Only strings");
    add("keys that are no list", "\"keys\": [\"{key}\"],\n    \"args\"",
        "\"keys\": \"{key}\",\n    \"args\"", 10, "a list of strings");
    add("keys without the key", "[\"{key}\"],\n    \"args\"", "[\"fixed\"],\n    \"args\"", 10,
        "must contain {key}");
    add("an unknown blank", "\"{leaseMs}\"", "\n\"{lease}\"", 12, "Unknown placeholder {lease}");
    add("an open brace", "\"{leaseMs}\"", "\"{leaseMs\"", 11, "not closed");
    add("a lonely brace", "\"{leaseMs}\"", "\"leaseMs}\"", 11, "Unmatched closing brace");
    add("holds before there are any", "\"{leaseMs}\"", "\"{holds}\"", 11, "only known while");
    add("answers that are no list", "\"granted\": [1]", "\"granted\": 1", 12,
        "at least one answer");
    add("no answer that grants", "\"granted\": [1],", "", 8, "\"granted\" is missing");
    add("an answer of two meanings", "\"refused\": [0]", "\"refused\": [0,\n1]", 14,
        "already has a meaning");
    add("an answer that is a list", "\"refused\": [0]", "\"refused\": [[0]]", 13,
        "a whole number, a string or null");
    add("a position that is none", "\"refused\": [0]", "\"refused\": [0], \"fence\": -1", 13,
        "a whole number from 0");
    add("reentrant without a count", "\"lease\": \"5s\"", "\"reentrant\": true", 5, "\"holds\"");
    add("no release",
        "\"release\": {\n    \"script\": \"return 1\",\n    \"keys\": [\"{key}\"],\n"
        "    \"released\": [1]\n  }",
        "\"flaw\": \"x\"", 1, "\"release\" is missing");
    // Each run of a search would copy them.
    std::string many;
    for (int i = 0; i < 300; ++i) {
        many += "\"{key}\", ";
    }
    add("too many keys", "\"keys\": [\"{key}\"],\n    \"args\"",
        ("\"keys\": [" + many + "\"{key}\"],\n    \"args\"").c_str(), 10,
        "There are 301 entries; at most 256 are allowed.");
    add("a long argument", "\"{token}\"", ('"' + std::string(5'000, 'x') + '"').c_str(), 11,
        "The text has 5000 bytes; at most 4096 are allowed.");
    add("a long script", "\"return a\"", ("\"--" + std::string(70'000, 'x') + '"').c_str(), 9,
        "The text has 70014 bytes; at most 65536 are allowed.");
}

void TestOwnProtocol::aMalformedFileIsRefused()
{
    QFETCH(const std::string, line);
    QFETCH(const std::string, replacement);
    QFETCH(const std::string, part);
    const auto read = readProtocol(fileWith(line, replacement));
    const auto* const error = std::get_if<ProtocolFileError>(&read);
    QVERIFY(error != nullptr);
    QVERIFY2(error->reason.find(part) != std::string::npos, error->reason.c_str());
    QTEST(error->line, "expectedLine");
    QVERIFY(error->reason.ends_with('.') || error->reason.ends_with('?'));
}

void TestOwnProtocol::aWakeUpIsACondition()
{
    const auto protocol =
        protocolOf(fileWith("{\"interval\": \"20ms\"}",
                            R"({"kind": "wake-up", "channel": "{{{key}}}:free:{clientId}"})"));
    const ProtocolInfo& info = protocol->info();
    QCOMPARE(info.defaults.retry.interval, Duration(1s));
    const bool needsChannels = std::ranges::any_of(info.needs, [](const Need& need) {
        return need.step == "wait" && need.feature == ServerFeature::PubSub;
    });
    QVERIFY(needsChannels);
}

void TestOwnProtocol::whatItImitatesIsKnown()
{
    const auto protocol = protocolOf(fileWith("\"lease\": \"5s\"", "\"imitates\": \"redis-py\""));
    QCOMPARE(protocol->info().imitates, std::string("redis-py"));
    QVERIFY(protocolOf(fileWith("", ""))->info().imitates.empty());
}

void TestOwnProtocol::aCheckMayBeWhatRefuses()
{
    const auto protocol = protocolOf(
        fileWith("\"refused\": [0]",
                 "\"check\": {\"script\": \"return 0\", \"keys\": [\"{key}\"], \"passed\": [1], "
                 "\"refused\": [0]}"));
    ContenderBench bench(answering({{"EVAL", number(0)}}));
    const auto outcome = bench.loop().run(protocol->attempt(bench.contender(), bench.request()));
    QCOMPARE(wordFor(outcome), "refused");
    QCOMPARE(bench.store().asked().size(), std::size_t(1));
}

void TestOwnProtocol::copiesSayWhatTheBuiltinOnesSay_data()
{
    QTest::addColumn<QString>("id");
    const QDir folder(inSourceTree(QStringLiteral("resources/protocols/copies")));
    for (const QString& name : folder.entryList({QStringLiteral("*.json")})) {
        const QString id = name.chopped(5);
        QTest::newRow(qPrintable(id)) << id;
    }
}

void TestOwnProtocol::copiesSayWhatTheBuiltinOnesSay()
{
    QFETCH(const QString, id);
    const auto copy = protocolOf(shipped(QStringLiteral("copies/%1.json").arg(id)));
    const LockProtocol* const builtin = findProtocol(id.toStdString());
    QVERIFY(builtin != nullptr);
    const ProtocolInfo& of = builtin->info();
    const ProtocolInfo& info = copy->info();
    QCOMPARE(info.id, "my-" + of.id);
    QCOMPARE(info.title, of.title);
    QVERIFY(info.summary.starts_with(of.summary));
    QCOMPARE(info.flaw, of.flaw);
    for (int i = 0; i < static_cast<int>(Promise::PromiseCount); ++i) {
        const auto promise = static_cast<Promise>(i);
        QCOMPARE(info.claimsPromise(promise), of.claimsPromise(promise));
    }
    QCOMPARE(info.defaults.lease, of.defaults.lease);
    QCOMPARE(info.defaults.retry.jitter, of.defaults.retry.jitter);
    QCOMPARE(info.defaults.renewal.period, of.defaults.renewal.period);
    QCOMPARE(info.defaults.renewal.countMax, of.defaults.renewal.countMax);
    QCOMPARE(info.keys, of.keys);
    QVERIFY(info.isReentrant == of.isReentrant && info.hasPermits == of.hasPermits);
    QVERIFY(info.hasFence == of.hasFence && info.canRenew == of.canRenew);
    QCOMPARE(info.hasExpiry, of.hasExpiry);
}

void TestOwnProtocol::theColumnIsThatOfTheMember()
{
    const auto member = std::get<ProtocolFileError>(readProtocol(fileWith("\"granted\"",
                                                                          "\"grantd\"")));
    QCOMPARE(member.column, 5);
    const auto element = std::get<ProtocolFileError>(readProtocol(fileWith("\"{leaseMs}\"",
                                                                           "\"{lease}\"")));
    QCOMPARE(element.column, 25);
}

void TestOwnProtocol::aFaultNamesThePathOfItsMember()
{
    const nlohmann::json object = {{"keys", {"a", 1}}};
    const FileSection section(object, "/acquire", {"keys"});
    try {
        section.texts("keys");
        QFAIL("a number is no text");
    } catch (const FileFault& fault) {
        QCOMPARE(fault.path, std::string("/acquire/keys/1"));
    }
}

void TestOwnProtocol::theExamplesAreRight_data()
{
    QTest::addColumn<QString>("name");
    for (const char* const name :
         {"token-lock", "counted-lock", "lease-lock", "wake-up-lock", "fenced-lock"}) {
        QTest::newRow(name) << QString::fromLatin1(name);
    }
}

void TestOwnProtocol::theExamplesAreRight()
{
    QFETCH(const QString, name);
    const auto protocol = protocolOf(shipped(name + QStringLiteral(".json")));
    QCOMPARE(protocol->info().id, name.toStdString());
    QFile page(inSourceTree(QStringLiteral("docs/own-protocols.md")));
    QVERIFY(page.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(page.readAll());
    QVERIFY(text.contains(QStringLiteral("`%1.json`").arg(name)));
}

LOCKSCOPE_TEST(TestOwnProtocol, Core)

} // namespace lockscope::tst_own_protocol

#include "tst_own_protocol.moc"
