#include "app/cli/cli_arguments.h"
#include "app/cli/command_help.h"
#include "app/cli/commands/command_list.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_cli_arguments {

using namespace lockscope::cli;
using namespace std::chrono_literals;

namespace {

using Result = std::variant<CliArguments, app::Information, app::ArgumentError>;

Result parse(const std::vector<std::string>& words)
{
    return parseCliArguments(words, {});
}

template<class Arguments>
Arguments commandOf(const Result& result)
{
    if (const auto* const error = std::get_if<app::ArgumentError>(&result)) {
        QTest::qFail(error->reason.c_str(), __FILE__, __LINE__);
        return {};
    }
    return dynamic_cast<const CommandWith<Arguments>&>(*std::get<CliArguments>(result).command)
        .arguments();
}

std::unique_ptr<DeclaredCommand> declaredCommand(std::string_view name)
{
    for (const CommandMaker make : allCommands()) {
        if (make()->text().name == name) {
            return std::make_unique<DeclaredCommand>(make);
        }
    }
    return nullptr;
}

} // namespace

class TestCliArguments final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theDefaultServerIsLocal();
    void optionsMayStandBeforeTheCommand();
    void listTakesItsOptions();
    void keysAreUnescaped();
    void ownersAreBytesOrTheirEscapedForm();
    void releaseTakesItsOptions();
    void treatTakesOneChoice();
    void everyCommandHasHelp_data();
    void everyCommandHasHelp();
    void helpIsACommandToo();
    void nonsenseIsRefused_data();
    void nonsenseIsRefused();
    void aFolderIsNoFile_data();
    void aFolderIsNoFile();
};

void TestCliArguments::theDefaultServerIsLocal()
{
    const Result result = parse({"list", "--timeout", "2s", "--read-only"});
    const auto& endpoints = std::get<CliArguments>(result).servers.endpoints;
    QCOMPARE(endpoints.size(), 1U);
    QCOMPARE(store::serverName(endpoints.front()), std::string("127.0.0.1:6379"));
    QVERIFY(endpoints.front().requestTimeout == 2s);
    QVERIFY(endpoints.front().isReadOnly);
}

void TestCliArguments::optionsMayStandBeforeTheCommand()
{
    const Result result = parse({"--url", "redis://a", "show", "--url=redis://b", "key"});
    QCOMPARE(commandOf<ShowArguments>(result).key, std::string("key"));
    QCOMPARE(std::get<CliArguments>(result).servers.endpoints.size(), 2U);
}

void TestCliArguments::listTakesItsOptions()
{
    const auto list = commandOf<ListArguments>(parse({"list", "--filter", "flag:any", "--deep",
                                                      "--pattern", "a*", "--format", "csv"}));
    QVERIFY(!list.selection.filter.isEmpty());
    QVERIFY(list.selection.isDeep);
    QCOMPARE(list.selection.patterns, std::vector<std::string>{"a*"});
    QCOMPARE(list.format, Format::Csv);
    const auto plain = commandOf<ListArguments>(parse({"list"}));
    QVERIFY(plain.selection.filter.isEmpty());
    QCOMPARE(plain.format, Format::Table);
}

void TestCliArguments::keysAreUnescaped()
{
    QCOMPARE(commandOf<ShowArguments>(parse({"show", "a\\xff\\x00b"})).key,
             std::string("a\xff\0b", 4));
    QCOMPARE(commandOf<ShowArguments>(parse({"show", "a\\b"})).key, std::string("a\\b"));
    QCOMPARE(commandOf<ShowArguments>(parse({"show", ""})).key, std::string());
    QCOMPARE(commandOf<ShowArguments>(parse({"show", "--", "--key"})).key, std::string("--key"));
}

void TestCliArguments::ownersAreBytesOrTheirEscapedForm()
{
    QVERIFY(OwnerToken{"a\\xffb"}.means("a\xff"
                                        "b"));
    QVERIFY(OwnerToken{"a\\xffb"}.means("a\\xffb"));
    QVERIFY(OwnerToken{"a\xff"}.means("a\xff"));
    QVERIFY(OwnerToken{"a\\xz"}.means("a\\xz"));
    QVERIFY(!OwnerToken{"a"}.means("b"));
    QVERIFY(!OwnerToken{"a"}.means("aa"));
}

void TestCliArguments::releaseTakesItsOptions()
{
    const auto release = commandOf<ReleaseArguments>(
        parse({"release", "k", "--owner=-me", "--dry-run", "--reason", "died", "--audit-file",
               "a.jsonl", "--follow", "0s", "--format", "json"}));
    QCOMPARE(release.key, std::string("k"));
    QCOMPARE(release.owner.text, std::string("-me"));
    QVERIFY(release.isDryRun);
    QCOMPARE(release.reason, std::string("died"));
    QCOMPARE(release.auditFile, std::string("a.jsonl"));
    QVERIFY(release.followFor == 0s);
    QCOMPARE(release.format, Format::Json);
    QVERIFY(commandOf<ReleaseArguments>(parse({"release", "k", "--owner", ""})).owner.text.empty());
}

void TestCliArguments::treatTakesOneChoice()
{
    const auto as = commandOf<TreatArguments>(parse({"treat", "acme:*", "--as", "token"}));
    QCOMPARE(as.names, std::string("acme:*"));
    QCOMPARE(as.asFormat, std::string("token"));
    QVERIFY(commandOf<TreatArguments>(parse({"treat", "acme:*", "--not-a-lock"})).isNoLock);
    QVERIFY(commandOf<TreatArguments>(parse({"treat", "acme:*", "--forget"})).isForgotten);
    QVERIFY(commandOf<TreatArguments>(parse({"treat"})).names.empty());
}

void TestCliArguments::everyCommandHasHelp_data()
{
    QTest::addColumn<QByteArray>("name");
    for (const CommandMaker make : allCommands()) {
        const std::string name(make()->text().name);
        QTest::newRow(name.c_str()) << QByteArray::fromStdString(name);
    }
}

void TestCliArguments::everyCommandHasHelp()
{
    QFETCH(const QByteArray, name);
    const std::string command = name.toStdString();
    const std::string text = std::get<app::Information>(parse({command, "--help"})).text;
    const auto declared = declaredCommand(command);
    for (const std::string& option : declared->options.names()) {
        QVERIFY2(text.find("--" + option) != std::string::npos, option.c_str());
    }
    QVERIFY(text.find("Exit codes:") != std::string::npos);
    QVERIFY(std::get<app::Information>(parse({"--help"})).text.find("  " + command)
            != std::string::npos);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        QVERIFY2(end - at <= 100, text.substr(at, end - at).c_str());
        at = end + 1;
    }
}

void TestCliArguments::helpIsACommandToo()
{
    QCOMPARE(std::get<app::Information>(parse({"help"})).text, programHelp(allCommands()));
    QCOMPARE(std::get<app::Information>(parse({"help", "watch"})).text,
             commandHelp(*declaredCommand("watch")));
    QCOMPARE(std::get<app::Information>(parse({"--version"})).text,
             std::string("lockscope-cli " LOCKSCOPE_VERSION "\n"));
}

void TestCliArguments::nonsenseIsRefused_data()
{
    QTest::addColumn<std::vector<std::string>>("words");
    QTest::addColumn<std::string>("reason");
    const auto row = [](const char* name, const std::vector<std::string>& words,
                        const std::string& reason) { QTest::newRow(name) << words << reason; };
    row("nothing", {},
        "no command given: list, watch, export, show, release, disconnect, audit, formats, treat, "
        "acl, tree, who, doctor, run, acquire, contend, protocols, explore, simulate, replay, "
        "matrix, merge, "
        "advise, lint, prove or completion. See: lockscope-cli --help");
    row("audit as a verification in CSV", {"audit", "--verify", "--format", "csv"},
        "--verify has the formats table and json. See: lockscope-cli audit --help");
    row("audit since nonsense", {"audit", "--since", "yesterday"},
        "--since: \"yesterday\" is not a duration; write 250ms, 10s, 5m, 2h or 1d, or a time such "
        "as "
        "2026-11-26T14:03. See: lockscope-cli audit --help");
    row("disconnect without a client", {"disconnect", "lock:a", "--owner", "x"},
        "disconnect needs either --dry-run, which names the client, or --client ID. See: "
        "lockscope-cli disconnect --help");
    row("disconnect without an owner", {"disconnect", "lock:a", "--dry-run"},
        "disconnect needs --owner TOKEN: the owner of the lock; \"lockscope-cli show KEY\" prints "
        "it. See: lockscope-cli disconnect --help");
    row("treat without a choice", {"treat", "a:*"},
        "treat needs one of --as FORMAT, --not-a-lock and --forget with PATTERN. "
        "See: lockscope-cli treat --help");
    row("treat with two choices", {"treat", "a:*", "--as", "token", "--forget"},
        "treat needs one of --as FORMAT, --not-a-lock and --forget with PATTERN. "
        "See: lockscope-cli treat --help");
    row("treat without a pattern", {"treat", "--forget"},
        "treat needs PATTERN: the names of the keys, as 'cart:*'. See: lockscope-cli treat --help");
    row("unknown command", {"lst", "--key", "x"},
        "unknown command \"lst\"; did you mean list? See: lockscope-cli --help");
    row("command of a later version", {"record"},
        "unknown command \"record\". See: lockscope-cli --help");
    row("help about nothing", {"help", "me"}, "unknown command \"me\". See: lockscope-cli --help");
    row("option of another command", {"list", "--owner", "x"},
        "list has no option --owner. See: lockscope-cli list --help");
    row("misspelt option", {"list", "--fitler", "x"},
        "unknown option \"--fitler\"; did you mean --filter? See: lockscope-cli list --help");
    row("filter field", {"list", "--filter", "onwer:x"},
        "--filter: unknown field \"onwer\": did you mean owner? (at character 1). See: "
        "lockscope-cli list --help");
    row("format", {"list", "--format", "xml"},
        "--format: \"xml\" is none of table, json, csv. See: lockscope-cli list --help");
    row("csv of one lock", {"show", "k", "--format=csv"},
        "--format: \"csv\" is none of table, json. See: lockscope-cli show --help");
    row("table of a stream", {"watch", "--format", "table"},
        "--format: \"table\" is not json. See: lockscope-cli watch --help");
    row("empty pattern", {"list", "--pattern", ""},
        "--pattern: an empty pattern matches nothing. See: lockscope-cli list --help");
    row("no key", {"show"}, "show needs a KEY. See: lockscope-cli show --help");
    row("too long", {"who", "k", "--for", "2m"},
        "--for must be more than 0 and at most 60s. See: lockscope-cli who --help");
    row("two keys", {"show", "a", "b"},
        "show does not accept the argument \"b\". See: lockscope-cli show --help");
    row("server without option", {"list", "redis://:secret@h"},
        "list does not accept the argument \"redis://:***@h\"; specify a server with --url. See: "
        "lockscope-cli list --help");
    row("broken escape", {"show", "\\xZZ"},
        "KEY: \\x must be followed by two hexadecimal digits; write a backslash before an x as "
        "\\x5c. See: lockscope-cli show --help");
    row("nobody named", {"release", "k"},
        "release needs --owner TOKEN: the owner of the lock; \"lockscope-cli show KEY\" prints it. "
        "See: lockscope-cli release --help");
    row("nothing named", {"release"}, "release needs a KEY. See: lockscope-cli release --help");
    row("audit file", {"release", "k", "--owner", "x", "--audit-file="},
        "--audit-file: the name of the file is empty. See: lockscope-cli release --help");
    row("follow", {"release", "k", "--owner", "x", "--follow", "soon"},
        "--follow: \"soon\" is not a duration; write 250ms, 10s, 5m, 2h or 1d. See: lockscope-cli "
        "release --help");
}

void TestCliArguments::nonsenseIsRefused()
{
    QFETCH(const std::vector<std::string>, words);
    QFETCH(const std::string, reason);
    const Result result = parse(words);
    const auto* const error = std::get_if<app::ArgumentError>(&result);
    QVERIFY(error != nullptr);
    QCOMPARE(error->reason, reason);
}

void TestCliArguments::aFolderIsNoFile_data()
{
    QTest::addColumn<std::vector<std::string>>("words");
    const auto row = [](const char* name, const std::vector<std::string>& words) {
        QTest::newRow(name) << words;
    };
    row("lint", {"lint", "/"});
    row("explore a protocol", {"explore", "--protocol", "/"});
    row("explore a scenario", {"explore", "--scenario", "/"});
    row("simulate", {"simulate", "--protocol-file", "/"});
    row("matrix", {"matrix", "--protocols", "/"});
    row("replay", {"replay", "/"});
    row("merge", {"merge", "/"});
    row("contend", {"contend", "--protocol-file", "/"});
    row("protocols", {"protocols", "--protocol-file", "/"});
    row("list", {"list", "--password-file", "/"});
}

void TestCliArguments::aFolderIsNoFile()
{
    QFETCH(const std::vector<std::string>, words);
    const Result result = parse(words);
    const auto* const error = std::get_if<app::ArgumentError>(&result);
    QVERIFY(error != nullptr);
    const std::string said = "\"/\" cannot be read (Is a directory). See: ";
    QVERIFY2(error->reason.find(said) != std::string::npos, error->reason.c_str());
}

LOCKSCOPE_TEST(TestCliArguments, None)

} // namespace lockscope::tst_cli_arguments

#include "tst_cli_arguments.moc"
