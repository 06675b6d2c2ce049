#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/report/remedy_checks.h"
#include "core/kernel/search/matrix_tasks.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/searched_cell.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace lockscope::tst_remedy_checks {

using report::Addition;
using report::Advice;
using report::AdviceQuestion;
using report::CellReport;
using report::RemedyRounds;
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

struct Question {
    std::vector<FaultKind> despite;
    int serverCount = 1;
    std::vector<std::string> languages{};
};

/// What would help one protocol, if it breaks: "lease+replicas unless".
std::string additionsFor(const char* id, const Question& asked)
{
    const std::shared_ptr<const protocol::LockProtocol> lock(std::shared_ptr<const void>(),
                                                             protocol::findProtocol(id));
    AdviceQuestion question;
    question.never = {Harm::TwoHolders};
    question.despite = asked.despite;
    question.despite.push_back(FaultKind::Interleaving);
    question.serverCount = asked.serverCount;
    question.languages = asked.languages;
    const std::vector infos{&lock->info()};
    const std::vector<CellReport> cells = searched(search::matrixRow(lock, question.despite, {}));
    Advice advice = adviceOn(question, infos, cells);
    RemedyRounds rounds(advice, question, infos);
    while (!rounds.checks().empty()) {
        std::vector<CellReport> all;
        for (const report::RemedyCheck& check : rounds.checks()) {
            std::ranges::move(searched(tasksOf(check, lock, question, {})),
                              std::back_inserter(all));
        }
        rounds.take(advice, all);
    }
    std::string text;
    for (const Addition& addition : advice.additions) {
        text += (text.empty() ? "" : " ") + std::string(idOf(addition.kind));
        text += addition.besides ? '+' + std::string(idOf(*addition.besides)) : "";
    }
    return text;
}

} // namespace

class TestRemedyChecks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatHelpsComesBeforeWhatMayBeHopedFor()
    {
        QCOMPARE(additionsFor("set-nx-px-token", {{FaultKind::Pause}}), "lease unless");
        QCOMPARE(additionsFor("set-nx-px-token", {{FaultKind::Failover}}), "replicas unless");
    }

    void twoThingsAreTriedWhereOneIsNotEnough()
    {
        QCOMPARE(additionsFor("set-nx-px-token", {{FaultKind::Pause, FaultKind::Failover}}),
                 "lease+replicas unless");
        QCOMPARE(additionsFor("fenced-token", {{FaultKind::Pause, FaultKind::Failover}}),
                 "lease+replicas unless");
        QCOMPARE(additionsFor("fenced-token", {{FaultKind::Pause}, 1, {"go"}}),
                 "lease+own-code fence+own-code");
        QCOMPARE(additionsFor("redlock", {{FaultKind::Pause}, 1}), "lease+servers");
        QCOMPARE(additionsFor("fenced-token", {{FaultKind::Failover}, 1, {"go"}}),
                 "replicas+own-code");
    }

    void whatSuitsNeedsNoRemedy()
    {
        QCOMPARE(additionsFor("set-nx-px-token", {{FaultKind::Crash}}), "");
    }

    void nothingHelpsWhatBreaksOnAGoodDay()
    {
        QCOMPARE(additionsFor("exists-then-set", {{FaultKind::Pause}}), "");
    }

    /// However many protocols there are.
    void thePairsAreBounded()
    {
        AdviceQuestion question;
        question.never = {Harm::TwoHolders};
        question.despite = {FaultKind::Pause, FaultKind::Failover};
        std::vector<const protocol::ProtocolInfo*> infos;
        std::vector<CellReport> cells;
        for (const auto* const builtin : protocol::builtinProtocols()) {
            const std::shared_ptr<const protocol::LockProtocol> lock(std::shared_ptr<const void>(),
                                                                     builtin);
            infos.push_back(&builtin->info());
            std::ranges::move(searched(search::matrixRow(lock, question.despite, {})),
                              std::back_inserter(cells));
        }
        Advice advice = adviceOn(question, infos, cells);
        RemedyRounds rounds(advice, question, infos);
        QVERIFY(!rounds.arePairs());
        // As if no single thing had helped: each check has the cells of its protocol as it is.
        std::vector<CellReport> unhelped;
        for (const report::RemedyCheck& check : rounds.checks()) {
            std::ranges::copy_if(cells, std::back_inserter(unhelped), [&](const CellReport& cell) {
                return cell.protocol == check.protocol;
            });
        }
        std::erase_if(advice.additions, [](const Addition& addition) {
            return addition.kind != Addition::Kind::Unless;
        });
        rounds.take(advice, unhelped);
        QVERIFY(rounds.arePairs());
        QCOMPARE_GT(rounds.checks().size(), std::size_t(4));
        QCOMPARE_LE(rounds.checks().size(), std::size_t(12));
        QVERIFY(std::ranges::is_sorted(rounds.checks(), std::ranges::greater(),
                                       [](const report::RemedyCheck& check) {
                                           return check.remedies.size();
                                       }));
    }

    void twoThingsHaveASentence()
    {
        const std::string pair = report::additionText(
            {Addition::Kind::Lease, "redlock", 3, {}, Addition::Kind::Servers});
        QCOMPARE(pair, "Two things together, a lease 10 times as long and 3 independent servers: "
                       "nothing broke redlock then.");
        QVERIFY(report::additionText(
                    {Addition::Kind::Lease, "fenced-token", 1, {}, Addition::Kind::Fence})
                    .ends_with("whom the resource refuses."));
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
