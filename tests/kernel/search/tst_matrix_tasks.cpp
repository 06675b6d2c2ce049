#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/search/matrix_tasks.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <set>

namespace lockscope::tst_matrix_tasks {

using namespace lockscope::search;
using world::FaultKind;

namespace {

std::vector<SearchTask> rowOf(const char* id)
{
    const std::shared_ptr<const protocol::LockProtocol> shared(std::shared_ptr<const void>(),
                                                               protocol::findProtocol(id));
    Bounds bounds;
    bounds.schedulesMax = 77;
    return matrixRow(shared, matrixFaults(), bounds);
}

} // namespace

class TestMatrixTasks final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyFaultIsAColumn();
    void aRowHasATaskPerFault();
    void whatMakesNoDifferenceHasNoPlans();
};

void TestMatrixTasks::everyFaultIsAColumn()
{
    const std::vector<FaultKind> faults = matrixFaults();
    QCOMPARE(faults.size(), static_cast<std::size_t>(FaultKind::FaultKindCount));
    QCOMPARE(faults.front(), FaultKind::Interleaving);
    QCOMPARE(std::set<FaultKind>(faults.begin(), faults.end()).size(), faults.size());
}

void TestMatrixTasks::aRowHasATaskPerFault()
{
    const std::vector<FaultKind> faults = matrixFaults();
    const std::vector<SearchTask> row = rowOf("redisson-lock");
    QCOMPARE(row.size(), faults.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
        QCOMPARE(row[i].protocol.get(), protocol::findProtocol("redisson-lock"));
        QCOMPARE(row[i].fault, std::optional(faults[i]));
        QVERIFY(!row[i].plans.empty());
        QCOMPARE(std::get<SystematicSearch>(row[i].method).bounds.schedulesMax, std::uint64_t(77));
    }
}

void TestMatrixTasks::whatMakesNoDifferenceHasNoPlans()
{
    for (const SearchTask& task : rowOf("set-nx-ex")) { // which renews nothing
        QCOMPARE(task.plans.empty(), task.fault == FaultKind::Hang
                                         || task.fault == FaultKind::ScriptFlush
                                         || task.fault == FaultKind::SharedIdentity // nor reentrant
                                         || task.fault == FaultKind::MixedLeases);
    }
}

LOCKSCOPE_TEST(TestMatrixTasks, Core)

} // namespace lockscope::tst_matrix_tasks

#include "tst_matrix_tasks.moc"
