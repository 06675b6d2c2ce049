#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/report/run/replay_verdicts.h"
#include "core/kernel/search/default_plans.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_replay_verdicts {

using report::CounterexampleFile;
using report::PromiseVerdict;
using search::ReplayedRun;
using world::FaultKind;

namespace {

/// The shortest way to hold the lock twice.
CounterexampleFile found()
{
    CounterexampleFile example;
    example.protocol = report::SavedProtocol::builtin("exists-then-set");
    example.promise = protocol::Promise::MutualExclusion;
    example.kind = world::ViolationKind::DoubleGrant;
    example.plan = search::defaultPlans(example.protocol.info(), FaultKind::Interleaving).front();
    sim::LuaEngine lua;
    const search::Goal goal{example.promise, example.kind};
    search::Explorer explorer({*example.protocol.protocol, example.plan, lua, {}, goal, true, {}});
    example.steps = explorer.run().find(goal)->steps;
    return example;
}

ReplayedRun replayOf(const CounterexampleFile& example)
{
    sim::LuaEngine lua;
    return search::replaySteps(*example.protocol.protocol, example.plan, example.steps, lua);
}

} // namespace

class TestReplayVerdicts final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theViolationOfTheFileIsFoundAgain();
    void whatDoesNotShowIsNotTold();
    void everyPromiseHasAVerdict();
    void whatCannotBeReplayedIsSaid();
};

void TestReplayVerdicts::theViolationOfTheFileIsFoundAgain()
{
    const CounterexampleFile example = found();
    const ReplayedRun run = replayOf(example);
    const world::Violation* const violation = violationIn(run, example);
    QVERIFY(violation != nullptr);
    QVERIFY(findingOf(run, example).violation == *violation);
    sim::LuaEngine lua;
    QVERIFY(storyOf(run, example, lua).back().isViolation);
}

void TestReplayVerdicts::whatDoesNotShowIsNotTold()
{
    CounterexampleFile example = found();
    example.steps.pop_back();
    const ReplayedRun run = replayOf(example);
    QVERIFY(violationIn(run, example) == nullptr);
    sim::LuaEngine lua;
    for (const search::StoryLine& line : storyOf(run, example, lua)) {
        QVERIFY(!line.isViolation);
    }
}

void TestReplayVerdicts::everyPromiseHasAVerdict()
{
    const CounterexampleFile example = found();
    const auto verdicts = verdictsOf(replayOf(example), example);
    QCOMPARE(verdicts.size(), static_cast<std::size_t>(protocol::Promise::PromiseCount));
    const PromiseVerdict& broken = verdicts[static_cast<std::size_t>(example.promise)];
    QCOMPARE(broken.status, PromiseVerdict::Status::Broken);
    QCOMPARE(broken.kind, idOf(example.kind));
    QVERIFY(broken.at.has_value() && !broken.summary.empty());
}

void TestReplayVerdicts::whatCannotBeReplayedIsSaid()
{
    CounterexampleFile example = found();
    QVERIFY(complaintAbout(example, "a.json").empty());
    ++example.engineRevision;
    QVERIFY(complaintAbout(example, "a.json").starts_with("a.json was saved by revision"));
    example.steps.front() = world::Step::ofFault(FaultKind::Failover, 0, 0);
    const std::string complaint = complaintAbout(example, replayOf(example), "a.json");
    QVERIFY2(complaint.starts_with("a.json, step 1 of "), complaint.c_str());
}

LOCKSCOPE_TEST(TestReplayVerdicts, None)

} // namespace lockscope::tst_replay_verdicts

#include "tst_replay_verdicts.moc"
