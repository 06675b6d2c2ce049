#include "app/arguments.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace lockscope::tst_arguments {

using namespace lockscope::app;
using namespace std::chrono_literals;

namespace {

using Line = std::vector<std::string>;

using Result = std::variant<WindowArguments, Information, ArgumentError>;

Result parse(const std::vector<std::string>& words, const Environment& environment = {})
{
    return parseWindowArguments(words, environment);
}

std::string errorOf(const Result& result)
{
    const auto* const error = std::get_if<ArgumentError>(&result);
    return error != nullptr ? error->reason : "(no error)";
}

QString fileWith(const QTemporaryDir& folder, const QByteArray& content)
{
    const QString path = folder.filePath(QStringLiteral("password"));
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(content) == content.size() ? path
                                                                                    : QString();
}

} // namespace

class TestArguments final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void withoutWordsTheWindowAsks();
    void urlsStandAloneOrBehindTheirOption();
    void everyOptionArrives();
    void filesAreToldFromServers();
    void urlsBeforePasswordFileBeforeEnvironment();
    void sshIsForEveryAddressThatHasNone();
    void thePassphraseOfAKeyIsForTlsAlone();
    void thePasswordOfSentinelsIsForSentinelsAlone();
    void passwordFileGivesItsFirstLine_data();
    void passwordFileGivesItsFirstLine();
    void unusablePasswordFilesAreExplained();
    void passwordsInUrlsAreNoticed();
    void optionsOfTlsGoForEveryAddressThatHasNone();
    void timeoutGoesForConnectionAndAnswers();
    void helpNamesEveryOption();
    void versionIsTold();
    void whatTheServersAreIsSaidOnce();
    void theManualPageHasTheCallAndEveryOption();
    void nonsenseIsRefused_data();
    void nonsenseIsRefused();
    void errorsDoNotRepeatPasswords();
    void passwordsAreOverwrittenInTheProcessList();
};

void TestArguments::withoutWordsTheWindowAsks()
{
    const Result result = parse({});
    const auto& arguments = std::get<WindowArguments>(result);
    QVERIFY(arguments.servers.endpoints.empty());
    QVERIFY(!arguments.isDemo);
    QVERIFY(!arguments.isReadOnly);
    QVERIFY(arguments.screenshotFile.empty());
    QCOMPARE(arguments.theme, Theme::FollowSystem);
}

void TestArguments::urlsStandAloneOrBehindTheirOption()
{
    const Result result = parse({"redis://a", "--url", "redis://b:7000/2",
                                 "--url=unix:///run/r.sock"});
    const auto& endpoints = std::get<WindowArguments>(result).servers.endpoints;
    QCOMPARE(endpoints.size(), 3U);
    QCOMPARE(store::serverName(endpoints[0]), std::string("a:6379"));
    QCOMPARE(store::serverName(endpoints[1]), std::string("b:7000"));
    QCOMPARE(endpoints[1].database, 2);
    QCOMPARE(store::serverName(endpoints[2]), std::string("/run/r.sock"));
}

void TestArguments::everyOptionArrives()
{
    const Result result = parse({"--screenshot", "out.png",       "--page",  "locks",     "--after",
                                 "250ms",        "--read-only",   "--deep",  "--pattern", "a:*",
                                 "--pattern",    "b:*",           "--theme", "dark",      "--demo",
                                 "--open",       "run.json",      "--open",  "other",     "--size",
                                 "1280x800",     "--environment", "prod"});
    QCOMPARE(errorOf(result), std::string("(no error)"));
    const auto& arguments = std::get<WindowArguments>(result);
    QCOMPARE(arguments.screenshotFile, std::string("out.png"));
    QCOMPARE(arguments.page, std::string("locks"));
    QCOMPARE(arguments.files, (std::vector<std::string>{"run.json", "other"}));
    QCOMPARE(arguments.size.width, 1280);
    QCOMPARE(arguments.size.height, 800);
    QVERIFY(arguments.screenshotDelay == 250ms);
    QVERIFY(arguments.isReadOnly);
    QVERIFY(arguments.isDeep);
    QCOMPARE(arguments.environment, std::string("prod"));
    QVERIFY(arguments.isDemo);
    QCOMPARE(arguments.patterns, (std::vector<std::string>{"a:*", "b:*"}));
    QCOMPARE(arguments.theme, Theme::Dark);
    QCOMPARE(std::get<WindowArguments>(parse({"--theme=light"})).theme, Theme::Light);
}

void TestArguments::filesAreToldFromServers()
{
    const Result result = parse({"a.run.cbor", "h:7000", "./late", "/tmp/x", "../y.json",
                                 "file:///tmp/with%20space%C3%A4.json", "file://localhost/z",
                                 "unix:///run/r.json", "--open", "--=odd"});
    QCOMPARE(errorOf(result), std::string("(no error)"));
    const auto& arguments = std::get<WindowArguments>(result);
    QCOMPARE(arguments.files,
             (std::vector<std::string>{"--=odd", "a.run.cbor", "./late", "/tmp/x", "../y.json",
                                       "/tmp/with space\xC3\xA4.json", "/z"}));
    QCOMPARE(arguments.servers.endpoints.size(), 2U);
    QCOMPARE(app::fileNamedBy("file:///100%"), std::optional<std::string>("/100%"));
    QCOMPARE(app::fileNamedBy("file:///%zz%4"), std::optional<std::string>("/%zz%4"));
    QCOMPARE(app::fileNamedBy("redis://h/0"), std::optional<std::string>());
    QCOMPARE(errorOf(parse({"--open="})), std::string("--open: the name of the file is empty"));
}

void TestArguments::urlsBeforePasswordFileBeforeEnvironment()
{
    const QTemporaryDir folder;
    const std::string path = fileWith(folder, "from file\n").toStdString();
    const Environment environment{"from environment", {}};
    const auto passwordsOf = [&](const std::vector<std::string>& words) {
        std::vector<std::string> passwords;
        const Result result = parse(words, environment);
        for (const store::Endpoint& endpoint :
             std::get<WindowArguments>(result).servers.endpoints) {
            passwords.push_back(endpoint.password);
        }
        return passwords;
    };
    QCOMPARE(passwordsOf({"redis://:own@a", "redis://b"}),
             (std::vector<std::string>{"own", "from environment"}));
    QCOMPARE(passwordsOf({"redis://:own@a", "redis://b", "--password-file", path}),
             (std::vector<std::string>{"own", "from file"}));
}

void TestArguments::optionsOfTlsGoForEveryAddressThatHasNone()
{
    const Result result = parse({"rediss://a", "rediss://b?ca=own.pem", "redis://c", "--ca",
                                 "ca.pem", "--cert", "c.pem", "--key", "c.key", "--server-name",
                                 "cache"});
    QCOMPARE(errorOf(result), std::string("(no error)"));
    const auto& endpoints = std::get<WindowArguments>(result).servers.endpoints;
    const store::TlsOptions all{"ca.pem", "c.pem", "c.key", "cache"};
    QVERIFY(endpoints[0].tls == all);
    QCOMPARE(endpoints[1].tls.caFile, std::string("own.pem"));
    QCOMPARE(endpoints[1].tls.keyFile, std::string("c.key"));
    QVERIFY(endpoints[2].tls.isDefault());
}

void TestArguments::sshIsForEveryAddressThatHasNone()
{
    const Result result = parse({"redis://a", "redis://b?ssh=own", "unix:///s", "--ssh", "ops@b"});
    QCOMPARE(errorOf(result), std::string("(no error)"));
    const auto& endpoints = std::get<WindowArguments>(result).servers.endpoints;
    QCOMPARE(endpoints[0].sshHost, std::string("ops@b"));
    QCOMPARE(endpoints[1].sshHost, std::string("own"));
    QCOMPARE(endpoints[2].sshHost, std::string());
    QVERIFY(errorOf(parse({"--ssh", "ops@b"})).starts_with("--ssh needs the address of a server"));
    QVERIFY(errorOf(parse({"unix:///s", "--ssh", "b"})).starts_with("--ssh needs the address"));
    QCOMPARE(errorOf(parse({"redis://a", "--ssh", "-oProxyCommand=x"})),
             std::string("--ssh: an SSH host is written host, user@host or user@host:port"));
}

void TestArguments::thePassphraseOfAKeyIsForTlsAlone()
{
    const QTemporaryDir folder;
    const std::string path = fileWith(folder, "from file\nmore").toStdString();
    const Environment environment{{}, "from environment"};
    const auto passphrasesOf = [&](const std::vector<std::string>& words) {
        std::vector<std::string> passphrases;
        const Result result = parse(words, environment);
        for (const store::Endpoint& endpoint :
             std::get<WindowArguments>(result).servers.endpoints) {
            passphrases.push_back(endpoint.keyPassphrase);
        }
        return passphrases;
    };
    QCOMPARE(passphrasesOf({"rediss://a", "redis://b"}),
             (std::vector<std::string>{"from environment", ""}));
    QCOMPARE(passphrasesOf({"rediss://a", "--key-passphrase-file", path}),
             std::vector<std::string>{"from file"});
    QCOMPARE(
        errorOf(parse({"rediss://a", "--key-passphrase-file", "/nowhere/at/all"})),
        std::string("--key-passphrase-file: \"/nowhere/at/all\" cannot be read (No such file or "
                    "directory)"));
    QVERIFY(errorOf(parse({"redis://a", "--key-passphrase-file", path}))
                .starts_with("--key-passphrase-file applies to encrypted connections only"));
}

void TestArguments::thePasswordOfSentinelsIsForSentinelsAlone()
{
    const QTemporaryDir folder;
    const std::string path = fileWith(folder, "from file\nmore").toStdString();
    const Environment environment{"of the server", {}, "from environment"};
    const auto passwordsOf = [&](const std::vector<std::string>& words) {
        std::vector<std::string> passwords;
        const Result result = parse(words, environment);
        for (const store::Endpoint& endpoint :
             std::get<WindowArguments>(result).servers.endpoints) {
            passwords.push_back(endpoint.password + '|' + endpoint.sentinelPassword);
        }
        return passwords;
    };
    QCOMPARE(passwordsOf({"redis+sentinel://:own@a/m", "redis://b"}),
             (std::vector<std::string>{"own|from environment", "of the server|"}));
    QCOMPARE(passwordsOf({"redis+sentinel://a/m", "--sentinel-password-file", path}),
             std::vector<std::string>{"of the server|from file"});
    QVERIFY(errorOf(parse({"redis://a", "--sentinel-password-file", path}))
                .starts_with("--sentinel-password-file applies to redis+sentinel://"));
}

void TestArguments::passwordFileGivesItsFirstLine_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QByteArray>("password");
    QTest::newRow("line") << QByteArray("secret\n") << QByteArray("secret");
    QTest::newRow("no line end") << QByteArray("secret") << QByteArray("secret");
    QTest::newRow("of Windows") << QByteArray("secret\r\n") << QByteArray("secret");
    QTest::newRow("spaces belong to it")
        << QByteArray(" se cret \nnote") << QByteArray(" se cret ");
    QTest::newRow("bytes") << QByteArray("\xff\x00z\n", 4) << QByteArray("\xff\x00z", 3);
}

void TestArguments::passwordFileGivesItsFirstLine()
{
    QFETCH(const QByteArray, content);
    QFETCH(const QByteArray, password);
    const QTemporaryDir folder;
    const Result result = parse({"redis://a", "--password-file",
                                 fileWith(folder, content).toStdString()});
    QCOMPARE(errorOf(result), std::string("(no error)"));
    QCOMPARE(QByteArray::fromStdString(
                 std::get<WindowArguments>(result).servers.endpoints.front().password),
             password);
}

void TestArguments::unusablePasswordFilesAreExplained()
{
    const QTemporaryDir folder;
    QCOMPARE(
        errorOf(parse({"redis://a", "--password-file", "/nowhere/at/all"})),
        std::string(
            "--password-file: \"/nowhere/at/all\" cannot be read (No such file or directory)"));
    const QString path = fileWith(folder, "\nsecret\n");
    QCOMPARE(errorOf(parse({"redis://a", "--password-file", path.toStdString()})),
             "--password-file: the first line of \"" + path.toStdString() + "\" is empty");
    fileWith(folder, QByteArray(5000, 'x'));
    const std::string tooLong = errorOf(parse({"redis://a", "--password-file",
                                               path.toStdString()}));
    QVERIFY2(tooLong.find("longer than 4096 bytes") != std::string::npos, tooLong.c_str());
    const std::string noFile = errorOf(parse({"redis://a", "--password-file",
                                              folder.path().toStdString()}));
    QVERIFY2(noFile.find("cannot be read") != std::string::npos, noFile.c_str());
}

void TestArguments::passwordsInUrlsAreNoticed()
{
    QVERIFY(
        std::get<WindowArguments>(parse({"redis://a", "redis://:x@b"})).servers.hasPasswordInUrl);
    const Result fromElsewhere = parse({"redis://a"}, Environment{"secret", {}});
    QVERIFY(!std::get<WindowArguments>(fromElsewhere).servers.hasPasswordInUrl);
}

void TestArguments::timeoutGoesForConnectionAndAnswers()
{
    const Result result = parse({"redis://a", "--timeout", "1.5s", "--read-only"});
    const store::Endpoint endpoint = std::get<WindowArguments>(result).servers.endpoints.front();
    QVERIFY(endpoint.connectTimeout == 1500ms);
    QVERIFY(endpoint.requestTimeout == 1500ms);
    QVERIFY(endpoint.isReadOnly);
}

void TestArguments::helpNamesEveryOption()
{
    const std::string text = std::get<Information>(parse({"--help", "redis://a"})).text;
    for (const char* const name :
         {"--url", "--password-file", "--read-only", "--timeout", "--deep", "--pattern", "--demo",
          "--screenshot", "--page", "--after", "--theme", "--open", "--size", "--help", "--version",
          "LOCKSCOPE_PASSWORD"}) {
        QVERIFY2(text.find(name) != std::string::npos, name);
    }
}

void TestArguments::versionIsTold()
{
    QCOMPARE(std::get<Information>(parse({"--version"})).text,
             std::string("lockscope " LOCKSCOPE_VERSION "\n"));
}

void TestArguments::whatTheServersAreIsSaidOnce()
{
    using store::Grouping;
    const auto groupingOf = [](std::vector<std::string> words) {
        words.insert(words.begin(), {"redis://a", "redis://b"});
        return std::get<WindowArguments>(parse(words)).servers.endpoints.back().grouping;
    };
    QVERIFY(groupingOf({}) == Grouping::Unsaid);
    QVERIFY(groupingOf({"--redlock-set"}) == Grouping::RedlockSet);
    QVERIFY(groupingOf({"--separate"}) == Grouping::Separate);
    QVERIFY(std::holds_alternative<ArgumentError>(parse({"redis://a", "redis://b", "--redlock-set",
                                                         "--separate"})));
    QVERIFY(std::holds_alternative<ArgumentError>(parse({"redis://a", "--redlock-set"})));
}

void TestArguments::theManualPageHasTheCallAndEveryOption()
{
    QFile file(testing::inSourceTree(QStringLiteral("docs/lockscope.1")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const std::string page = file.readAll().toStdString();
    const std::string made = app::windowSynopsis();
    if (page.find(".SH SYNOPSIS\n" + made + ".SH DESCRIPTION") == std::string::npos) {
        QFAIL(("The synopsis of docs/lockscope.1 should be:\n" + made).c_str());
    }
    const app::WindowCall call;
    for (const std::string& name : call.options().names()) {
        const std::string option = app::withManualDashes("--" + name);
        QVERIFY2(page.find(".TP\n.B " + option + '\n') != std::string::npos
                     || page.find(".TP\n.BI " + option + " \"") != std::string::npos,
                 option.c_str());
    }
}

void TestArguments::nonsenseIsRefused_data()
{
    QTest::addColumn<std::vector<std::string>>("words");
    QTest::addColumn<std::string>("reason");
    for (const char* const size : {"1280", "1280x", "x800", "1280x800x2", "10x10", "axb"}) {
        QTest::addRow("size %s", size)
            << std::vector<std::string>{"--size", size}
            << (std::string("--size: \"") + size
                + "\" is not a width and a height of at least 200 pixels: 1280x800");
    }
    QTest::newRow("scheme") << Line{"http://x"}
                            << std::string(
                                   "the address \"http://x\" is invalid: unknown scheme "
                                   "\"http\": use redis://, rediss://, unix://, redis+sentinel:// "
                                   "or redis+cluster://");
    QTest::newRow("TLS options without TLS")
        << Line{"redis://h", "--key", "k"}
        << std::string("--key applies to encrypted connections only; use rediss:// in the address");
    QTest::newRow("same server twice")
        << Line{"redis://h", "h:6379"} << std::string("the address \"h:6379\" is given twice");
    QTest::newRow("number without unit")
        << Line{"--timeout", "5"}
        << std::string("--timeout: \"5\" is not a duration; write 250ms, 10s, 5m, 2h or 1d");
    QTest::newRow("no time at all")
        << Line{"--timeout=0s"} << std::string("--timeout: \"0s\" leaves no time to answer");
    QTest::newRow("theme") << Line{"--theme", "pink"}
                           << std::string("--theme: \"pink\" is none of light, dark");
    QTest::newRow("demo with a server")
        << Line{"--demo", "redis://h"} << std::string("--demo starts its own server; omit the URL");
    QTest::newRow("after without a picture")
        << Line{"--after", "1s"}
        << std::string("--after sets the delay of a screenshot; it needs --screenshot FILE");
    QTest::newRow("nameless picture")
        << Line{"--screenshot="} << std::string("--screenshot: the name of the file is empty");
    QTest::newRow("unknown") << Line{
        "--reed-only"} << std::string("unknown option \"--reed-only\"; did you mean --read-only?");
}

void TestArguments::nonsenseIsRefused()
{
    QFETCH(const std::vector<std::string>, words);
    QFETCH(const std::string, reason);
    QCOMPARE(errorOf(parse(words)), reason);
}

void TestArguments::errorsDoNotRepeatPasswords()
{
    for (const char* const url :
         {"redis://:secret@h:99999", "redis://:secret@", "redis://joe:secret@h/x",
          "joe:secret@:", "redis://:secret@h redis://:secret@h", "redis://joe:sec%zzret@h",
          "redis://h?password=secret", "redis://h/0?secret", "redis://joe:secret",
          "unix:///run/s?db=0&password=secret", "redis://h/0&password=secret"}) {
        const std::string error = errorOf(parse({url}));
        QVERIFY2(error != std::string("(no error)"), url);
        QVERIFY2(error.find("sec") == std::string::npos, error.c_str());
    }
}

void TestArguments::passwordsAreOverwrittenInTheProcessList()
{
    std::array<std::string, 9> words{"lockscope",
                                     "redis://joe:secret@h",
                                     "--url",
                                     "joe:secret@h",
                                     "--url=:secret@h",
                                     "order:42@home",
                                     "redis://h?p=sec",
                                     "redis+sentinel://joe:secret@s1:1,s2/m",
                                     "redis+sentinel://s1:26379,s2:26379/m"};
    std::vector<char*> pointers;
    for (std::string& word : words) {
        pointers.push_back(word.data());
    }
    hidePasswords(pointers);
    QCOMPARE(words[1], std::string("redis://joe:******@h"));
    QCOMPARE(words[3], std::string("joe:******@h"));
    QCOMPARE(words[4], std::string("--url=:******@h"));
    QCOMPARE(words[5], std::string("order:42@home"));
    QCOMPARE(words[6], std::string("redis://h?*****"));
    QCOMPARE(words[7], std::string("redis+sentinel://joe:******@s1:1,s2/m"));
    QCOMPARE(words[8], std::string("redis+sentinel://s1:26379,s2:26379/m"));
}

LOCKSCOPE_TEST(TestArguments, None)

} // namespace lockscope::tst_arguments

#include "tst_arguments.moc"
