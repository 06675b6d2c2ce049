#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/report/remedy_checks.h"
#include "core/kernel/search/matrix_tasks.h"
#include "tests/support/searched_cell.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <array>

namespace lockscope::tst_remedy_checks {

using report::Addition;
using report::Advice;
using report::AdviceQuestion;
using report::CellReport;
using report::RemedyCheck;
using search::Harm;
using world::FaultKind;

namespace {

constexpr std::uint64_t kSchedules = 100;

std::vector<CellReport> searched(const std::vector<search::SearchTask>& tasks)
{
    static sim::LuaEngine lua;
    std::vector<CellReport> cells;
    for (const search::SearchTask& task : tasks) {
        cells.push_back(testing::searchedCell(*task.protocol, task.fault, task.plans, kSchedules,
                                              lua));
    }
    return cells;
}

/// What would help one protocol, if it breaks.
std::vector<Addition::Kind> additionsFor(const char* id, FaultKind fault)
{
    const std::shared_ptr<const protocol::LockProtocol> lock(std::shared_ptr<const void>(),
                                                             protocol::findProtocol(id));
    AdviceQuestion question;
    question.never = {Harm::TwoHolders};
    question.despite = {FaultKind::Interleaving, fault};
    const std::array infos{&lock->info()};
    const std::vector<CellReport> cells = searched(search::matrixRow(lock, question.despite, {}));
    Advice advice = adviceOn(question, infos, cells);
    std::vector<RemedyCheck> checks = remediesFor(advice, infos);
    std::vector<CellReport> all;
    for (const RemedyCheck& check : checks) {
        for (CellReport& cell : searched(tasksOf(check, lock, question, {}))) {
            all.push_back(std::move(cell));
        }
    }
    giveCells(checks, all);
    addRemedies(advice, question, infos, checks);
    std::vector<Addition::Kind> kinds;
    for (const Addition& addition : advice.additions) {
        kinds.push_back(addition.kind);
    }
    return kinds;
}

} // namespace

class TestRemedyChecks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatHelpsComesBeforeWhatMayBeHopedFor()
    {
        using enum Addition::Kind;
        QCOMPARE(additionsFor("set-nx-px-token", FaultKind::Pause), (std::vector{Lease, Unless}));
        QCOMPARE(additionsFor("set-nx-px-token", FaultKind::Failover),
                 (std::vector{Replicas, Unless}));
    }

    void whatSuitsNeedsNoRemedy()
    {
        QVERIFY(additionsFor("set-nx-px-token", FaultKind::Crash).empty());
    }

    void nothingHelpsWhatBreaksOnAGoodDay()
    {
        QVERIFY(additionsFor("exists-then-set", FaultKind::Pause).empty());
    }

    void aRemedyHasASentence()
    {
        const std::string lease =
            report::additionText({Addition::Kind::Lease, "redisson-lock", 1, {}});
        QVERIFY(lease.find("10 times as long") != std::string::npos);
        QVERIFY(lease.find("redisson-lock") != std::string::npos);
        QVERIFY(report::additionText({Addition::Kind::Replicas, "set-nx-ex", 1, {}})
                    .starts_with("WAIT 1"));
    }
};

LOCKSCOPE_TEST(TestRemedyChecks, Core)

} // namespace lockscope::tst_remedy_checks

#include "tst_remedy_checks.moc"
