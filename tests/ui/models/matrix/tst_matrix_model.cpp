#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/search/cell.h"
#include "core/kernel/search/matrix_tasks.h"
#include "tests/support/test_program.h"
#include "ui/models/matrix/cell_wording.h"
#include "ui/models/matrix/matrix_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include <set>

namespace lockscope::tst_matrix_model {

using namespace lockscope::models;
using namespace Qt::StringLiterals;
using report::CellReport;
using world::FaultKind;
using Standing = report::CellStanding;

namespace {

ProtocolPtr builtin(const char* id)
{
    return {std::shared_ptr<const void>(), protocol::findProtocol(id)};
}

const std::vector<FaultKind> kFaults{FaultKind::Interleaving, FaultKind::Pause, FaultKind::Hang};

/// A cell in which nothing broke.
CellReport heldCell(const ProtocolPtr& protocol, FaultKind fault, bool isComplete = true)
{
    CellReport cell;
    cell.protocol = protocol->info().id;
    cell.group = report::groupOf(protocol->info());
    cell.fault = fault;
    cell.isSearched = true;
    cell.coverage.schedules = 1234;
    cell.coverage.states = 56;
    cell.coverage.isComplete = isComplete;
    search::SearchReport report = search::emptyReport(protocol->info());
    cell.coverage.chances.counts.fill(5);
    cell.coverage.chances.requests = cell.coverage.chances.grants = 9;
    search::addChances(report, cell.coverage.chances);
    for (search::PromiseResult& result : report.promises) {
        cell.verdicts.push_back({std::move(result), {}, {}, {}});
    }
    return cell;
}

CellReport brokenCell(const ProtocolPtr& protocol, FaultKind fault, int length, bool isPromised)
{
    CellReport cell = heldCell(protocol, fault);
    report::CellVerdict& verdict = cell.verdicts.front();
    verdict.result.status = search::PromiseResult::Status::Broken;
    verdict.result.isPromised = isPromised;
    search::Finding finding;
    finding.violation.other = 1;
    finding.violation.kind = world::ViolationKind::WrongRelease;
    finding.length = length;
    verdict.result.finding = finding;
    verdict.plan.clients.resize(2);
    for (int i = 0; i < length; ++i) {
        verdict.story.push_back({Instant(), i, "line " + std::to_string(i), false,
                                 i == 1 ? 0 : i + 1});
    }
    return cell;
}

CellReport cellWithoutDifference(const ProtocolPtr& protocol, FaultKind fault)
{
    CellReport cell = heldCell(protocol, fault);
    cell.isApplicable = false;
    return cell;
}

} // namespace

class TestMatrixModel : public QObject {
    Q_OBJECT

    const ProtocolPtr m_first = builtin("set-nx-ex");
    const ProtocolPtr m_second = builtin("redlock");

    std::vector<CellReport> someRow() const
    {
        return {brokenCell(m_first, FaultKind::Interleaving, 12, true),
                brokenCell(m_first, FaultKind::Pause, 1, false),
                cellWithoutDifference(m_first, FaultKind::Hang)};
    }
    static std::vector<CellReport> heldRow(const ProtocolPtr& protocol)
    {
        std::vector<CellReport> row;
        for (const FaultKind fault : kFaults) {
            row.push_back(heldCell(protocol, fault));
        }
        return row;
    }
    static Standing standingIn(const MatrixModel& model, int row, int column)
    {
        return model.index(row, column).data(MatrixModel::StandingRole).value<Standing>();
    }

private Q_SLOTS:
    void nothingIsKnownAtFirst();
    void aRowBecomesKnownAsAWhole();
    void rowsStayUntilTheyAreSorted();
    void groupsStandApart();
    void aCellSaysWhatHappened();
    void whatHeldSaysWhatWasSeen();
    void onlyKnownProtocolsAreShown();
    void whatIsKnownStaysWithItsProtocol();
    void harmsAreLookedAtOneByOne();
    void columnsAreChosen();
    void faultsAreFoldedByGroup();
    void aFoldedCellShowsTheWorst();
    void allIsForgotten();
    void headingsAreShort();
    void everyStandingIsExplained();
};

void TestMatrixModel::nothingIsKnownAtFirst()
{
    MatrixModel model(kFaults);
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(model.columnCount(), 3);
    model.setProtocols({m_first, m_second});
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.knownCount(), 0);
    QCOMPARE(standingIn(model, 1, 2), Standing::Unknown);
    QCOMPARE(model.index(0, 0).data().toString(), QString());
    QCOMPARE(model.cells().size(), std::size_t(6));
    QCOMPARE(model.cells().back().protocol, std::string("redlock"));
}

void TestMatrixModel::aRowBecomesKnownAsAWhole()
{
    MatrixModel model(kFaults);
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setProtocols({m_second, m_first});
    const QPersistentModelIndex old = model.index(1, 1);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    model.show(m_first, someRow());
    QCOMPARE(changed.size(), 1);
    // Rows keep their places until a sort is requested; persistent indexes follow them.
    QCOMPARE(model.rowOf(m_first), 1);
    QVERIFY(!model.isKnown(0) && model.isKnown(1));
    QVERIFY(!model.isSorted());
    model.sortRows();
    QVERIFY(model.isSorted());
    QCOMPARE(model.rowOf(m_first), 0);
    QCOMPARE(QModelIndex(old), model.index(0, 1));
    QCOMPARE(model.knownCount(), 1);
    QCOMPARE(standingIn(model, 0, 0), Standing::Harmed);
    QCOMPARE(standingIn(model, 0, 1), Standing::HarmedAnyway);
    QCOMPARE(standingIn(model, 0, 2), Standing::NotApplicable);
    QCOMPARE(model.index(0, 0).data().toString(), u"12"_s);
    QCOMPARE(model.index(0, 1).data().toString(), u"(1)"_s);
    QCOMPARE(model.index(0, 2).data().toString(), u"–"_s);
    QVERIFY(MatrixModel::isHarmed(model.index(0, 1)) && !MatrixModel::isHarmed(model.index(0, 2)));
    const auto header = [&model](int role) { return model.headerData(0, Qt::Vertical, role); };
    QCOMPARE(header(MatrixModel::VerdictRole).toString(), u"breaks on a good day"_s);
    QVERIFY(header(MatrixModel::IsDimmedRole).toBool());
}

void TestMatrixModel::rowsStayUntilTheyAreSorted()
{
    MatrixModel model(kFaults);
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setProtocols({m_first, m_second});
    QVERIFY(model.isSorted());
    model.show(m_first, someRow());
    QSignalSpy moved(&model, &QAbstractItemModel::layoutChanged);
    QSignalSpy headers(&model, &QAbstractItemModel::headerDataChanged);
    model.show(m_second, heldRow(m_second)); // which is better
    QCOMPARE(moved.size(), 0);
    QCOMPARE(headers.size(), 1);
    QCOMPARE(model.rowOf(m_second), 1);
    model.sortRows();
    QCOMPARE(moved.size(), 1);
    QCOMPARE(model.rowOf(m_second), 0);
    model.sortRows();
    QCOMPARE(moved.size(), 1);
    // Rows whose protocols stay keep their places, also while everything is searched again.
    model.forget();
    QCOMPARE(model.rowOf(m_second), 0);
    const ProtocolPtr third = builtin("set-nx-px-token");
    model.setProtocols({m_first, third, m_second});
    QCOMPARE(model.rowOf(m_second), 0);
    QCOMPARE(model.rowOf(m_first), 1);
    QCOMPARE(model.rowOf(third), 2);
}

void TestMatrixModel::groupsStandApart()
{
    const ProtocolPtr semaphore = builtin("semaphore");
    const ProtocolPtr readers = builtin("rw-two-keys");
    MatrixModel model(kFaults);
    model.setProtocols({semaphore, m_first, readers, m_second});
    const auto groupAbove = [&model](int row) {
        return model.headerData(row, Qt::Vertical, MatrixModel::GroupNameRole).toString();
    };
    const auto groups = [&] {
        return QStringList{groupAbove(0), groupAbove(1), groupAbove(2), groupAbove(3)};
    };
    const QStringList expected{u"One holder"_s, QString(), u"Readers and writers"_s, u"Permits"_s};
    QCOMPARE(groups(), expected);
    QCOMPARE(model.rowOf(semaphore), 3);
    // The best of all is the first of its own group, and no more.
    model.show(m_first, someRow());
    model.show(semaphore, heldRow(semaphore));
    model.sortRows();
    QCOMPARE(groups(), expected);
    QCOMPARE(model.rowOf(semaphore), 3);
    QVERIFY(model.cellAt(3, 0).group == report::ProtocolGroup::Permits);
    QCOMPARE(model.headerData(3, Qt::Vertical, Qt::AccessibleTextRole).toString(),
             u"Permits · semaphore"_s);
}

void TestMatrixModel::aCellSaysWhatHappened()
{
    MatrixModel model(kFaults);
    model.setProtocols({m_first});
    model.show(m_first, someRow());
    const QModelIndex broken = model.index(0, 0);
    QCOMPARE(broken.data(MatrixModel::TitleRole).toString(),
             u"set-nx-ex · Step order: two holders at once in 12 steps"_s);
    QCOMPARE(broken.data(MatrixModel::DetailRole).toString(),
             u"“one holder at a time” breaks: A released the hold of B"_s);
    const QString toolTip = broken.data(Qt::ToolTipRole).toString();
    QVERIFY2(toolTip.contains(u"\n1. line 0\n– line 1\n"_s)
                 && toolTip.endsWith(u"… and 5 lines more"_s),
             qPrintable(toolTip));
    QCOMPARE(broken.data(Qt::AccessibleTextRole), broken.data(MatrixModel::TitleRole));
    const QModelIndex other = model.index(0, 1);
    QCOMPARE(other.data(MatrixModel::TitleRole).toString(),
             u"set-nx-ex · Pause: two holders at once in 1 step; not promised otherwise"_s);
    QVERIFY(other.data(Qt::ToolTipRole).toString().endsWith(u"1. line 0"_s));
    QVERIFY(model.index(0, 2).data(MatrixModel::TitleRole).toString().endsWith(u"has no effect"_s));
}

void TestMatrixModel::whatHeldSaysWhatWasSeen()
{
    MatrixModel model({FaultKind::Crash, FaultKind::Pause});
    model.setProtocols({m_first});
    model.show(m_first,
               {heldCell(m_first, FaultKind::Crash), heldCell(m_first, FaultKind::Pause, false)});
    QCOMPARE(standingIn(model, 0, 0), Standing::Held);
    QCOMPARE(standingIn(model, 0, 1), Standing::HeldSoFar);
    QCOMPARE(model.index(0, 0).data().toString(), u"ok"_s);
    QCOMPARE(model.index(0, 1).data().toString(), u"ok?"_s);
    for (int column = 0; column < 2; ++column) {
        const QString detail = model.index(0, column).data(MatrixModel::DetailRole).toString();
        QVERIFY2(detail.contains(u"1,234 schedules and 56 states"_s), qPrintable(detail));
    }
    QVERIFY(!MatrixModel::isHarmed(model.index(0, 0)));
    QVERIFY(!MatrixModel::isHarmed(QModelIndex()));
}

void TestMatrixModel::onlyKnownProtocolsAreShown()
{
    MatrixModel model(kFaults);
    model.setProtocols({m_second});
    model.show(m_first, someRow());
    QCOMPARE(model.knownCount(), 0);
    model.show(m_second, {});
    QCOMPARE(model.knownCount(), 0);
}

void TestMatrixModel::whatIsKnownStaysWithItsProtocol()
{
    MatrixModel model(kFaults);
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setProtocols({m_first});
    model.show(m_first, someRow());
    model.setProtocols({m_second, m_first});
    QVERIFY(model.isKnown(0) && !model.isKnown(1));
    QCOMPARE(model.index(0, 0).data().toString(), u"12"_s);
    // What is gone is forgotten.
    model.setProtocols({m_second});
    QCOMPARE(model.rowOf(m_first), -1);
    model.setProtocols({m_first, m_second});
    QCOMPARE(model.knownCount(), 0);
}

void TestMatrixModel::harmsAreLookedAtOneByOne()
{
    MatrixModel model(kFaults);
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setProtocols({m_first, m_second});
    model.show(m_first, someRow());
    model.show(m_second, heldRow(m_second));
    model.sortRows();
    QCOMPARE(model.rowOf(m_second), 0); // the other breaks on a good day
    model.setNever({search::Harm::Stuck});
    const QModelIndex cell = model.index(model.rowOf(m_first), 0);
    QCOMPARE(cell.data(MatrixModel::StandingRole).value<Standing>(), Standing::Held);
    QVERIFY(cell.data(MatrixModel::HasOthersRole).toBool());
    QVERIFY(cell.data(MatrixModel::DetailRole).toString().contains(u"two holders at once"_s));
    QVERIFY(!MatrixModel::isHarmed(cell));
    const auto all = search::allHarms();
    model.setNever({all.begin(), all.end()});
    const QModelIndex both = model.index(model.rowOf(m_first), 0);
    QCOMPARE(both.data().toString(), u"two 12"_s);
    QCOMPARE(both.data(MatrixModel::NumberRole).toString(), u"12"_s);
    model.setNever({});
    QCOMPARE(model.never().size(), all.size());
}

void TestMatrixModel::columnsAreChosen()
{
    MatrixModel model(kFaults);
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setProtocols({m_first});
    model.show(m_first, someRow());
    model.setShownFaults({FaultKind::Hang, FaultKind::Pause});
    QCOMPARE(model.columnCount(), 2);
    QCOMPARE(model.index(0, 0).data().toString(), u"(1)"_s);
    QCOMPARE(*model.cellAt(0, 1).fault, FaultKind::Hang);
    QCOMPARE(model.cells().size(), std::size_t(2));
    // The verdict is about what is shown.
    QCOMPARE(model.headerData(0, Qt::Vertical, MatrixModel::VerdictRole).toString(),
             u"safe while the holder is faster than its lease"_s);
    model.setShownFaults({});
    QCOMPARE(model.columnCount(), 2);
    QCOMPARE(model.cellsOf(0).size(), std::size_t(3));
}

void TestMatrixModel::faultsAreFoldedByGroup()
{
    using Fold = MatrixModel::Fold;
    MatrixModel model(search::matrixFaults());
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setProtocols({m_first});
    QCOMPARE(model.columnCount(), int(search::matrixFaults().size()));
    const auto header = [&model](int column, int role) {
        return model.headerData(column, Qt::Horizontal, role);
    };
    QCOMPARE(header(0, MatrixModel::FoldRole).value<Fold>(), Fold::None);
    QCOMPARE(header(1, MatrixModel::FoldRole).value<Fold>(), Fold::Unfolded);
    QCOMPARE(header(1, MatrixModel::GroupNameRole).toString(), u"Clients"_s);
    model.setUnfolded({});
    QCOMPARE(model.columnCount(), int(world::allFaultGroups().size()));
    QCOMPARE(header(0, Qt::DisplayRole).toString(), u"Step order"_s);
    QCOMPARE(header(1, Qt::DisplayRole).toString(), u"Clients"_s);
    QCOMPARE(header(1, MatrixModel::FoldRole).value<Fold>(), Fold::Folded);
    QVERIFY(header(1, Qt::ToolTipRole).toString().contains(u"Crash, Pause"_s));
    model.setUnfolded({world::FaultGroup::Network});
    QVERIFY(model.columnCount() <= 12);
    QCOMPARE(header(2, Qt::DisplayRole).toString(), u"Connection lost"_s);
    // Exports and advice have every fault.
    QCOMPARE(model.cells().size(), search::matrixFaults().size());
    // One that is left of a group is shown as itself.
    model.setShownFaults({FaultKind::Interleaving, FaultKind::Pause});
    QCOMPARE(header(1, Qt::DisplayRole).toString(), u"Pause"_s);
    QCOMPARE(header(1, MatrixModel::FoldRole).value<Fold>(), Fold::None);
}

void TestMatrixModel::aFoldedCellShowsTheWorst()
{
    MatrixModel model(kFaults);
    model.setProtocols({m_first, m_second});
    model.setUnfolded({});
    model.show(m_first, someRow());
    model.show(m_second, heldRow(m_second));
    QCOMPARE(model.columnCount(), 2);
    const QModelIndex broken = model.index(0, 1);
    QCOMPARE(*model.cellAt(0, 1).fault, FaultKind::Pause);
    QCOMPARE(broken.data().toString(), u"(1)"_s);
    QCOMPARE(
        broken.data(MatrixModel::TitleRole).toString(),
        u"set-nx-ex · Clients · Pause: two holders at once in 1 step; not promised otherwise"_s);
    QVERIFY(broken.data(Qt::ToolTipRole).toString().contains(u"\nWorker hangs: has no effect\n"_s));
    const QModelIndex held = model.index(1, 1);
    QCOMPARE(held.data().toString(), u"ok"_s);
    QCOMPARE(held.data(MatrixModel::TitleRole).toString(), u"redlock · Clients: does not happen"_s);
    QCOMPARE(held.data(MatrixModel::DetailRole).toString(),
             u"Pause: does not happen · Worker hangs: does not happen"_s);
}

void TestMatrixModel::allIsForgotten()
{
    MatrixModel model(kFaults);
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setProtocols({m_first, m_second});
    model.show(m_first, someRow());
    model.forget();
    QCOMPARE(model.knownCount(), 0);
    QCOMPARE(standingIn(model, 0, 0), Standing::Unknown);
    QCOMPARE(model.rowOf(m_second), 1);
}

void TestMatrixModel::headingsAreShort()
{
    MatrixModel model(search::matrixFaults());
    model.setProtocols({m_first});
    std::set<QString> headings;
    for (int column = 0; column < model.columnCount(); ++column) {
        const QString heading =
            model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        headings.insert(heading);
        const QStringList words = heading.split(u' ');
        QVERIFY2(words.size() <= 2, qPrintable(heading));
        for (const QString& word : words) {
            QVERIFY2(!word.isEmpty() && word.size() <= 10, qPrintable(heading));
        }
        QVERIFY(
            model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().contains(u'.'));
    }
    QCOMPARE(headings.size(), std::size_t(model.columnCount()));
    QCOMPARE(model.headerData(0, Qt::Vertical, Qt::DisplayRole).toString(), u"set-nx-ex"_s);
    QVERIFY(model.headerData(0, Qt::Vertical, Qt::ToolTipRole)
                .toString()
                .contains(QString::fromStdString(m_first->info().summary)));
    QVERIFY(!model.headerData(7, Qt::Vertical, Qt::DisplayRole).isValid());
}

void TestMatrixModel::everyStandingIsExplained()
{
    std::set<QString> meanings;
    std::set<QString> examples;
    for (const Standing standing : {Standing::Unknown, Standing::Harmed, Standing::HarmedAnyway,
                                    Standing::Held, Standing::HeldSoFar, Standing::NotExercised,
                                    Standing::Untested, Standing::NotApplicable}) {
        meanings.insert(meaningOf(standing));
        examples.insert(exampleOf(standing));
    }
    QCOMPARE(meanings.size(), std::size_t(8));
    QCOMPARE(examples.size(), std::size_t(8));
}

LOCKSCOPE_TEST(TestMatrixModel, Core)

} // namespace lockscope::tst_matrix_model

#include "tst_matrix_model.moc"
