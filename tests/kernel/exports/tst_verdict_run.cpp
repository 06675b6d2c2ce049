#include "core/kernel/exports/verdict_run.h"
#include "core/kernel/search/default_plans.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_verdict_run {

class TestVerdictRun : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFindingIsRecordedWithItsStory();
};

void TestVerdictRun::aFindingIsRecordedWithItsStory()
{
    report::CellVerdict verdict;
    verdict.result.status = search::PromiseResult::Status::Broken;
    search::Finding finding;
    finding.steps = {world::Step::serve(0, 0, world::LinkRole::Commands)};
    verdict.result.finding = finding;
    const auto protocol = report::SavedProtocol::builtin("set-nx-px-token");
    verdict.plan = search::defaultPlans(protocol.info(), world::FaultKind::Interleaving).front();
    verdict.story = {{Instant(), 0, "A sends", false}};
    const report::RunFile run = exports::runFileOf(protocol, verdict);
    QVERIFY(!run.events.empty() && !run.messages.empty());
    QCOMPARE(run.story.size(), 1U);
    // Of all promises, what this run says about them.
    QCOMPARE(run.promises.size(), static_cast<std::size_t>(protocol::Promise::PromiseCount));
    const report::PromiseVerdict& broken =
        run.promises.at(static_cast<std::size_t>(verdict.result.promise));
    QCOMPARE(broken.status, report::PromiseVerdict::Status::Broken);
    QVERIFY(broken.faults && broken.faults->empty());
    const auto stuck = static_cast<std::size_t>(protocol::Promise::NoStuckLock); // nobody died
    QCOMPARE(run.promises.at(stuck).status, report::PromiseVerdict::Status::NotExercised);
    verdict.story.clear(); // the search was stopped
    QVERIFY(!exports::runFileOf(protocol, verdict).story.empty());
}

LOCKSCOPE_TEST(TestVerdictRun, None)

} // namespace lockscope::tst_verdict_run

#include "tst_verdict_run.moc"
