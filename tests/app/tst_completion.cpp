// What shells offer is what the commands say of themselves; bash and, where they are installed,
// fish and zsh read the real scripts.

#include "app/cli/command_help.h"
#include "app/cli/completion/bash_completion.h"
#include "app/cli/completion/completion_facts.h"
#include "app/cli/completion/fish_completion.h"
#include "app/cli/completion/zsh_completion.h"
#include "core/kernel/protocol/catalogue.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <array>

namespace lockscope::tst_completion {

using namespace lockscope::cli;
using namespace Qt::StringLiterals;

namespace {

const std::array<CompletedProgram, 2>& programs()
{
    static const std::array kPrograms{completedCli(allCommands()), completedWindow()};
    return kPrograms;
}

/// Calls the function that bash was told to, as bash does it when Tab is pressed. The first word is
/// the file to read.
constexpr const char* kPressTab = R"(
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
call=$(complete -p "$1")
call=${call#*-F }
"${call%% *}" "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
)";

QStringList linesOf(const QString& program, const QStringList& arguments, const QString& folder)
{
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start(program, arguments);
    if (!process.waitForFinished() || process.exitCode() != 0) {
        qFatal("%s: %s", qPrintable(program), process.readAllStandardError().constData());
    }
    if (const QByteArray errors = process.readAllStandardError(); !errors.isEmpty()) {
        qFatal("%s says: %s", qPrintable(program), errors.constData());
    }
    return QString::fromUtf8(process.readAllStandardOutput()).split(u'\n', Qt::SkipEmptyParts);
}

} // namespace

class TestCompletion final : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString written(const QString& name, const std::string& text) const
    {
        QFile file(m_folder.filePath(name));
        return file.open(QIODevice::WriteOnly) && file.write(text.data(), qint64(text.size())) >= 0
                   ? file.fileName()
                   : QString();
    }
    /// What bash offers for the last of these words.
    QStringList inBash(const QStringList& words) const
    {
        const QStringList arguments{u"--norc"_s, u"-c"_s, QString::fromUtf8(kPressTab), u"bash"_s,
                                    m_folder.filePath(u"script.bash"_s)};
        return linesOf(u"bash"_s, arguments + words, m_folder.path());
    }
    QStringList inFish(const QString& line) const
    {
        const QString command = u"source script.fish; complete -C '%1'"_s.arg(line);
        QStringList offered;
        for (const QString& each :
             linesOf(u"fish"_s, {u"-N"_s, u"-c"_s, command}, m_folder.path())) {
            offered += each.section(u'\t', 0, 0);
        }
        return offered;
    }
    template<class Ask> // of one word that is begun: (command, word)
    static QString missingOptions(Ask ask)
    {
        QString missing;
        for (const CommandMaker make : allCommands()) {
            const DeclaredCommand declared(make);
            const QString name = QString::fromUtf8(declared.command->text().name);
            const QStringList offered = ask(name, u"--"_s);
            for (const std::string& option : declared.options.names()) {
                const QString word = u"--"_s + QString::fromStdString(option);
                missing += offered.contains(word) ? QString() : name + u' ' + word + u'\n';
            }
        }
        return missing;
    }

private Q_SLOTS:
    void initTestCase();
    void namesSayWhatMayBeOffered();
    void bashOffersEveryCommand();
    void bashOffersEveryOption();
    void bashOffersValues_data();
    void bashOffersValues();
    void bashOffersFiles();
    void bashOffersWhatRunStarts();
    void fishOffersEveryCommandAndOption();
    void zshReadsAllCommandsAndOptions();
};

void TestCompletion::initTestCase()
{
    QVERIFY(!written(u"script.bash"_s, bashCompletion(programs())).isEmpty());
    QVERIFY(!written(u"script.fish"_s, fishCompletion(programs())).isEmpty());
    QVERIFY(!written(u"script.zsh"_s, zshCompletion(programs())).isEmpty());
    QVERIFY(!written(u"a file.json"_s, "{}").isEmpty());
}

void TestCompletion::namesSayWhatMayBeOffered()
{
    QCOMPARE(completedValue("table|json").words, (std::vector<std::string>{"table", "json"}));
    QCOMPARE(completedValue("DURATION|auto").words, std::vector<std::string>{"auto"});
    QVERIFY(completedValue("FILE...").isFile && completedValue("FILE...").isRepeatable);
    QVERIFY(completedValue("-- COMMAND...").isCommand);
    QVERIFY(!completedValue("-- COMMAND...").isFile);
    QCOMPARE(completedValue("[ID]").words.size(), protocol::builtinProtocols().size());
    const CompletedValue list = completedValue("LIST|all", {"x"});
    QVERIFY(list.isList);
    QCOMPARE(list.words, (std::vector<std::string>{"x", "all"}));
    QVERIFY(completedValue("").isNone() && !completedValue("KEY").isNone());
}

void TestCompletion::bashOffersEveryCommand()
{
    const QStringList offered = inBash({u"lockscope-cli"_s, QString()});
    for (const CommandMaker make : allCommands()) {
        QVERIFY2(offered.contains(QString::fromUtf8(make()->text().name)),
                 make()->text().name.data());
    }
    QVERIFY(offered.contains(u"help"_s) && offered.contains(u"--version"_s));
    QCOMPARE(inBash({u"lockscope-cli"_s, u"expl"_s}), QStringList{u"explore"_s});
    QCOMPARE(inBash({u"lockscope-cli"_s, u"help"_s, u"expl"_s}), QStringList{u"explore"_s});
}

void TestCompletion::bashOffersEveryOption()
{
    QCOMPARE(missingOptions([this](const QString& command, const QString& word) {
                 return inBash({u"lockscope-cli"_s, command, word});
             }),
             QString());
    const QStringList offered = inBash({u"lockscope"_s, u"--"_s});
    const app::WindowCall call;
    for (const std::string& option : call.options().names()) {
        QVERIFY2(offered.contains(u"--"_s + QString::fromStdString(option)), option.c_str());
    }
}

void TestCompletion::bashOffersValues_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("offered");
    QTest::newRow("words") << u"list --format |"_s << u"table json csv"_s;
    QTest::newRow("begun") << u"list --format j|"_s << u"json"_s;
    QTest::newRow("after =") << u"list --format = c|"_s << u"csv"_s; // as bash splits it
    QTest::newRow("behind =") << u"list --format =|"_s << u"table json csv"_s;
    QTest::newRow("only words") << u"release order:42 --tombstone a|"_s << u"auto"_s;
    QTest::newRow("list") << u"explore --faults pause,cra|"_s << u"pause,crash"_s;
    QTest::newRow("harms") << u"matrix --never w|"_s << u"wrong-release wrong-count"_s;
    QTest::newRow("protocol") << u"run --protocol redisson-f|"_s << u"redisson-fair"_s;
    QTest::newRow("operand") << u"protocols redisson-f|"_s << u"redisson-fair"_s;
    QTest::newRow("shell") << u"completion |"_s << u"bash zsh fish --help --version"_s;
    QTest::newRow("unknown value") << u"list --filter |"_s << QString();
    QTest::newRow("command behind a value") << u"--url list show --form|"_s << u"--format"_s;
}

void TestCompletion::bashOffersValues()
{
    QFETCH(QString, line);
    QFETCH(QString, offered);
    QStringList words = line.chopped(1).split(u' ');
    words.prepend(u"lockscope-cli"_s);
    QCOMPARE(inBash(words).join(u' '), offered);
}

void TestCompletion::bashOffersFiles()
{
    const QStringList file{u"a file.json"_s};
    QCOMPARE(inBash({u"lockscope-cli"_s, u"replay"_s, u"a"_s}), file);
    QCOMPARE(inBash({u"lockscope-cli"_s, u"explore"_s, u"--scenario"_s, u"a"_s}), file);
    QCOMPARE(inBash({u"lockscope-cli"_s, u"explore"_s, u"--protocol"_s, u"a f"_s}), file);
    QCOMPARE(inBash({u"lockscope"_s, u"a"_s}), file);
    QVERIFY(inBash({u"lockscope-cli"_s, u"show"_s, u"a"_s}).isEmpty());
}

void TestCompletion::bashOffersWhatRunStarts()
{
    QVERIFY(inBash({u"lockscope-cli"_s, u"run"_s, u"--"_s, u"dirnam"_s}).contains(u"dirname"_s));
    QVERIFY(inBash({u"lockscope-cli"_s, u"run"_s, u"dirnam"_s}).isEmpty());
}

void TestCompletion::fishOffersEveryCommandAndOption()
{
    if (QStandardPaths::findExecutable(u"fish"_s).isEmpty()) {
        QSKIP("fish is not installed");
    }
    const QStringList commands = inFish(u"lockscope-cli "_s);
    for (const std::string& name : commandNames(programs().front())) {
        QVERIFY2(commands.contains(QString::fromStdString(name)), name.c_str());
    }
    QCOMPARE(missingOptions([this](const QString& command, const QString& word) {
                 return inFish(u"lockscope-cli "_s + command + u' ' + word);
             }),
             QString());
    QCOMPARE(inFish(u"lockscope-cli list --format "_s),
             (QStringList{u"csv"_s, u"json"_s, u"table"_s}));
    QCOMPARE(inFish(u"lockscope-cli explore --faults pause,cra"_s), QStringList{u"pause,crash"_s});
    QCOMPARE(inFish(u"lockscope-cli replay a"_s), QStringList{u"a file.json"_s});
    QVERIFY(inFish(u"lockscope --"_s).contains(u"--screenshot"_s));
}

void TestCompletion::zshReadsAllCommandsAndOptions()
{
    const std::string script = zshCompletion(programs());
    QVERIFY(script.starts_with("#compdef lockscope-cli lockscope\n"));
    for (const CommandMaker make : allCommands()) {
        const DeclaredCommand declared(make);
        const std::string name(declared.command->text().name);
        const std::size_t at = script.find("                " + name + ")\n");
        QVERIFY2(at != std::string::npos, name.c_str());
        const std::string part = script.substr(at, script.find(";;\n", at) - at);
        for (const std::string& option : declared.options.names()) {
            QVERIFY2(part.find("--" + option + "=[") != std::string::npos
                         || part.find("--" + option + "[") != std::string::npos,
                     option.c_str());
        }
    }
    if (QStandardPaths::findExecutable(u"zsh"_s).isEmpty()) {
        QSKIP("zsh is not installed: only the text was compared");
    }
    QVERIFY(linesOf(u"zsh"_s, {u"-n"_s, u"script.zsh"_s}, m_folder.path()).isEmpty());
}

LOCKSCOPE_TEST(TestCompletion, Core)

} // namespace lockscope::tst_completion

#include "tst_completion.moc"
