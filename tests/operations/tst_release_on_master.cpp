#include "core/kernel/inspect/lock_inspection.h"
#include "core/operations/release_on_master.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/pretend_keyspace.h"
#include "tests/support/scripted_store.h"
#include "tests/support/test_program.h"
#include "tests/support/virtual_loop.h"

#include <QTest>

namespace lockscope::tst_release_on_master {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Outcome;
using store::Reply;

namespace {

const Bytes kKey = "order:lock";

/// A flag without anything that tells one hold from the next, on a replica and its master.
struct Bench {
    VirtualLoop loop;
    PretendKeyspace keyspace{loop.clock()};
    std::string historyOfReplica = "5f0c";
    int reachedByReplica = 100;
    bool hasReplicaNoticedWrites = false;
    ScriptedStore replica{
        [this](const store::Command& command) { return answerOfReplica(command); }};
    ScriptedStore master{[this](const store::Command& command) { return answerOfMaster(command); }};

    Bench() { keyspace.setString(kKey, "1"); }

    ReleasePlan plan()
    {
        auto found = loop.run(inspectToRelease(master, loop.clock(), 0, kKey));
        ReleasePlan made = planFor(std::get<LockInspection>(found), ReleaseAction::Release).value();
        master.forgetAsked();
        return made;
    }

    ReleaseReport executed(const ReleasePlan& plan, Duration span = Duration(0))
    {
        const auto task = loop.start(operations::executeOnMaster(replica, master, loop.clock(), 0,
                                                                 plan));
        loop.advance(span);
        return task.result();
    }

private:
    Outcome answerOfReplica(const store::Command& command) const
    {
        if (command.words.front() == "INFO") {
            return Reply::ofBulk("role:slave\r\nmaster_replid:" + historyOfReplica
                                 + "\r\nslave_repl_offset:" + std::to_string(reachedByReplica)
                                 + "\r\n");
        }
        if (command.words.front() == "EXEC") {
            return hasReplicaNoticedWrites ? Reply() : Reply::ofArray({Reply::ofStatus("PONG")});
        }
        return Reply::ofStatus("OK");
    }

    Outcome answerOfMaster(const store::Command& command)
    {
        const Bytes& name = command.words.front();
        if (name == "INFO") {
            return Reply::ofBulk("role:master\r\nmaster_replid:5f0c\r\nmaster_repl_offset:100\r\n");
        }
        if (name == "EXEC") {
            return Reply::ofArray({Reply::ofArray({Reply::ofInteger(1), Reply::ofInteger(0)})});
        }
        return name == "WATCH" || name == "MULTI" || name == "EVAL" ? Reply::ofStatus("OK")
                                                                    : keyspace.answer(command);
    }
};

} // namespace

class TestReleaseOnMaster : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatNobodyWroteToIsReleased();
    void aWriteThatTheReplicaNoticedIsTold();
    void aReplicaThatLagsIsTooOld();
    void aReplicaThatCatchesUpIsWaitedFor();
    void aReplicaOfAnotherHistoryTellsNothing();
    void withoutTheGuardOfTheReplicaNothingIsSent();
};

void TestReleaseOnMaster::whatNobodyWroteToIsReleased()
{
    Bench bench;
    const ReleaseReport report = bench.executed(bench.plan());
    QCOMPARE(report.result, ReleaseResult::Released);
    const std::vector<std::string>& asked = bench.master.asked();
    const auto first = [&asked](std::string_view beginning) {
        return std::ranges::find_if(asked, [beginning](const std::string& command) {
            return command.starts_with(beginning);
        });
    };
    // What is written after the replica was asked about is noticed by the master.
    QVERIFY(first("WATCH") < first("INFO") && first("INFO") < first("EVAL"));
    QCOMPARE(bench.replica.askedCount("EXEC"), std::size_t(1));
}

void TestReleaseOnMaster::aWriteThatTheReplicaNoticedIsTold()
{
    Bench bench;
    const ReleasePlan plan = bench.plan();
    bench.hasReplicaNoticedWrites = true;
    const ReleaseReport report = bench.executed(plan);
    QCOMPARE(report.result, ReleaseResult::ChangedHands);
    QVERIFY(report.wasWritten);
    QCOMPARE(bench.master.askedCount("EVAL"), std::size_t(0));
}

void TestReleaseOnMaster::aReplicaThatLagsIsTooOld()
{
    Bench bench;
    const ReleasePlan plan = bench.plan();
    bench.reachedByReplica = 99;
    const ReleaseReport report = bench.executed(plan, 3s);
    QCOMPARE(report.result, ReleaseResult::Refused);
    QVERIFY(!report.ownReason.empty());
    QCOMPARE(bench.master.askedCount("EVAL"), std::size_t(0));
}

void TestReleaseOnMaster::aReplicaThatCatchesUpIsWaitedFor()
{
    Bench bench;
    const ReleasePlan plan = bench.plan();
    bench.reachedByReplica = 99;
    const auto task = bench.loop.start(operations::executeOnMaster(bench.replica, bench.master,
                                                                   bench.loop.clock(), 0, plan));
    bench.loop.advance(1s);
    QVERIFY(!task.isFinished());
    bench.reachedByReplica = 100;
    bench.loop.advance(1s);
    QCOMPARE(task.result().result, ReleaseResult::Released);
}

void TestReleaseOnMaster::aReplicaOfAnotherHistoryTellsNothing()
{
    Bench bench;
    const ReleasePlan plan = bench.plan();
    bench.historyOfReplica = "77aa";
    QCOMPARE(bench.executed(plan).result, ReleaseResult::Refused);
    QCOMPARE(bench.master.askedCount("EVAL"), std::size_t(0));
}

void TestReleaseOnMaster::withoutTheGuardOfTheReplicaNothingIsSent()
{
    Bench bench;
    ReleasePlan plan = bench.plan();
    plan.guard->session = bench.replica.session() + 1; // it was another connection
    QCOMPARE(bench.executed(plan).result, ReleaseResult::Refused);
    QVERIFY(bench.master.asked().empty());
    QVERIFY(bench.replica.asked().empty());
}

LOCKSCOPE_TEST(TestReleaseOnMaster, None)

} // namespace lockscope::tst_release_on_master

#include "tst_release_on_master.moc"
