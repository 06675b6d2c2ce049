#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/search/default_plans.h"
#include "tests/support/test_program.h"
#include "ui/models/lab/promise_list_model.h"
#include "ui/models/protocol_text.h"

#include <QAbstractItemModelTester>
#include <QTest>

namespace lockscope::tst_promise_list_model {

using namespace lockscope::models;
using protocol::Promise;
using world::FaultKind;
using Standing = PromiseListModel::Standing;

namespace {

/// What a real search of the protocol comes to, one report per kind of fault.
std::vector<report::CellReport> searched(const char* id, const std::vector<FaultKind>& faults)
{
    sim::LuaEngine lua;
    const protocol::LockProtocol& protocol = *protocol::findProtocol(id);
    std::vector<report::CellReport> cells;
    for (const FaultKind fault : faults) {
        const auto plans = search::defaultPlans(protocol.info(), fault);
        search::Bounds bounds;
        bounds.schedulesMax = 300;
        const search::SearchReport found = searchPlans(protocol, plans, lua, bounds);
        report::CellReport cell;
        cell.protocol = id;
        cell.fault = fault;
        cell.isSearched = true;
        cell.coverage = found.coverage;
        for (const search::PromiseResult& result : found.promises) {
            report::CellVerdict verdict;
            verdict.result = result;
            verdict.plan = plans[result.planIndex];
            cell.verdicts.push_back(std::move(verdict));
        }
        cells.push_back(std::move(cell));
    }
    return cells;
}

Standing standingOf(const PromiseListModel& model, Promise promise)
{
    for (int row = 0; row < model.rowCount(); ++row) {
        if (model.index(row).data().toString().startsWith(promiseText(promise))) {
            return model.index(row).data(PromiseListModel::StandingRole).value<Standing>();
        }
    }
    return Standing::NotApplicable;
}

} // namespace

class TestPromiseListModel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPromiseHasALine();
    void whatIsBrokenComesFirst();
    void aBrokenPromiseHasItsRun();
    void oneRunIsShownAsWell();
    void anEmptySearchSaysNothing();
    void faultsAreThoseOfTheRun();
    void whereNothingWasTestedThatIsSaidFirst();
};

void TestPromiseListModel::everyPromiseHasALine()
{
    PromiseListModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto cells = searched("set-nx-px-token", {FaultKind::Crash});
    model.show(cells);
    QCOMPARE(model.rowCount(), static_cast<int>(Promise::PromiseCount));
    QVERIFY(standingOf(model, Promise::MutualExclusion) == Standing::Held);
    QVERIFY(standingOf(model, Promise::ReadWriteExclusion) == Standing::NotApplicable);
    QVERIFY(model.verdictAt(-1) == nullptr);
    QVERIFY(model.verdictAt(99) == nullptr);
    model.clear();
    QCOMPARE(model.rowCount(), 0);
}

void TestPromiseListModel::whatIsBrokenComesFirst()
{
    PromiseListModel model;
    const auto cells = searched("set-nx-ex", {FaultKind::Interleaving, FaultKind::Pause});
    model.show(cells);
    int previous = -1;
    for (int row = 0; row < model.rowCount(); ++row) {
        const auto standing =
            model.index(row).data(PromiseListModel::StandingRole).value<Standing>();
        QVERIFY(static_cast<int>(standing) >= previous);
        previous = static_cast<int>(standing);
    }
    QVERIFY(standingOf(model, Promise::MutualExclusion) == Standing::BrokenAnyway);
}

void TestPromiseListModel::aBrokenPromiseHasItsRun()
{
    PromiseListModel model;
    const auto cells = searched("set-nx-ex", {FaultKind::Interleaving, FaultKind::Pause});
    model.show(cells);
    const int row = model.headlineRow();
    QVERIFY(row >= 0);
    QVERIFY(model.verdictAt(row) != nullptr);
    QVERIFY(model.verdictAt(row)->isBroken());
    QVERIFY(model.cellAt(row) != nullptr);
    const QString detail = model.index(row).data(PromiseListModel::DetailRole).toString();
    QVERIFY2(detail.contains(QStringLiteral("step")), qPrintable(detail));
    // Nothing that is as much of a promise breaks sooner.
    const search::PromiseResult& first = model.verdictAt(row)->result;
    for (int other = 0; other < model.rowCount(); ++other) {
        if (const report::CellVerdict* const verdict = model.verdictAt(other)) {
            QVERIFY(first.isPromised >= verdict->result.isPromised);
            QVERIFY(first.isPromised > verdict->result.isPromised
                    || first.finding->length <= verdict->result.finding->length);
        }
    }
}

void TestPromiseListModel::oneRunIsShownAsWell()
{
    using Status = report::PromiseVerdict::Status;
    PromiseListModel model;
    const QAbstractItemModelTester tester(&model);
    report::PromiseVerdict broken{Promise::MutualExclusion, Status::Broken,
                                  "double-belief",          true,
                                  Duration(3'214'000),      "A and B both hold k"};
    model.show({{Promise::NoStuckLock, Status::Held, {}, true, {}, {}}, broken});
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.index(0).data(PromiseListModel::StandingRole).value<Standing>(),
             Standing::Broken);
    QVERIFY(model.index(0).data().toString().endsWith(QStringLiteral("broken at 3.214 s")));
    QCOMPARE(model.index(0).data(PromiseListModel::DetailRole).toString(),
             QStringLiteral("A and B both hold k (double-belief)"));
    QCOMPARE(model.index(1).data(PromiseListModel::StandingRole).value<Standing>(), Standing::Held);
    QVERIFY(model.verdictAt(0) == nullptr);
    QCOMPARE(model.headlineRow(), -1);
}

void TestPromiseListModel::anEmptySearchSaysNothing()
{
    PromiseListModel model;
    model.show(std::vector<report::CellReport>());
    QCOMPARE(model.headlineRow(), -1);
    for (int row = 0; row < model.rowCount(); ++row) {
        QVERIFY(model.index(row).data(PromiseListModel::StandingRole).value<Standing>()
                == Standing::NotApplicable);
    }
}

void TestPromiseListModel::faultsAreThoseOfTheRun()
{
    using Status = report::PromiseVerdict::Status;
    PromiseListModel model;
    report::PromiseVerdict broken{
        Promise::MutualExclusion, Status::Broken, "double-grant", true, Duration(0),
        "A and B both hold k"};
    const auto detail = [&model, &broken] {
        model.show({broken});
        return model.index(0).data(PromiseListModel::DetailRole).toString();
    };
    broken.faults = {FaultKind::Eviction, FaultKind::Failover};
    QVERIFY2(detail().endsWith(QStringLiteral(", after: key evicted, failover")),
             qPrintable(detail()));
    broken.faults->clear();
    QVERIFY2(detail().endsWith(QStringLiteral(", without any fault")), qPrintable(detail()));
}

void TestPromiseListModel::whereNothingWasTestedThatIsSaidFirst()
{
    using Status = report::PromiseVerdict::Status;
    PromiseListModel model;
    model.show({{Promise::MutualExclusion, Status::NotExercised, {}, true, {}, {}}},
               report::nothingTestedText() + " The server says no.");
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.index(0).data().toString(),
             QStringLiteral("No acquisition was ever granted: nothing was tested."));
    QCOMPARE(model.index(0).data(PromiseListModel::DetailRole).toString(),
             QStringLiteral("The server says no."));
    QVERIFY(model.index(1).data().toString().endsWith(QStringLiteral(": not exercised")));
    QVERIFY(model.verdictAt(0) == nullptr);

    report::CellReport stopped;
    stopped.isSearched = true;
    stopped.coverage.isScriptStopped = true;
    stopped.coverage.chances.grants = 1;
    model.show({stopped});
    QCOMPARE(model.index(0).data().toString(), QString::fromStdString(report::scriptStoppedText()));
}

LOCKSCOPE_TEST(TestPromiseListModel, Core)

} // namespace lockscope::tst_promise_list_model

#include "tst_promise_list_model.moc"
