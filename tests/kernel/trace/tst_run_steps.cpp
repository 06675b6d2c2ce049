#include "core/kernel/trace/run_steps.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_run_steps {

using namespace lockscope::trace;
using namespace std::chrono_literals;

namespace {

Event seen(Duration at, ContenderId who, EventKind kind)
{
    Event made;
    made.at = Instant(at);
    made.contender = who;
    made.kind = kind;
    return made;
}

/// The first has the lock by the 1st step and gives it back by the 3rd; the second has it by the
/// 2nd: all of that in one instant.
struct Example {
    std::vector<Event> events{seen(0s, 0, EventKind::Requested), seen(0s, 1, EventKind::Requested),
                              seen(0s, 0, EventKind::Granted), seen(0s, 1, EventKind::Granted),
                              seen(0s, 0, EventKind::Releasing)};
    RunSteps steps{{Instant(0s), Instant(0s), Instant(0s), Instant(0s), Instant(5s)},
                   {0, 0, 1, 2, 3}};
};

} // namespace

class TestRunSteps : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatHappensInOneInstantHasItsOrder();
    void aHoldThatIsOpenReachesBehindTheLastStep();
    void messagesGoByTheirSteps();
    void timesAndStepsFindEachOther();
};

void TestRunSteps::whatHappensInOneInstantHasItsOrder()
{
    const Example example;
    const Chronicle byTime = chronicleOf(example.events, Instant(5s), 1, InstantOrder::AsRecorded);
    QCOMPARE(byTime.overlaps.size(), 1U); // although the first hold ends in the instant it began
    const Chronicle bySteps = chronicleInSteps(example.events, byTime, example.steps, 1);
    QVERIFY(bySteps.axis == Chronicle::Axis::Steps);
    QCOMPARE(bySteps.spans.size(), byTime.spans.size());
    QCOMPARE(bySteps.overlaps.size(), 1U);
    QVERIFY(bySteps.overlaps.front().from == instantOfStep(2));
    QVERIFY(bySteps.overlaps.front().to == instantOfStep(3));
    QVERIFY(bySteps.end == instantOfStep(5));
}

void TestRunSteps::aHoldThatIsOpenReachesBehindTheLastStep()
{
    const Example example;
    Chronicle byTime = chronicleOf(example.events, Instant(5s));
    ServerHold over{Instant(0s), Instant(0s), 0, 0, SpanEnd::Released};
    over.fromStep = 1;
    over.toStep = 3;
    ServerHold open{Instant(0s), Instant(5s), 1, 0, SpanEnd::Open};
    open.fromStep = open.toStep = 3;
    byTime.serverHolds = {over, open};
    const Chronicle bySteps = chronicleInSteps(example.events, byTime, example.steps, 1);
    QVERIFY(bySteps.serverHolds[0].from == instantOfStep(1));
    QVERIFY(bySteps.serverHolds[0].to == instantOfStep(3));
    QVERIFY(bySteps.serverHolds[1].from == instantOfStep(3));
    QVERIFY(bySteps.serverHolds[1].to == bySteps.end);
}

void TestRunSteps::messagesGoByTheirSteps()
{
    const Example example;
    Chronicle byTime;
    Message answered;
    answered.appliedAt = answered.answeredAt = Instant(0s);
    answered.sentStep = 1;
    answered.appliedStep = 2;
    answered.answeredStep = 4;
    Message lost;
    lost.sentStep = 2;
    byTime.messages = {answered, lost};
    const Chronicle bySteps = chronicleInSteps(example.events, byTime, example.steps, 1);
    QVERIFY(bySteps.messages[0].sentAt == instantOfStep(1));
    QVERIFY(bySteps.messages[0].appliedAt == instantOfStep(2));
    QVERIFY(bySteps.messages[0].answeredAt == instantOfStep(4));
    QVERIFY(bySteps.messages[1].sentAt == instantOfStep(2));
    QVERIFY(!bySteps.messages[1].appliedAt && !bySteps.messages[1].answeredAt);
}

void TestRunSteps::timesAndStepsFindEachOther()
{
    const RunSteps steps = Example().steps;
    QVERIFY(steps.isKnown() && !RunSteps().isKnown());
    QCOMPARE(steps.stepAt(Instant(0s)), 0U);
    QCOMPARE(steps.stepAt(Instant(1s)), 4U); // time goes on by that step
    QCOMPARE(steps.stepAt(Instant(9s)), 4U);
    QVERIFY(steps.timeOf(4) == Instant(5s));
    QVERIFY(steps.timeOf(99) == Instant(5s));
}

LOCKSCOPE_TEST(TestRunSteps, Core)

} // namespace lockscope::tst_run_steps

#include "tst_run_steps.moc"
