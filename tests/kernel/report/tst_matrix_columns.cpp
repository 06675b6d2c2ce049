#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/report/matrix_columns.h"
#include "core/kernel/search/matrix_tasks.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_matrix_columns {

using report::CellReport;
using report::MatrixColumn;
using search::Harm;
using world::FaultGroup;
using world::FaultKind;
using Status = search::PromiseResult::Status;

namespace {

const std::vector<Harm> kTwo{Harm::TwoHolders};

CellReport heldCell(FaultKind fault)
{
    CellReport cell;
    cell.protocol = "set-nx-ex";
    cell.fault = fault;
    cell.isSearched = true;
    cell.coverage.isComplete = true;
    cell.coverage.chances.requests = cell.coverage.chances.grants = 9;
    search::PromiseResult result;
    result.promise = protocol::Promise::MutualExclusion;
    result.status = Status::Held;
    cell.verdicts.push_back({std::move(result), {}, {}, {}});
    return cell;
}

CellReport brokenCell(FaultKind fault, int length, bool isPromised)
{
    CellReport cell = heldCell(fault);
    search::PromiseResult& result = cell.verdicts.front().result;
    result.status = Status::Broken;
    result.isPromised = isPromised;
    search::Finding finding;
    finding.length = length;
    result.finding = finding;
    return cell;
}

FaultKind shownOf(const std::vector<CellReport>& cells)
{
    std::vector<const CellReport*> all;
    for (const CellReport& cell : cells) {
        all.push_back(&cell);
    }
    return *report::worstOf(all, kTwo).fault;
}

} // namespace

class TestMatrixColumns final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aGroupIsOneColumn();
    void anUnfoldedGroupHasAColumnPerFault();
    void aGroupOfOneIsItsFault();
    void theWorstCellIsShown();
};

void TestMatrixColumns::aGroupIsOneColumn()
{
    const std::vector<FaultKind> faults = search::matrixFaults();
    const std::vector<MatrixColumn> columns = report::matrixColumns(faults, {});
    QCOMPARE(columns.size(), world::allFaultGroups().size());
    std::size_t faultCount = 0;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        QVERIFY(columns[i].group == world::allFaultGroups()[i]);
        faultCount += columns[i].faults.size();
    }
    QCOMPARE(faultCount, faults.size());
    QCOMPARE(idOf(columns[1]), std::string("clients"));
}

void TestMatrixColumns::anUnfoldedGroupHasAColumnPerFault()
{
    const std::vector unfolded{FaultGroup::Network};
    const std::vector<MatrixColumn> columns = report::matrixColumns(search::matrixFaults(),
                                                                    unfolded);
    QVERIFY(columns.size() <= 12);
    QVERIFY(columns[1].isFolded() && !columns[2].isFolded());
    QCOMPARE(idOf(columns[2]), std::string("connection-loss"));
    // Kinds that are listed far apart stand together.
    QCOMPARE(idOf(columns[6]), std::string("partition"));
    QCOMPARE(idOf(columns[7]), std::string("clocks"));
    QCOMPARE(report::matrixColumns(search::matrixFaults(), world::allFaultGroups()).size(),
             search::matrixFaults().size());
}

void TestMatrixColumns::aGroupOfOneIsItsFault()
{
    const std::vector faults{FaultKind::Interleaving, FaultKind::Eviction, FaultKind::Pause};
    const std::vector<MatrixColumn> columns = report::matrixColumns(faults, {});
    QCOMPARE(columns.size(), std::size_t(3));
    QCOMPARE(idOf(columns[1]), std::string("pause"));
    QCOMPARE(idOf(columns[2]), std::string("eviction"));
}

void TestMatrixColumns::theWorstCellIsShown()
{
    CellReport idle = heldCell(FaultKind::Hang);
    idle.isApplicable = false;
    CellReport cut = heldCell(FaultKind::Pause);
    cut.coverage.isComplete = false;
    QVERIFY(shownOf({idle, heldCell(FaultKind::Crash)}) == FaultKind::Crash);
    QVERIFY(shownOf({heldCell(FaultKind::Crash), cut, idle}) == FaultKind::Pause);
    CellReport unknown = heldCell(FaultKind::Hang);
    unknown.isSearched = false;
    QVERIFY(shownOf({cut, unknown}) == FaultKind::Hang);
    const CellReport allowed = brokenCell(FaultKind::Crash, 3, false);
    QVERIFY(shownOf({unknown, cut, allowed}) == FaultKind::Crash);
    // A broken promise weighs more than a shorter run.
    QVERIFY(shownOf({allowed, brokenCell(FaultKind::Pause, 9, true)}) == FaultKind::Pause);
    QVERIFY(shownOf({brokenCell(FaultKind::Pause, 9, true), brokenCell(FaultKind::Hang, 8, true)})
            == FaultKind::Hang);
}

LOCKSCOPE_TEST(TestMatrixColumns, Core)

} // namespace lockscope::tst_matrix_columns

#include "tst_matrix_columns.moc"
