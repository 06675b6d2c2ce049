#include "app/cli/cli_arguments.h"
#include "app/cli/commands/command_list.h"
#include "app/cli/output/search_text.h"
#include "app/cli/session/search_tasks.h"
#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/report/run/proof_file.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

namespace lockscope::tst_search_arguments {

using namespace lockscope::cli;
using search::RandomSearch;
using search::SearchTask;
using search::SystematicSearch;
using world::FaultKind;

namespace {

using Words = std::vector<std::string>;

template<class Arguments>
Arguments commandOf(const Words& words)
{
    const auto result = parseCliArguments(words, {});
    if (const auto* const error = std::get_if<app::ArgumentError>(&result)) {
        QTest::qFail(error->reason.c_str(), __FILE__, __LINE__);
        return {};
    }
    return dynamic_cast<const CommandWith<Arguments>&>(*std::get<CliArguments>(result).command)
        .arguments();
}

std::string complaintAbout(const Words& words)
{
    const auto result = parseCliArguments(words, {});
    const auto* const error = std::get_if<app::ArgumentError>(&result);
    return error != nullptr ? error->reason.substr(0, error->reason.find(" See: "))
                            : std::string("nothing is wrong");
}

std::string brokenExample(const char* name)
{
    return testing::inSourceTree(
               QStringLiteral("resources/protocols/broken/%1.json").arg(QString::fromLatin1(name)))
        .toStdString();
}

/// A file in a folder of the test.
std::string fileWith(const QTemporaryDir& folder, const QByteArray& text)
{
    const QString path = folder.filePath(QStringLiteral("file.json"));
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size() ? path.toStdString()
                                                                              : std::string();
}

constexpr char kScenario[] = R"({"plan": {"name": "alone", "clients": [
    {"acts": [{"do": "acquire", "lease": "10s"}, {"do": "work", "for": "4s"}, {"do": "release"}]}],
    "faults": [{"kind": "crash"}]}})";

report::CellReport withFault(report::CellReport cell, FaultKind fault)
{
    cell.fault = fault;
    return cell;
}

} // namespace

class TestSearchArguments final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void exploreTriesEveryFaultUnlessToldOtherwise();
    void aScenarioBringsItsOwnFaults();
    void clientsAreFilledUp();
    void simulateAllowsEverythingAtOnce();
    void matrixTakesIdsAndFiles();
    void adviseAlwaysTriesWhatShowsHazards();
    void lintLeavesOutMisuse();
    void lintTakesAFileOnly();
    void aProtocolIsListedOnce();
    void aCellThatMakesNoDifferenceHasNoPlans();
    void aTableHasItsLegend();
    void replayOpensRunsAsWell();
    void replayOpensFindsOfProveAsWell();
    void aDamagedRunIsRefusedWithItsPlace();
    void nonsenseIsRefused_data();
    void nonsenseIsRefused();
};

void TestSearchArguments::exploreTriesEveryFaultUnlessToldOtherwise()
{
    auto explore = commandOf<ExploreArguments>({"explore", "--protocol", "set-nx-ex"});
    QCOMPARE(tasksOf(explore).size(), static_cast<std::size_t>(FaultKind::FaultKindCount));
    QCOMPARE(explore.subject.format, Format::Text);
    explore = commandOf<ExploreArguments>({"explore", "--protocol", "set-nx-ex", "--faults",
                                           "pause, crash,pause", "--max-schedules", "7",
                                           "--max-preemptions", "2", "--max-steps", "300",
                                           "--threads", "3", "--format", "json"});
    const std::vector<SearchTask> tasks = tasksOf(explore);
    QCOMPARE(tasks.size(), std::size_t(2));
    QCOMPARE(tasks[1].fault, std::optional(FaultKind::Crash));
    QCOMPARE(std::get<SystematicSearch>(tasks[0].method).bounds.schedulesMax, std::uint64_t(7));
    QCOMPARE(std::get<SystematicSearch>(tasks[0].method).bounds.preemptionsMax, std::optional(2));
    QCOMPARE(std::get<SystematicSearch>(tasks[0].method).bounds.lengthMax, 300);
    QVERIFY(exploreText(explore, {}).find("Up to 7 schedules per plan, of up to 2 preemptions")
            != std::string::npos);
    QVERIFY(std::ranges::all_of(tasks[0].plans, [](const world::WorldPlan& plan) {
        return plan.faults.allows(FaultKind::Pause) && !plan.faults.allows(FaultKind::Crash);
    }));
    QCOMPARE(explore.subject.threadCount, 3);
    QCOMPARE(explore.subject.format, Format::Json);
}

void TestSearchArguments::aScenarioBringsItsOwnFaults()
{
    const QTemporaryDir folder;
    const std::string path = fileWith(folder, kScenario);
    const auto own = commandOf<ExploreArguments>({"explore", "--scenario", path, "--protocol",
                                                  "redisson-lock"});
    std::vector<SearchTask> tasks = tasksOf(own);
    QCOMPARE(tasks.size(), std::size_t(1));
    QVERIFY(!tasks[0].fault);
    QVERIFY(tasks[0].plans.at(0).faults.allows(FaultKind::Crash));
    const auto other = commandOf<ExploreArguments>({"explore", "--scenario", path, "--protocol",
                                                    "redisson-lock", "--faults", "pause"});
    tasks = tasksOf(other);
    QVERIFY(!tasks.at(0).plans.at(0).faults.allows(FaultKind::Crash));
    QVERIFY(tasks.at(0).plans.at(0).faults.allows(FaultKind::Pause));
}

void TestSearchArguments::clientsAreFilledUp()
{
    const auto explore = commandOf<ExploreArguments>({"explore", "--protocol", "set-nx-ex",
                                                      "--faults", "interleaving", "--clients",
                                                      "3"});
    for (const SearchTask& task : tasksOf(explore)) {
        QVERIFY(!task.plans.empty());
        for (const world::WorldPlan& plan : task.plans) {
            QCOMPARE(plan.clients.size(), std::size_t(3));
        }
    }
}

void TestSearchArguments::simulateAllowsEverythingAtOnce()
{
    const auto simulate = commandOf<SimulateArguments>({"simulate", "--protocol", "set-nx-ex",
                                                        "--seed", "9", "--runs", "50"});
    const std::vector<SearchTask> tasks = tasksOf(simulate);
    QCOMPARE(tasks.size(), std::size_t(1));
    QCOMPARE(std::get<RandomSearch>(tasks[0].method).seed, std::uint64_t(9));
    QCOMPARE(std::get<RandomSearch>(tasks[0].method).runCount, std::uint64_t(50));
    const world::FaultPlan& faults = tasks[0].plans.at(0).faults;
    QVERIFY(faults.allows(FaultKind::Pause) && faults.allows(FaultKind::Failover));
    QVERIFY(!faults.allows(FaultKind::Hang)); // it renews nothing
}

void TestSearchArguments::matrixTakesIdsAndFiles()
{
    const auto matrix = commandOf<MatrixArguments>({"matrix", "--protocols",
                                                    "redlock," + brokenExample("get-then-del"),
                                                    "--faults", "crash,pause", "--format",
                                                    "markdown"});
    QCOMPARE(matrix.protocols.size(), std::size_t(2));
    QCOMPARE(matrix.protocols[1].info().id, std::string("get-then-del"));
    QCOMPARE(tasksOf(matrix).size(), std::size_t(4));
    QCOMPARE(matrix.format, Format::Markdown);
    QCOMPARE(matrix.never, std::vector{search::Harm::TwoHolders});
    // So few columns are not folded.
    QCOMPARE(matrix.unfolded.size(), world::allFaultGroups().size());
    QVERIFY(commandOf<MatrixArguments>({"matrix"}).unfolded.empty());
    const auto clocks = commandOf<MatrixArguments>({"matrix", "--unfold", "clocks,data"});
    QVERIFY((clocks.unfolded == std::vector{world::FaultGroup::Clocks, world::FaultGroup::Data}));
    QCOMPARE(commandOf<MatrixArguments>({"matrix", "--unfold", "all"}).unfolded.size(),
             world::allFaultGroups().size());
    const auto stuck = commandOf<MatrixArguments>({"matrix", "--never", "stuck,unfair"});
    QCOMPARE(stuck.never, (std::vector{search::Harm::Stuck, search::Harm::Unfair}));
}

void TestSearchArguments::adviseAlwaysTriesWhatShowsHazards()
{
    const auto advise = commandOf<AdviseArguments>({"advise", "--never", "stuck,stuck", "--despite",
                                                    "pause", "--protocols", "redlock,semaphore",
                                                    "--servers", "5"});
    QVERIFY(advise.question.never == std::vector{search::Harm::Stuck});
    QVERIFY(advise.question.despite == (std::vector{FaultKind::Interleaving, FaultKind::Pause}));
    QCOMPARE(advise.question.serverCount, 5);
    // A semaphore is out of the question, and not searched. A crash is not asked about.
    QCOMPARE(tasksOf(advise).size(), std::size_t(3));
}

void TestSearchArguments::lintLeavesOutMisuse()
{
    const std::string file = brokenExample("get-then-del");
    auto lint = commandOf<LintArguments>({"lint", file});
    QVERIFY(std::ranges::none_of(lint.faults, world::isMisuse));
    QCOMPARE(tasksOf(lint).size(), static_cast<std::size_t>(FaultKind::FirstMisuse));
    QVERIFY(lint.plan.releaseCheck.has_value());
    lint = commandOf<LintArguments>({"lint", file, "--faults", "pause,shared-identity"});
    QCOMPARE(tasksOf(lint).size(), std::size_t(2));
}

void TestSearchArguments::lintTakesAFileOnly()
{
    QCOMPARE(
        complaintAbout({"lint", "redlock"}),
        std::string("the protocol file \"redlock\" cannot be read (No such file or directory)."));
    QCOMPARE(complaintAbout({"lint"}), std::string("lint needs a FILE."));
}

void TestSearchArguments::aProtocolIsListedOnce()
{
    const auto matrix = commandOf<MatrixArguments>({"matrix", "--protocols",
                                                    "all,redlock,redlock"});
    QCOMPARE(matrix.protocols.size(), protocol::builtinProtocols().size());
}

void TestSearchArguments::aCellThatMakesNoDifferenceHasNoPlans()
{
    const auto matrix = commandOf<MatrixArguments>({"matrix", "--protocols", "set-nx-ex",
                                                    "--faults", "hang"});
    QVERIFY(tasksOf(matrix).at(0).plans.empty());
}

void TestSearchArguments::aTableHasItsLegend()
{
    report::CellReport cell;
    cell.protocol = "redlock";
    cell.fault = FaultKind::Pause;
    cell.isSearched = true;
    cell.coverage.isComplete = true;
    cell.coverage.schedules = 12;
    const std::vector never{search::Harm::TwoHolders};
    const std::string text = matrixText(std::span(&cell, 1), {never, {}}, std::nullopt);
    QVERIFY2(text.starts_with("protocol    verdict                                   pause\n"
                              "\nOne holder\n"
                              "  redlock   has nothing that could go wrong this way  -\n\n"
                              "What must not happen: two holders at once.\n"),
             text.c_str());
    QVERIFY2(text.find("12 schedules of 1 cell") != std::string::npos, text.c_str());
    QVERIFY(text.find("--unfold") == std::string::npos);
    const std::vector cells{cell, withFault(cell, FaultKind::Hang)};
    const std::string folded = matrixText(cells, {never, {}}, std::nullopt);
    QVERIFY2(folded.starts_with("protocol    verdict                                   clients\n"),
             folded.c_str());
    QVERIFY2(folded.find("clients: pause, hang\n") != std::string::npos, folded.c_str());
    QVERIFY(headlineText(std::span(&cell, 1)).empty());
    SimulateArguments arguments;
    arguments.subject.protocol = report::SavedProtocol::builtin("redlock");
    QVERIFY(simulateText(arguments, cell).ends_with("No violation found.\n"));
}

void TestSearchArguments::replayOpensRunsAsWell()
{
    report::RunFile run;
    run.protocol = report::SavedProtocol::builtin("redlock");
    run.mode = "contend";
    const QTemporaryDir folder;
    const std::string path = fileWith(folder, QByteArray::fromStdString(report::runFileText(run)));
    const auto replay = commandOf<ReplayArguments>({"replay", path, "--export", "shiviz", "--to",
                                                    "x.log", "--save-run", "y.json"});
    QVERIFY(replay.record.has_value());
    QCOMPARE(replay.record->mode, std::string("contend"));
    QVERIFY(replay.outputs.exportFormat == exports::ExportFormat::ShiViz);
    QCOMPARE(replay.outputs.exportFile, std::string("x.log"));
    QCOMPARE(replay.outputs.runFile, std::string("y.json"));
    QVERIFY(complaintAbout({"replay", path, "--live"}).starts_with("--live: "));
}

/// But starts only what it is told to.
void TestSearchArguments::replayOpensFindsOfProveAsWell()
{
    report::ProofFile proof;
    proof.adapter = {"python3", "my adapter.py"};
    proof.lease = std::chrono::seconds(3);
    proof.clock = conduct::ClientClock::Real;
    proof.workload = "in-turn";
    const QTemporaryDir folder;
    const std::string path = fileWith(folder,
                                      QByteArray::fromStdString(report::proofFileText(proof)));
    const auto replay = commandOf<ReplayArguments>({"replay", path, "--", "node", "--check"});
    QVERIFY(replay.proof.has_value());
    QVERIFY(replay.proof->proof.words == (std::vector<std::string>{"node", "--check"}));
    QVERIFY(replay.proof->proof.lease == proof.lease);
    QVERIFY(replay.proof->proof.clock == proof.clock);
    QCOMPARE(replay.proof->proof.workload, proof.workload);
    QVERIFY(replay.proof->proof.bounds.schedule.has_value());
    QVERIFY(replay.proof->proof.bounds.promises == std::vector{proof.promise});
    QVERIFY(complaintAbout({"replay", path}).find("found with: python3 'my adapter.py'")
            != std::string::npos);
    QVERIFY(complaintAbout({"replay", path, "--live", "--", "node"}).starts_with("--live: "));
    QVERIFY(complaintAbout({"replay", "--", "node"}).starts_with("replay needs a FILE"));
    const std::string other = fileWith(folder, "{}");
    QVERIFY(complaintAbout({"replay", other, "--", "node"})
                .starts_with("replay: only a find of prove starts a command"));
}

void TestSearchArguments::aDamagedRunIsRefusedWithItsPlace()
{
    report::RunFile run;
    run.protocol = report::SavedProtocol::builtin("redlock");
    const std::string text = report::runFileText(run);
    const QTemporaryDir folder;
    const std::string path = fileWith(folder, QByteArray::fromStdString(text).chopped(1));
    QCOMPARE(complaintAbout({"replay", path}), "the run \"" + path + "\", byte "
                                                   + std::to_string(text.size())
                                                   + ": The file is damaged or ends too early.");
}

void TestSearchArguments::nonsenseIsRefused_data()
{
    QTest::addColumn<Words>("words");
    QTest::addColumn<std::string>("reason");
    const auto row = [](const char* name, const Words& words, const std::string& reason) {
        QTest::newRow(name) << words << reason;
    };
    row("no protocol", {"explore"},
        "--protocol ID or --scenario FILE is missing; \"lockscope-cli protocols\" lists the "
        "protocols.");
    row("a misspelt protocol", {"explore", "--protocol", "set-nx-xe"},
        "there is no protocol \"set-nx-xe\"; did you mean set-nx-ex?");
    row("a misspelt fault", {"explore", "--protocol", "redlock", "--faults", "crash,pouse"},
        "--faults: unknown fault \"pouse\"; did you mean pause?");
    row("no fault", {"matrix", "--faults", ","},
        "--faults: the list is empty; use interleaving for no fault.");
    row("a harm that is none", {"advise", "--never", "two"},
        "--never: \"two\" is none of all, two-holders, stuck, wrong-release, wrong-count, unfair.");
    row("a language without libraries", {"advise", "--library", "cobol"},
        "--library: \"cobol\" is none of dotnet, go, java, node, php, python, rust.");
    row("a misspelt fault to bear", {"advise", "--despite", "crsh"},
        "--despite: unknown fault \"crsh\"; did you mean crash?");
    row("a fault that real clients do not have", {"prove", "--faults", "crash,eviction"},
        "--faults: this command knows no \"eviction\"; the faults are interleaving, crash, pause, "
        "connection-loss, message-delay, message-loss, clock-step, server-restart, failover, "
        "partition, script-flush, or all.");
    row("no schedules", {"explore", "--protocol", "redlock", "--max-schedules", "0"},
        "--max-schedules: \"0\" is not a number between 1 and 1000000000.");
    row("nonsense for preemptions", {"explore", "--protocol", "redlock", "--max-preemptions", "x"},
        "--max-preemptions: \"x\" is not a number between 0 and 1000.");
    row("no steps", {"explore", "--protocol", "redlock", "--max-steps", "0"},
        "--max-steps: \"0\" is not a number between 1 and 10000.");
    row("one client", {"explore", "--protocol", "redlock", "--clients", "1"},
        "--clients: \"1\" is not a number between 2 and 26.");
    row("a missing scenario", {"simulate", "--scenario", "/nowhere/x.json"},
        "the scenario \"/nowhere/x.json\" cannot be read (No such file or directory).");
    row("a missing counterexample", {"replay", "/nowhere/x.json"},
        "the counterexample \"/nowhere/x.json\" cannot be read (No such file or directory).");
    row("nothing to replay", {"replay"}, "replay needs a FILE.");
    row("an unknown export", {"replay", "x", "--export", "pdf", "--to", "y"},
        "--export: the formats are perfetto, shiviz, csv and markdown, not \"pdf\".");
    row("an export to nowhere", {"replay", "x", "--export", "csv"}, "--export needs --to FILE.");
    row("a file for nothing", {"replay", "x", "--to", "y"}, "--to needs --export FORMAT.");
    row("another format", {"explore", "--protocol", "redlock", "--format", "csv"},
        "--format: \"csv\" is none of text, json.");
    row("an empty name", {"explore", "--protocol", "redlock", "--save", ""},
        "--save: the name of the file is empty.");
    row("an empty name of a run", {"simulate", "--protocol", "redlock", "--save-run", ""},
        "--save-run: the name of the file is empty.");
    row("an empty name to replay into", {"replay", "x", "--save-run", ""},
        "--save-run: the name of the file is empty.");
    row("seed", {"simulate", "--protocol", "redlock", "--seed", "lucky"},
        "--seed: \"lucky\" is not a number between 0 and 9223372036854775807.");
}

void TestSearchArguments::nonsenseIsRefused()
{
    QFETCH(const Words, words);
    QFETCH(const std::string, reason);
    QCOMPARE(complaintAbout(words), reason);
}

LOCKSCOPE_TEST(TestSearchArguments, Core)

} // namespace lockscope::tst_search_arguments

#include "tst_search_arguments.moc"
