// What cells and rows of the matrix say, which depends on what must not happen.

#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/report/cell_view.h"
#include "core/kernel/report/matrix_text.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_row_verdict {

using protocol::Promise;
using report::CellReport;
using report::CellStanding;
using report::CellView;
using report::RowVerdict;
using search::Harm;
using search::PromiseResult;
using world::FaultKind;
using Status = PromiseResult::Status;

namespace {

const std::vector<Harm> kTwo{Harm::TwoHolders};
const std::vector<Harm> kStuck{Harm::Stuck};
const std::vector<Harm> kAny(search::allHarms().begin(), search::allHarms().end());

CellReport heldCell(FaultKind fault, const char* protocol = "set-nx-px-token")
{
    CellReport cell;
    cell.protocol = protocol;
    cell.group = report::groupOf(protocol::findProtocol(protocol)->info());
    cell.fault = fault;
    cell.isSearched = true;
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

PromiseResult& resultOf(CellReport& cell, Promise promise)
{
    return cell.verdicts.at(static_cast<std::size_t>(promise)).result;
}

CellReport broken(CellReport cell, Promise promise, int length, bool isPromised)
{
    PromiseResult& result = resultOf(cell, promise);
    result.status = Status::Broken;
    result.isPromised = isPromised;
    search::Finding finding;
    finding.length = length;
    result.finding = finding;
    return cell;
}

RowVerdict rowOf(const std::vector<CellReport>& cells, std::span<const Harm> never = kTwo)
{
    std::vector<const CellReport*> all;
    for (const CellReport& cell : cells) {
        all.push_back(&cell);
    }
    return report::verdictOfRow(all, never);
}

} // namespace

class TestRowVerdict final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aCellShowsTheWorstHarm();
    void whatIsNotCaredForIsNoted();
    void withoutAChanceNothingHeld();
    void whatCannotBeHarmedIsNotApplicable();
    void aRowNamesItsConditions();
    void aBreakOnAGoodDayIsSaidFirst();
    void misuseIsNoFault();
    void oneCrashWeighsMoreThanManyFaults();
    void aFenceThatWithstandsAPauseLeads();
    void aBoundedSearchCountsForLess();
    void groupsAreRankedApart();
    void theTableIsRanked();
};

void TestRowVerdict::aCellShowsTheWorstHarm()
{
    CellReport cell = broken(heldCell(FaultKind::Pause), Promise::NoStuckLock, 3, true);
    cell = broken(cell, Promise::MutualExclusion, 9, false);
    const CellView any = report::viewOf(cell, kAny);
    QCOMPARE(any.harm, std::optional(Harm::TwoHolders));
    QCOMPARE(any.standing, CellStanding::HarmedAnyway);
    QCOMPARE(any.others, std::vector{Harm::Stuck});
    QCOMPARE(report::cellText(cell, kAny), std::string("(two 9)"));
    QCOMPARE(report::cellText(cell, kTwo), std::string("(9)"));
    QCOMPARE(report::cellText(cell, kStuck), std::string("3"));
    QCOMPARE(report::viewOf(cell, kStuck).standing, CellStanding::Harmed);
}

void TestRowVerdict::whatIsNotCaredForIsNoted()
{
    const CellReport cell = broken(heldCell(FaultKind::Pause), Promise::NoStuckLock, 3, true);
    const CellView view = report::viewOf(cell, kTwo);
    QCOMPARE(view.standing, CellStanding::Held);
    QVERIFY(!view.isHarmed());
    QCOMPARE(view.others, std::vector{Harm::Stuck});
    QCOMPARE(report::cellText(cell, kTwo), std::string("ok"));
}

void TestRowVerdict::withoutAChanceNothingHeld()
{
    CellReport cell = heldCell(FaultKind::Pause);
    resultOf(cell, Promise::MutualExclusion).status = Status::NotExercised;
    QCOMPARE(report::viewOf(cell, kTwo).standing, CellStanding::NotExercised);
    QCOMPARE(report::cellText(cell, kTwo), std::string("."));
    const CellView any = report::viewOf(cell, kAny);
    QCOMPARE(any.standing, CellStanding::Held);
    QCOMPARE(any.untested, std::vector{Harm::TwoHolders});
    cell.coverage.isComplete = false;
    QCOMPARE(report::cellText(cell, kAny), std::string("ok?"));
    cell.coverage.chances = {};
    cell.coverage.chances.requests = 4;
    QCOMPARE(report::viewOf(cell, kAny).standing, CellStanding::Untested);
    QCOMPARE(report::cellText(cell, kAny), std::string("!"));
}

void TestRowVerdict::whatCannotBeHarmedIsNotApplicable()
{
    CellReport cell = heldCell(FaultKind::Pause);
    for (const Promise promise :
         {Promise::ReentryBalance, Promise::FencingOrder, Promise::LeaseHonesty}) {
        resultOf(cell, promise).status = Status::NotApplicable;
    }
    const std::vector count{Harm::WrongCount};
    QCOMPARE(report::viewOf(cell, count).standing, CellStanding::NotApplicable);
    // Which is no reason to stand below those that break.
    const RowVerdict exempt = rowOf({cell}, count);
    QCOMPARE(rowText(exempt), std::string("has nothing that could go wrong this way"));
    const RowVerdict breaking =
        rowOf({broken(heldCell(FaultKind::Pause), Promise::LeaseHonesty, 3, true)}, count);
    QVERIFY(ranksBefore(exempt, breaking));
    cell.isApplicable = false;
    QCOMPARE(report::viewOf(cell, kTwo).standing, CellStanding::NotApplicable);
    QCOMPARE(report::cellText(cell, kTwo), std::string("-"));
}

void TestRowVerdict::aRowNamesItsConditions()
{
    std::vector<CellReport> cells{heldCell(FaultKind::Interleaving),
                                  broken(heldCell(FaultKind::Pause), Promise::MutualExclusion, 7,
                                         false)};
    RowVerdict row = rowOf(cells);
    QCOMPARE(row.kind, RowVerdict::Kind::Conditional);
    QCOMPARE(rowText(row), std::string("safe while the holder is faster than its lease"));
    // What is alike is one condition.
    for (const FaultKind fault : {FaultKind::ServerRestart, FaultKind::Failover}) {
        cells.push_back(broken(heldCell(fault), Promise::MutualExclusion, 5, true));
    }
    row = rowOf(cells);
    QCOMPARE(row.harmedCount, std::size_t(3));
    QCOMPARE(row.brokenCount, std::size_t(2));
    QCOMPARE(rowText(row), std::string("safe while the holder is faster than its lease, +1"));
    QVERIFY(rowDetail(row).find("the server forgets nothing") != std::string::npos);
    QCOMPARE(rowText(rowOf(cells, kStuck)), std::string("nothing broke it"));
    cells.front().coverage.isComplete = false;
    QCOMPARE(rowText(rowOf(cells, kStuck)), std::string("nothing broke it so far"));
    QVERIFY(rowDetail(rowOf(cells)).find("Some cells were not searched completely")
            != std::string::npos);
    cells.front().isSearched = false;
    QCOMPARE(rowOf(cells).kind, RowVerdict::Kind::Unknown);
}

void TestRowVerdict::aBreakOnAGoodDayIsSaidFirst()
{
    const std::vector cells{broken(heldCell(FaultKind::Interleaving), Promise::MutualExclusion, 3,
                                   false),
                            heldCell(FaultKind::Crash)};
    QCOMPARE(rowText(rowOf(cells)), std::string("breaks on a good day"));
    // Also for somebody who cares for another disaster, but not because of waits.
    QCOMPARE(rowText(rowOf(cells, kStuck)), std::string("breaks on a good day"));
    const std::vector unfair{broken(heldCell(FaultKind::Interleaving), Promise::Fairness, 3, false),
                             heldCell(FaultKind::Crash)};
    QCOMPARE(rowText(rowOf(unfair)), std::string("nothing broke it"));
    // Unless it is waits that count, or fairness is promised.
    const std::vector waits{Harm::Unfair};
    QCOMPARE(rowText(rowOf(unfair, waits)), std::string("breaks on a good day"));
    const std::vector paused{unfair.front(), broken(heldCell(FaultKind::Pause),
                                                    Promise::MutualExclusion, 7, false)};
    QCOMPARE(rowText(rowOf(paused, kAny)),
             std::string("safe while the holder is faster than its lease"));
    const std::vector promised{
        broken(heldCell(FaultKind::Interleaving), Promise::Fairness, 3, true), paused.back()};
    QCOMPARE(rowText(rowOf(promised, kAny)), std::string("breaks on a good day"));
}

void TestRowVerdict::misuseIsNoFault()
{
    const std::vector misused{heldCell(FaultKind::Interleaving),
                              broken(heldCell(FaultKind::SharedIdentity), Promise::MutualExclusion,
                                     3, true)};
    const RowVerdict row = rowOf(misused);
    QCOMPARE(row.harmedCount, std::size_t(0));
    QCOMPARE(row.misusedCount, std::size_t(1));
    QCOMPARE(rowText(row), std::string("safe while no two tasks share an identity"));
    const std::vector paused{heldCell(FaultKind::Interleaving),
                             broken(heldCell(FaultKind::Pause), Promise::MutualExclusion, 3,
                                    false)};
    QVERIFY(ranksBefore(row, rowOf(paused)) && !ranksBefore(rowOf(paused), row));
}

void TestRowVerdict::oneCrashWeighsMoreThanManyFaults()
{
    const RowVerdict stuck = rowOf({heldCell(FaultKind::Interleaving),
                                    broken(heldCell(FaultKind::Crash), Promise::NoStuckLock, 2,
                                           false)});
    QCOMPARE(rowText(stuck), std::string("one crash locks it for ever"));
    const RowVerdict robbing = rowOf({heldCell(FaultKind::Interleaving),
                                      broken(heldCell(FaultKind::Pause), Promise::OwnerOnlyRelease,
                                             2, false)});
    QCOMPARE(rowText(robbing), std::string("removes locks of others"));
    const RowVerdict weak =
        rowOf({heldCell(FaultKind::Interleaving),
               broken(heldCell(FaultKind::Pause), Promise::MutualExclusion, 3, false),
               broken(heldCell(FaultKind::ClockStep), Promise::MutualExclusion, 3, false)});
    QVERIFY(ranksBefore(weak, robbing) && ranksBefore(robbing, stuck));
    // Whose lock it was that a server has lost is nobody's to say.
    const RowVerdict lost = rowOf({heldCell(FaultKind::Interleaving),
                                   broken(heldCell(FaultKind::Failover), Promise::OwnerOnlyRelease,
                                          2, false)});
    QVERIFY(!lost.removesOthers);
}

void TestRowVerdict::aFenceThatWithstandsAPauseLeads()
{
    const char* const id = "fenced-token";
    const std::vector lost{
        broken(heldCell(FaultKind::ServerRestart, id), Promise::FencingOrder, 5, false)};
    const CellReport paused = broken(heldCell(FaultKind::Pause, id), Promise::MutualExclusion, 7,
                                     false);
    std::vector cells{heldCell(FaultKind::Interleaving, id), paused,
                      broken(lost.front(), Promise::MutualExclusion, 5, false)};
    const RowVerdict fenced = rowOf(cells);
    QVERIFY(fenced.isFencedWhenLate);
    QCOMPARE(rowText(fenced), std::string("safe with its fence while the server forgets nothing"));
    QVERIFY(rowDetail(fenced).find("refuses a late holder") != std::string::npos);
    const RowVerdict plain = rowOf({heldCell(FaultKind::Interleaving), heldCell(FaultKind::Pause)});
    QVERIFY(!plain.isFencedWhenLate);
    QVERIFY(ranksBefore(fenced, plain) && !ranksBefore(plain, fenced));
    QCOMPARE(rowText(rowOf({cells[0], paused})), std::string("safe with its fence"));
    // Numbers do not help against other harms.
    QVERIFY(!rowOf(cells, kStuck).isFencedWhenLate);
    // Nor without a pause, nor if a late holder does more than work at the same time.
    QVERIFY(!rowOf({cells[0], cells[2]}).isFencedWhenLate);
    QVERIFY(!rowOf({cells[0], broken(paused, Promise::FencingOrder, 9, false)}).isFencedWhenLate);
    QVERIFY(!rowOf({cells[0], broken(paused, Promise::NoStuckLock, 9, false)}).isFencedWhenLate);
    const RowVerdict robbing = rowOf({cells[0],
                                      broken(paused, Promise::OwnerOnlyRelease, 9, false)});
    QVERIFY(!robbing.isFencedWhenLate && ranksBefore(plain, robbing));
}

void TestRowVerdict::aBoundedSearchCountsForLess()
{
    const auto cutCell = [](FaultKind fault) {
        CellReport cell = heldCell(fault);
        cell.coverage.isComplete = false;
        return cell;
    };
    const CellReport pause = broken(heldCell(FaultKind::Pause), Promise::MutualExclusion, 7, false);
    const CellReport restart = broken(heldCell(FaultKind::ServerRestart), Promise::MutualExclusion,
                                      7, false);
    const RowVerdict whole = rowOf({pause, heldCell(FaultKind::Crash), heldCell(FaultKind::Hang)});
    const RowVerdict cut = rowOf({pause, cutCell(FaultKind::Crash), heldCell(FaultKind::Hang)});
    QCOMPARE(cut.boundedCount, std::size_t(1));
    QVERIFY(ranksBefore(whole, cut) && !ranksBefore(cut, whole));
    // A harm that is known weighs more than any number of cells that are not.
    const RowVerdict doubtful = rowOf({pause, cutCell(FaultKind::Crash), cutCell(FaultKind::Hang),
                                       cutCell(FaultKind::ServerRestart)});
    const RowVerdict twice = rowOf({pause, restart, heldCell(FaultKind::Hang)});
    QVERIFY(ranksBefore(cut, doubtful) && ranksBefore(doubtful, twice));
    // Promises that break come after that.
    CellReport promised = pause;
    resultOf(promised, Promise::MutualExclusion).isPromised = true;
    QVERIFY(ranksBefore(rowOf({promised, heldCell(FaultKind::Crash)}), cut));
    // Where no run had a chance, as little is known.
    CellReport idle = heldCell(FaultKind::Crash);
    resultOf(idle, Promise::MutualExclusion).status = Status::NotExercised;
    QCOMPARE(rowOf({pause, idle}).boundedCount, std::size_t(1));
}

void TestRowVerdict::groupsAreRankedApart()
{
    const RowVerdict semaphore = rowOf({heldCell(FaultKind::Pause, "semaphore")});
    const RowVerdict readers = rowOf({heldCell(FaultKind::Pause, "rw-two-keys")});
    const RowVerdict weak = rowOf({broken(heldCell(FaultKind::Interleaving),
                                          Promise::MutualExclusion, 3, true)});
    QVERIFY(ranksBefore(weak, readers) && ranksBefore(readers, semaphore));
    QVERIFY(!ranksBefore(semaphore, weak));
}

void TestRowVerdict::theTableIsRanked()
{
    const std::vector cells{
        broken(heldCell(FaultKind::Interleaving, "exists-then-set"), Promise::MutualExclusion, 5,
               false),
        broken(heldCell(FaultKind::Pause, "exists-then-set"), Promise::NoStuckLock, 5, false),
        heldCell(FaultKind::Interleaving, "semaphore"),
        heldCell(FaultKind::Pause, "semaphore"),
        heldCell(FaultKind::Interleaving),
        broken(heldCell(FaultKind::Pause), Promise::MutualExclusion, 11, false)};
    const report::MatrixTable table = report::matrixTable(cells, {kTwo, {}});
    QCOMPARE(table.head, (report::TextRow{"protocol", "verdict", "interleaving", "pause"}));
    const std::vector<report::TextRow> mutexes{
        {"set-nx-px-token", "safe while the holder is faster than its lease", "ok", "(11)"},
        {"exists-then-set", "breaks on a good day", "(5)", "ok"}};
    const std::vector<report::TextRow> semaphores{{"semaphore", "nothing broke it", "ok", "ok"}};
    QCOMPARE(table.sections.size(), std::size_t(2));
    QVERIFY(table.sections[0].group == report::ProtocolGroup::OneHolder);
    QCOMPARE(table.sections[0].rows, mutexes);
    QVERIFY(table.sections[1].group == report::ProtocolGroup::Permits);
    QCOMPARE(table.sections[1].rows, semaphores);
    QVERIFY(report::matrixLegend(kTwo).find("two holders at once") != std::string::npos);
    QVERIFY(report::matrixLegend(kAny).find("stuck (stuck for ever)") != std::string::npos);
}

LOCKSCOPE_TEST(TestRowVerdict, Core)

} // namespace lockscope::tst_row_verdict

#include "tst_row_verdict.moc"
