#include "app/option_set.h"
#include "app/quoted_words.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_option_set {

using namespace lockscope::app;

namespace {

using Line = std::vector<std::string>;

/// The options of the tests, and what was typed for them.
struct Options {
    Options()
    {
        const auto addUrl = [this](const std::string& text) {
            urls.push_back(text);
            return std::string();
        };
        set.add("url", "URL", addUrl, "Where the server is.", true);
        set.addText("owner", "TOKEN", owner, "Whose it is.\nIn two lines.");
        set.addSwitch("dry-run", isDryRun, "Change nothing.");
        set.addQuestion("help", "Print this.");
    }

    OptionSet set;
    std::vector<std::string> urls;
    std::optional<std::string> owner;
    bool isDryRun = false;
    OptionSet::Words rest;
};

std::unique_ptr<Options> readOrFail(const Line& words)
{
    auto options = std::make_unique<Options>();
    try {
        options->rest = options->set.read(words);
    } catch (const ArgumentError& error) {
        QTest::qFail(error.reason.c_str(), __FILE__, __LINE__);
    }
    return options;
}

std::string errorOf(const Line& words)
{
    Options options;
    try {
        const OptionSet::Words rest = options.set.read(words);
        return rest.unknownOptions.empty()
                   ? "(no error)"
                   : unknownOption(rest.unknownOptions.front(), options.set.names()).reason;
    } catch (const ArgumentError& error) {
        return error.reason;
    }
}

} // namespace

class TestOptionSet final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void valuesStandBehindOptionsOrEqualsSigns();
    void switchesAndOperandsMayBeMixed();
    void questionsComeBeforeEverythingElse();
    void repeatableOptionsKeepTheirOrder();
    void nothingIsAnOptionBehindTwoDashes();
    void valuesMayBeEmptyBinaryOrBeginWithADash();
    void nonsenseIsRefused_data();
    void nonsenseIsRefused();
    void passwordsAreFoundInUrls_data();
    void passwordsAreFoundInUrls();
    void quotedWordsHidePasswordsAndAreShort();
    void closestWordIsSuggestedOnlyWhenClose();
    void helpIsAligned();
};

void TestOptionSet::valuesStandBehindOptionsOrEqualsSigns()
{
    QCOMPARE(readOrFail({"--owner", "me"})->owner, std::optional<std::string>("me"));
    QCOMPARE(readOrFail({"--owner=me=you"})->owner, std::optional<std::string>("me=you"));
    QCOMPARE(readOrFail({})->owner, std::nullopt);
}

void TestOptionSet::switchesAndOperandsMayBeMixed()
{
    const auto options = readOrFail({"release", "--dry-run", "key", "--owner", "me", "-", "[x]"});
    QVERIFY(options->isDryRun);
    QVERIFY(options->urls.empty());
    QCOMPARE(options->owner, std::optional<std::string>("me"));
    QCOMPARE(options->rest.operands, (Line{"release", "key", "-", "[x]"}));
}

void TestOptionSet::questionsComeBeforeEverythingElse()
{
    for (const Line& words : {Line{"--owner", "a", "--owner", "b", "--help"}, Line{"-h"}}) {
        Options options;
        QVERIFY_THROWS_EXCEPTION(OptionSet::Asked, options.set.read(words));
    }
    QVERIFY(readOrFail({"--owner", "-h"})->owner == "-h");
}

void TestOptionSet::repeatableOptionsKeepTheirOrder()
{
    QCOMPARE(readOrFail({"--url", "[b]", "--url=a"})->urls, (Line{"[b]", "a"}));
}

void TestOptionSet::nothingIsAnOptionBehindTwoDashes()
{
    const auto options = readOrFail({"--dry-run", "x", "--", "--owner", "-x", "--"});
    QCOMPARE(options->rest.operands, (Line{"x", "--owner", "-x", "--"}));
    QCOMPARE(options->rest.countBeforeDashes, std::size_t(1));
    QVERIFY(!options->owner);
}

void TestOptionSet::valuesMayBeEmptyBinaryOrBeginWithADash()
{
    const auto owner = [](const Line& words) { return readOrFail(words)->owner.value_or("none"); };
    QCOMPARE(owner({"--owner", ""}), std::string());
    QCOMPARE(owner({"--owner=", "key"}), std::string());
    QCOMPARE(owner({"--owner", "\xff\x01"}), std::string("\xff\x01"));
    QCOMPARE(owner({"--owner", "-7"}), std::string("-7"));
    QCOMPARE(owner({"--owner", "--"}), std::string("--"));
    QCOMPARE(owner({"--owner=--dry-run"}), std::string("--dry-run"));
}

void TestOptionSet::nonsenseIsRefused_data()
{
    QTest::addColumn<std::vector<std::string>>("words");
    QTest::addColumn<std::string>("reason");

    QTest::newRow("misspelt") << Line{"--ownr", "me"}
                              << std::string("unknown option \"--ownr\"; did you mean --owner?");
    QTest::newRow("unlike any") << Line{"--frobnicate"}
                                << std::string("unknown option \"--frobnicate\"");
    QTest::newRow("value of an unknown option is not repeated")
        << Line{"--frobnicate=redis://:secret@h"} << std::string("unknown option \"--frobnicate\"");
    QTest::newRow("one dash")
        << Line{"-x"}
        << std::string(
               "unknown option \"-x\"; write arguments that begin with a dash after \"--\"");
    QTest::newRow("twice") << Line{"--owner", "a", "--owner", "b"}
                           << std::string("--owner is given twice");
    QTest::newRow("value missing at the end")
        << Line{"--owner"} << std::string("--owner needs a value");
    QTest::newRow("option instead of a value")
        << Line{"--owner", "--dry-run"}
        << std::string("--owner needs a value, not \"--dry-run\"; if you mean that, write "
                       "--owner=--dry-run");
    QTest::newRow("value of a switch")
        << Line{"--dry-run=yes"} << std::string("--dry-run takes no value");
    QTest::newRow("no name") << Line{"--=x"} << std::string("unknown option \"--\"");
}

void TestOptionSet::nonsenseIsRefused()
{
    QFETCH(const std::vector<std::string>, words);
    QFETCH(const std::string, reason);
    QCOMPARE(errorOf(words), reason);
}

void TestOptionSet::passwordsAreFoundInUrls_data()
{
    QTest::addColumn<QByteArray>("word");
    QTest::addColumn<QByteArray>("password");

    QTest::newRow("no user") << QByteArray("redis://:secret@host:6379/1") << QByteArray("secret");
    QTest::newRow("user") << QByteArray("rediss://joe:s3:c/r@t@host") << QByteArray("s3:c/r@t");
    QTest::newRow("without scheme") << QByteArray("joe:secret@host:1") << QByteArray("secret");
    QTest::newRow("socket") << QByteArray("unix://:secret@/run/redis.sock") << QByteArray("secret");
    QTest::newRow("option and value")
        << QByteArray("--url=redis://:secret@h") << QByteArray("secret");
    QTest::newRow("only a user") << QByteArray("redis://joe@host:6379") << QByteArray();
    QTest::newRow("none") << QByteArray("redis://host:6379") << QByteArray();
    QTest::newRow("empty") << QByteArray("redis://joe:@host") << QByteArray();
    QTest::newRow("option") << QByteArray("redis://h/0?password=secret")
                            << QByteArray("password=secret");
    QTest::newRow("option of a socket")
        << QByteArray("unix:///run/s?db=0&password=secret") << QByteArray("db=0&password=secret");
    QTest::newRow("only a database") << QByteArray("unix:///run/s?db=12") << QByteArray();
    QTest::newRow("fragment") << QByteArray("redis://h#secret") << QByteArray("secret");
    QTest::newRow("two of them") << QByteArray("redis://:one@h?password=two")
                                 << QByteArray("one password=two");
    QTest::newRow("no host") << QByteArray("redis://joe:secret/0") << QByteArray("secret");
    QTest::newRow("no host, digits") << QByteArray("redis://joe:123456") << QByteArray("123456");
    QTest::newRow("no host, colons") << QByteArray("redis://joe:sec:ret") << QByteArray("sec:ret");
    QTest::newRow("no scheme, option")
        << QByteArray("/run/s?Password=secret") << QByteArray("Password=secret");
    QTest::newRow("behind the database")
        << QByteArray("redis://h/0&x=secret") << QByteArray("x=secret");
    QTest::newRow("a key") << QByteArray("order#1?x") << QByteArray();
    QTest::newRow("address with colons") << QByteArray("redis://[fe80::1]:6379") << QByteArray();
}

void TestOptionSet::passwordsAreFoundInUrls()
{
    QFETCH(const QByteArray, word);
    QFETCH(const QByteArray, password);
    const std::string bytes = word.toStdString();
    QByteArrayList found;
    for (const std::string_view part : passwordsIn(bytes)) {
        found.append(QByteArray::fromStdString(std::string(part)));
    }
    QCOMPARE(found.join(' '), password);
}

void TestOptionSet::quotedWordsHidePasswordsAndAreShort()
{
    QCOMPARE(inQuotes("redis://joe:secret@host"), std::string("\"redis://joe:***@host\""));
    QCOMPARE(inQuotes("redis://:one@h?password=two"), std::string("\"redis://:***@h?***\""));
    QCOMPARE(inQuotes(std::string("a\xff\n", 3)), std::string("\"a\\xff\\x0a\""));
    QCOMPARE_LT(inQuotes(std::string(5000, 'x')).size(), 80U);
}

void TestOptionSet::closestWordIsSuggestedOnlyWhenClose()
{
    constexpr std::array<std::string_view, 3> kNames{"list", "watch", "release"};
    QCOMPARE(closestTo("lst", kNames), std::string_view("list"));
    QCOMPARE(closestTo("relaese", kNames), std::string_view("release"));
    QCOMPARE(closestTo("simulate", kNames), std::string_view());
    QCOMPARE(closestTo("", kNames), std::string_view());
}

void TestOptionSet::helpIsAligned()
{
    QCOMPARE(Options().set.help(), std::string("\nOptions:\n"
                                               "  --url URL                 Where the server is.\n"
                                               "  --owner TOKEN             Whose it is.\n"
                                               "                            In two lines.\n"
                                               "  --dry-run                 Change nothing.\n"
                                               "  -h,--help                 Print this.\n"));
}

LOCKSCOPE_TEST(TestOptionSet, None)

} // namespace lockscope::tst_option_set

#include "tst_option_set.moc"
