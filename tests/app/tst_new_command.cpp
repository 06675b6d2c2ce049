// A command is what it says of itself: one that the program has never heard of is parsed, explained
// and run like the others, and the manual page has the calls of all.

#include "app/cli/cli_arguments.h"
#include "app/cli/command_help.h"
#include "app/cli/exit_code.h"
#include "app/cli/program.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryFile>
#include <QTest>

namespace lockscope::tst_new_command {

using namespace lockscope::cli;

namespace {

constexpr CommandText kGreetText{
    .name = "greet",
    .operand = "NAME",
    .summary = "say hello",
    .details = "\nGreets somebody.\n",
    .examples = "\n  lockscope-cli greet world --times 2\n",
};

struct GreetArguments {
    std::string name;
    int times = 1;
};

class GreetCommand final : public CommandWith<GreetArguments> {
public:
    GreetCommand() : CommandWith(kGreetText) {}

    void declare(app::OptionSet& options) override
    {
        options.addNumber("times", m_arguments.times, 1, 9, "How often (1).");
    }

    void complete(const Operands& operands) override { m_arguments.name = operands.first(); }

    async::Task<int> run(Context context) override
    {
        for (int i = 0; i < m_arguments.times; ++i) {
            context.output.print("hello " + m_arguments.name + '\n');
        }
        co_return ExitChangedHands;
    }
};

/// Those of the program, and one more.
std::vector<CommandMaker> commandsAndGreet()
{
    std::vector<CommandMaker> makers(allCommands().begin(), allCommands().end());
    makers.push_back([]() -> std::unique_ptr<Command> { return std::make_unique<GreetCommand>(); });
    return makers;
}

auto parse(const std::vector<std::string>& words)
{
    return parseCliArguments(words, {}, commandsAndGreet());
}

std::string errorOf(const std::vector<std::string>& words)
{
    const auto result = parse(words);
    const auto* const error = std::get_if<app::ArgumentError>(&result);
    return error != nullptr ? error->reason : "(no error)";
}

std::string document(const QString& path)
{
    QFile file(testing::inSourceTree(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

std::string manualPage()
{
    return document(QStringLiteral("docs/lockscope-cli.1"));
}

} // namespace

class TestNewCommand final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void itIsParsed();
    void itIsExplained();
    void itIsRun();
    void itsMistakesAreExplained();
    void namesAreUnique();
    void theManualPageHasTheCallsOfAll();
    void theManualPageNamesEveryOption();
    void theHelpOfTheWindowNamesAllCommands();
};

void TestNewCommand::itIsParsed()
{
    const auto result = parse({"--times", "3", "greet", "world"});
    const auto& call = std::get<CliArguments>(result);
    QVERIFY(call.servers.endpoints.empty());
    const auto& greet = dynamic_cast<const GreetCommand&>(*call.command);
    QCOMPARE(greet.arguments().name, std::string("world"));
    QCOMPARE(greet.arguments().times, 3);
}

void TestNewCommand::itIsExplained()
{
    const auto all = parse({"--help"});
    QVERIFY(std::get<app::Information>(all).text.find("  greet NAME          say hello\n")
            != std::string::npos);
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"help", "greet"}, {"greet", "--help"}, {"greet", "x", "-h"}}) {
        const auto one = parse(words);
        const std::string& text = std::get<app::Information>(one).text;
        QVERIFY2(
            text.starts_with("Usage: lockscope-cli greet NAME [options]\n\nGreets somebody.\n"),
            text.c_str());
        QVERIFY2(text.find("  --times N                 How often (1).\n") != std::string::npos,
                 text.c_str());
    }
    const std::string synopsis = manualSynopsis(commandsAndGreet());
    QVERIFY2(synopsis.find(".B lockscope\\-cli greet\n.I NAME\n.RB [ \\-\\-times\n.IR N ]\n")
                 != std::string::npos,
             synopsis.c_str());
}

void TestNewCommand::itIsRun()
{
    QTemporaryFile results;
    QVERIFY(results.open());
    Output output(results.handle(), results.handle());
    auto result = parse({"greet", "world", "--times=2"});
    Program program(std::move(std::get<CliArguments>(result)), output);
    QSignalSpy finished(&program, &Program::finished);
    QVERIFY(finished.wait());
    QCOMPARE(finished.front().front().toInt(), int(ExitChangedHands));
    QFile file(results.fileName());
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("hello world\nhello world\n"));
}

void TestNewCommand::itsMistakesAreExplained()
{
    QCOMPARE(errorOf({"greet"}),
             std::string("greet needs a NAME. See: lockscope-cli greet --help"));
    QCOMPARE(errorOf({"gret", "x"}),
             std::string("unknown command \"gret\"; did you mean greet? See: lockscope-cli "
                         "--help"));
    QCOMPARE(errorOf({"greet", "x", "--url", "redis://h"}),
             std::string("greet has no option --url. See: lockscope-cli greet --help"));
    QCOMPARE(errorOf({"greet", "x", "--tims", "2"}),
             std::string("unknown option \"--tims\"; did you mean --times? See: lockscope-cli "
                         "greet --help"));
    QVERIFY(errorOf({}).ends_with(", prove, completion or greet. See: lockscope-cli --help"));
}

void TestNewCommand::namesAreUnique()
{
    std::set<std::string> names;
    for (const CommandMaker make : allCommands()) {
        const std::unique_ptr<Command> command = make();
        QVERIFY(names.emplace(command->text().name).second);
        QVERIFY(!command->text().summary.empty() && !command->text().examples.empty());
    }
}

void TestNewCommand::theManualPageHasTheCallsOfAll()
{
    const std::string page = manualPage();
    const std::string begin = ".SH SYNOPSIS\n";
    const std::size_t from = page.find(begin) + begin.size();
    const std::string inPage = page.substr(from, page.find(".SH DESCRIPTION") - from);
    const std::string made = manualSynopsis(allCommands());
    if (inPage != made) {
        qInfo("The synopsis of docs/lockscope-cli.1 should be:\n%s", made.c_str());
    }
    QVERIFY(inPage == made);
}

void TestNewCommand::theManualPageNamesEveryOption()
{
    const std::string page = manualPage();
    for (const CommandMaker make : allCommands()) {
        const DeclaredCommand declared(make);
        for (const std::string& name : declared.options.names()) {
            std::string option = "\\-\\-";
            for (const char c : name) {
                option += c == '-' ? "\\-" : std::string(1, c);
            }
            QVERIFY2(page.find(option) != std::string::npos, name.c_str());
        }
    }
}

void TestNewCommand::theHelpOfTheWindowNamesAllCommands()
{
    const std::string page = document(QStringLiteral("docs/command-line.md"));
    for (const CommandMaker make : allCommands()) {
        const std::string row = "| `" + std::string(make()->text().name);
        QVERIFY2(page.find(row + '`') != std::string::npos
                     || page.find(row + ' ') != std::string::npos,
                 row.c_str());
    }
}

LOCKSCOPE_TEST(TestNewCommand, Core)

} // namespace lockscope::tst_new_command

#include "tst_new_command.moc"
