#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/report/cell_report.h"
#include "core/kernel/report/cell_view.h"
#include "core/kernel/report/matrix_text.h"
#include "core/kernel/report/search_json.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/json_schema.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <span>

namespace lockscope::tst_cell_report {

using namespace std::chrono_literals;
using protocol::Promise;
using report::CellReport;
using report::CellVerdict;
using report::PromiseVerdict;
using search::PromiseResult;
using world::FaultKind;

namespace {

const std::vector kReleases{search::Harm::WrongRelease};

CellReport heldCell(FaultKind fault, const char* protocol = "set-nx-ex")
{
    CellReport cell;
    cell.protocol = protocol;
    cell.group = report::groupOf(protocol::findProtocol(protocol)->info());
    cell.fault = fault;
    cell.isSearched = true;
    cell.coverage.schedules = 10;
    cell.coverage.states = 7;
    cell.coverage.isComplete = true;
    search::SearchReport report = search::emptyReport(protocol::findProtocol(protocol)->info());
    cell.coverage.chances.counts.fill(5);
    cell.coverage.chances.requests = cell.coverage.chances.grants = 9;
    search::addChances(report, cell.coverage.chances);
    for (PromiseResult& result : report.promises) {
        cell.verdicts.push_back({std::move(result), {}, {}, {}});
    }
    return cell;
}

void breakIn(CellReport& cell, Promise promise, int length, bool isPromised)
{
    CellVerdict& verdict = cell.verdicts.at(static_cast<std::size_t>(promise));
    verdict.result.status = PromiseResult::Status::Broken;
    verdict.result.isPromised = isPromised;
    search::Finding finding;
    finding.violation.promise = promise;
    finding.violation.kind = world::ViolationKind::WrongRelease;
    finding.violation.at = Instant(5s);
    finding.violation.other = 1;
    finding.length = length;
    verdict.result.finding = finding;
    verdict.plan.name = "two at once";
    verdict.plan.clients.resize(2);
    verdict.story = {{Instant(1s), 0, "A sends SET k", false}};
}

CellReport brokenCell(FaultKind fault, int length, bool isPromised)
{
    CellReport cell = heldCell(fault);
    breakIn(cell, Promise::OwnerOnlyRelease, length, isPromised);
    return cell;
}

nlohmann::json plain(const report::Json& json)
{
    return nlohmann::json::parse(json.dump());
}

} // namespace

class TestCellReport final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theHeadlineIsTheShortestOfWhatIsPromised();
    void brokenAnywhereIsBroken();
    void coverageAddsUp();
    void runsThatAreCutAreNotEnough();
    void chancesAddUp();
    void whatIsNeverGrantedIsNotJudged();
    void whatHeldInAStoppedSearchIsNotHeld();
    void faultsAreThoseOfTheRun();
    void aSearchInJsonFitsTheSchema();
    void anEntryOfTheMatrixPerPromise();
    void theMatrixHasARowPerProtocol();
};

void TestCellReport::theHeadlineIsTheShortestOfWhatIsPromised()
{
    CellReport cell = brokenCell(FaultKind::Pause, 4, false);
    QVERIFY(!cell.isPromiseBroken());
    breakIn(cell, Promise::NoStuckLock, 9, true);
    QCOMPARE(cell.headline()->result.promise, Promise::NoStuckLock);
    QVERIFY(cell.isPromiseBroken());
    const std::vector<CellReport> cells{heldCell(FaultKind::Crash), cell,
                                        brokenCell(FaultKind::Hang, 7, true)};
    QCOMPARE(report::headlineOf(cells), &cells[2]);
    QCOMPARE(report::headlineOf(std::span(cells).first(1)), nullptr);
}

void TestCellReport::brokenAnywhereIsBroken()
{
    const std::vector<CellReport> cells{heldCell(FaultKind::Crash),
                                        brokenCell(FaultKind::Pause, 7, true)};
    const std::vector<PromiseVerdict> verdicts = report::verdictsOf(cells);
    const PromiseVerdict& release = verdicts.at(std::size_t(Promise::OwnerOnlyRelease));
    QCOMPARE(release.status, PromiseVerdict::Status::Broken);
    QCOMPARE(std::string(release.kind), std::string("wrong-release"));
    QCOMPARE(release.summary, std::string("A released the hold of B"));
    QCOMPARE(release.at, std::optional<Duration>(5s));
    QCOMPARE(verdicts.at(std::size_t(Promise::Progress)).status, PromiseVerdict::Status::Held);
    QCOMPARE(verdicts.at(std::size_t(Promise::FencingOrder)).status,
             PromiseVerdict::Status::NotApplicable);
}

void TestCellReport::coverageAddsUp()
{
    std::vector<CellReport> cells{heldCell(FaultKind::Crash), heldCell(FaultKind::Pause)};
    QCOMPARE(report::coverageOf(cells).schedules, std::uint64_t(20));
    QVERIFY(report::coverageOf(cells).isComplete);
    cells[1].coverage.isComplete = false;
    QVERIFY(!report::coverageOf(cells).isComplete);
    cells[1].isApplicable = false;
    QVERIFY(report::coverageOf(cells).isComplete);
}

/// A stuck lock shows at the end of a run, so that runs without an end show nothing.
void TestCellReport::runsThatAreCutAreNotEnough()
{
    std::vector<CellReport> cells{heldCell(FaultKind::Crash), heldCell(FaultKind::Pause)};
    QCOMPARE(report::neverEndedUnder(cells), std::string());
    cells[0].coverage.cutRuns = 3;
    QCOMPARE(report::neverEndedUnder(cells), std::string("crash"));
    cells[1].coverage.cutRuns = 3;
    cells[1].coverage.endedRuns = 1;
    QCOMPARE(report::neverEndedUnder(cells), std::string("crash"));
    cells[1].coverage.endedRuns = 0;
    QCOMPARE(report::neverEndedUnder(cells), std::string("crash, pause"));
    CellReport broken = brokenCell(FaultKind::Pause, 7, true);
    broken.coverage.cutRuns = 3;
    QCOMPARE(report::neverEndedUnder(std::span(&broken, 1)), std::string());
}

void TestCellReport::chancesAddUp()
{
    std::vector<CellReport> cells{heldCell(FaultKind::Crash), heldCell(FaultKind::Pause)};
    constexpr auto kStuck = std::size_t(Promise::NoStuckLock);
    QCOMPARE(report::verdictsOf(cells).at(kStuck).chances, std::uint64_t(10));
    for (CellReport& cell : cells) {
        cell.verdicts.at(kStuck).result.status = PromiseResult::Status::NotExercised;
        cell.verdicts.at(kStuck).result.chances = 0;
    }
    QCOMPARE(report::verdictsOf(cells).at(kStuck).status, PromiseVerdict::Status::NotExercised);
    cells.back().verdicts.at(kStuck).result.status = PromiseResult::Status::Held;
    QCOMPARE(report::verdictsOf(cells).at(kStuck).status, PromiseVerdict::Status::Held);
    QVERIFY(!cells.front().isNothingExercised());
}

void TestCellReport::whatIsNeverGrantedIsNotJudged()
{
    CellReport cell = heldCell(FaultKind::Interleaving);
    QCOMPARE(report::untestedText(std::span(&cell, 1)), std::string());
    cell.coverage.chances = {};
    cell.coverage.chances.requests = 4;
    QVERIFY(cell.isNeverGranted());
    QCOMPARE(report::untestedText(std::span(&cell, 1)),
             std::string("No acquisition was ever granted: nothing was tested."));
    QCOMPARE(report::cellText(cell, kReleases), std::string("!"));
    cell.reasonNeverGranted = "The server says no.";
    const std::vector<CellReport> cells{cell, cell};
    const nlohmann::json json = plain(report::searchJson(report::searchReport("explore", cells),
                                                         cells));
    QCOMPARE(testing::schemaComplaint(json, "run"), std::string());
    QCOMPARE(json["untested"].get<std::string>(),
             std::string("No acquisition was ever granted: nothing was tested.\n"
                         "The server says no."));
}

/// A scenario allows several kinds, and a run has some of them.
/// A script reached a limit of the simulation: what held until then says nothing.
void TestCellReport::whatHeldInAStoppedSearchIsNotHeld()
{
    CellReport stopped = heldCell(FaultKind::Interleaving);
    const auto isAnyHeld = [&stopped] {
        const auto ofCell = report::verdictsOf(stopped);
        const auto ofRow = report::verdictsOf(std::span(&stopped, 1));
        const auto isHeld = [](const PromiseVerdict& verdict) {
            return verdict.status == PromiseVerdict::Status::Held;
        };
        return std::ranges::any_of(ofCell, isHeld) || std::ranges::any_of(ofRow, isHeld);
    };
    QVERIFY(isAnyHeld());
    stopped.coverage.isScriptStopped = true;
    QVERIFY(!isAnyHeld());
    QVERIFY(report::untestedText(std::span(&stopped, 1)).starts_with(report::scriptStoppedText()));
    QVERIFY(report::viewOf(stopped, kReleases).standing == report::CellStanding::Untested);

    breakIn(stopped, Promise::OwnerOnlyRelease, 4, true);
    QCOMPARE(report::untestedText(std::span(&stopped, 1)), std::string());
}

void TestCellReport::faultsAreThoseOfTheRun()
{
    CellReport cell = brokenCell(FaultKind::Pause, 7, true);
    cell.fault.reset();
    search::Finding& finding =
        *cell.verdicts.at(std::size_t(Promise::OwnerOnlyRelease)).result.finding;
    const auto verdict = [&cell] {
        return report::verdictsOf(cell).at(std::size_t(Promise::OwnerOnlyRelease));
    };
    QCOMPARE(report::circumstancesOf(verdict()), std::string("without any fault"));
    finding.steps = {world::Step::ofFault(FaultKind::Eviction, 0, 0),
                     world::Step::serve(0, 0, world::LinkRole::Commands),
                     world::Step::ofFault(FaultKind::Failover, 0, 0),
                     world::Step::ofFault(FaultKind::Eviction, 0, 0)};
    QCOMPARE(report::circumstancesOf(verdict()), std::string("after: key evicted, failover"));
    QCOMPARE(report::promiseJson(verdict())["after"].dump(),
             std::string(R"(["eviction","failover"])"));
}

void TestCellReport::aSearchInJsonFitsTheSchema()
{
    const std::vector<CellReport> cells{heldCell(FaultKind::Crash),
                                        brokenCell(FaultKind::Pause, 7, true)};
    const report::RunReport run = report::searchReport("explore", cells);
    QCOMPARE(run.story, std::vector<std::string>{"A sends SET k"});
    const nlohmann::json json = plain(report::searchJson(run, cells));
    QCOMPARE(testing::schemaComplaint(json, "run"), std::string());
    QCOMPARE(json["faults"].size(), std::size_t(2));
    QCOMPARE(json["faults"][1]["promises"][2]["length"].get<int>(), 7);
    QVERIFY(json["complete"].get<bool>());
}

void TestCellReport::anEntryOfTheMatrixPerPromise()
{
    const auto entries = report::matrixEntries(brokenCell(FaultKind::Pause, 7, true));
    QCOMPARE(entries.size(), std::size_t(Promise::PromiseCount));
    nlohmann::json all = nlohmann::json::array();
    for (const report::Json& entry : entries) {
        all.push_back(plain(entry));
    }
    QCOMPARE(testing::schemaComplaint(all, "matrix"), std::string());
    const nlohmann::json& broken = all[std::size_t(Promise::OwnerOnlyRelease)];
    QCOMPARE(broken["status"].get<std::string>(), std::string("broken"));
    QCOMPARE(broken["promise"].get<std::string>(), std::string("owner-only-release"));
    QCOMPARE(broken["harm"].get<std::string>(), std::string("wrong-release"));
    QCOMPARE(broken["group"].get<std::string>(), std::string("one-holder"));
    QCOMPARE(broken["faultGroup"].get<std::string>(), std::string("clients"));
    QCOMPARE(broken["fault"].get<std::string>(), std::string("pause"));
    QCOMPARE(broken["story"].dump(), std::string(R"(["A sends SET k"])"));
}

void TestCellReport::theMatrixHasARowPerProtocol()
{
    const std::vector<CellReport> cells{heldCell(FaultKind::Crash),
                                        brokenCell(FaultKind::Pause, 7, true),
                                        heldCell(FaultKind::Crash, "redlock"),
                                        heldCell(FaultKind::Pause, "redlock"),
                                        heldCell(FaultKind::Crash, "semaphore"),
                                        heldCell(FaultKind::Pause, "semaphore")};
    QCOMPARE(report::matrixMarkdown(cells, {kReleases, world::allFaultGroups()}),
             std::string("**One holder**\n\n"
                         "| protocol | verdict | crash | pause |\n"
                         "|---|---|---|---|\n"
                         "| redlock | nothing broke it | ok | ok |\n"
                         "| set-nx-ex | removes locks of others | ok | 7 |\n"
                         "\n**Permits**\n\n"
                         "| protocol | verdict | crash | pause |\n"
                         "|---|---|---|---|\n"
                         "| semaphore | nothing broke it | ok | ok |\n"));
    // Folded, the worst of both is shown.
    QVERIFY(report::matrixMarkdown(cells, {kReleases, {}})
                .find("| protocol | verdict | clients |\n"
                      "|---|---|---|\n"
                      "| redlock | nothing broke it | ok |\n"
                      "| set-nx-ex | removes locks of others | 7 |\n")
            != std::string::npos);
    const std::string csv = report::matrixCsv(cells);
    QVERIFY2(csv.find("set-nx-ex,pause,owner-only-release,wrong-release,broken,true,wrong-release,"
                      "7,10,true,5,one-holder,clients\n")
                 != std::string::npos,
             csv.c_str());
    QCOMPARE(std::count(csv.begin(), csv.end(), '\n'),
             std::ptrdiff_t(1 + 6 * std::size_t(Promise::PromiseCount)));
}

LOCKSCOPE_TEST(TestCellReport, Core)

} // namespace lockscope::tst_cell_report

#include "tst_cell_report.moc"
