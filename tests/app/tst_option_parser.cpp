#include "kernel/text_in_failures.h"
#include "option_parser.h"

#include <QTest>

using namespace lockscope::app;

namespace {

using Line = std::vector<std::string>;

constexpr std::array kOptions{
    Option{"url", "URL", "Where the server is.", true},
    Option{"owner", "TOKEN", "Whose it is.\nIn two lines."},
    Option{"dry-run", "", "Change nothing."},
    Option{"help", "", "Print this."},
};

Words readOrFail(const std::vector<std::string>& words)
{
    auto result = readWords(words, kOptions);
    if (const auto* const error = std::get_if<ArgumentError>(&result)) {
        QTest::qFail(error->reason.c_str(), __FILE__, __LINE__);
        return {};
    }
    return std::get<Words>(std::move(result));
}

} // namespace

class TestOptionParser final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void valuesStandBehindOptionsOrEqualsSigns();
    void switchesAndOperandsMayBeMixed();
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

void TestOptionParser::valuesStandBehindOptionsOrEqualsSigns()
{
    QCOMPARE(readOrFail({"--owner", "me"}).value("owner"), std::optional<std::string>("me"));
    QCOMPARE(readOrFail({"--owner=me=you"}).value("owner"), std::optional<std::string>("me=you"));
    QCOMPARE(readOrFail({}).value("owner"), std::nullopt);
}

void TestOptionParser::switchesAndOperandsMayBeMixed()
{
    const Words words = readOrFail({"release", "--dry-run", "key", "--owner", "me", "-h", "-"});
    QVERIFY(words.has("dry-run"));
    QVERIFY(words.has("help"));
    QVERIFY(!words.has("url"));
    QCOMPARE(words.positionals, (std::vector<std::string>{"release", "key", "-"}));
    QCOMPARE(words.given(), (std::vector<std::string_view>{"dry-run", "help", "owner"}));
}

void TestOptionParser::repeatableOptionsKeepTheirOrder()
{
    QCOMPARE(readOrFail({"--url", "b", "--url=a"}).values("url"),
             (std::vector<std::string>{"b", "a"}));
}

void TestOptionParser::nothingIsAnOptionBehindTwoDashes()
{
    const Words words = readOrFail({"--dry-run", "--", "--owner", "-x", "--"});
    QCOMPARE(words.positionals, (std::vector<std::string>{"--owner", "-x", "--"}));
    QVERIFY(!words.has("owner"));
}

void TestOptionParser::valuesMayBeEmptyBinaryOrBeginWithADash()
{
    QCOMPARE(readOrFail({"--owner", ""}).value("owner"), std::optional<std::string>(""));
    QCOMPARE(readOrFail({"--owner="}).value("owner"), std::optional<std::string>(""));
    QCOMPARE(readOrFail({"--owner", "\xff\x01"}).value("owner"),
             std::optional<std::string>("\xff\x01"));
    QCOMPARE(readOrFail({"--owner", "-7"}).value("owner"), std::optional<std::string>("-7"));
    QCOMPARE(readOrFail({"--owner=--dry-run"}).value("owner"),
             std::optional<std::string>("--dry-run"));
}

void TestOptionParser::nonsenseIsRefused_data()
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
        << Line{"--owner"} << std::string("--owner needs a value (TOKEN)");
    QTest::newRow("option instead of a value")
        << Line{"--owner", "--dry-run"}
        << std::string("--owner needs a value (TOKEN), not \"--dry-run\"; if you mean that, write "
                       "--owner=--dry-run");
    QTest::newRow("value of a switch")
        << Line{"--dry-run=yes"} << std::string("--dry-run takes no value");
    QTest::newRow("no name") << Line{"--=x"} << std::string("unknown option \"--\"");
}

void TestOptionParser::nonsenseIsRefused()
{
    QFETCH(const std::vector<std::string>, words);
    QFETCH(const std::string, reason);
    const auto result = readWords(words, kOptions);
    const auto* const error = std::get_if<ArgumentError>(&result);
    QVERIFY(error != nullptr);
    QCOMPARE(error->reason, reason);
}

void TestOptionParser::passwordsAreFoundInUrls_data()
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

void TestOptionParser::passwordsAreFoundInUrls()
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

void TestOptionParser::quotedWordsHidePasswordsAndAreShort()
{
    QCOMPARE(inQuotes("redis://joe:secret@host"), std::string("\"redis://joe:***@host\""));
    QCOMPARE(inQuotes("redis://:one@h?password=two"), std::string("\"redis://:***@h?***\""));
    QCOMPARE(inQuotes(std::string("a\xff\n", 3)), std::string("\"a\\xff\\x0a\""));
    QCOMPARE_LT(inQuotes(std::string(5000, 'x')).size(), 80U);
}

void TestOptionParser::closestWordIsSuggestedOnlyWhenClose()
{
    constexpr std::array<std::string_view, 3> kNames{"list", "watch", "release"};
    QCOMPARE(closestTo("lst", kNames), std::string_view("list"));
    QCOMPARE(closestTo("relaese", kNames), std::string_view("release"));
    QCOMPARE(closestTo("simulate", kNames), std::string_view());
    QCOMPARE(closestTo("", kNames), std::string_view());
}

void TestOptionParser::helpIsAligned()
{
    QCOMPARE(optionHelp(kOptions), std::string("  --url URL                 Where the server is.\n"
                                               "  --owner TOKEN             Whose it is.\n"
                                               "                            In two lines.\n"
                                               "  --dry-run                 Change nothing.\n"
                                               "  --help                    Print this.\n"));
}

QTEST_APPLESS_MAIN(TestOptionParser)
#include "tst_option_parser.moc"
