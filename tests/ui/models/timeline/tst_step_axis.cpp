#include "tests/kernel/exports/recorded_example.h"
#include "tests/support/test_program.h"
#include "ui/models/timeline/step_axis.h"

#include <QTest>

#include <algorithm>

namespace lockscope::tst_step_axis {

using models::EventRow;
using trace::instantOfStep;

class TestStepAxis : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Rows are by time; each of them is found by steps, and never earlier than one that is known
    /// to come before it.
    void everyEventHasItsStep()
    {
        const report::RunFile run = testing::recordedExample();
        const trace::Chronicle byTime = run.chronicle();
        const trace::Chronicle inSteps = *run.chronicleInSteps();
        const auto rows = models::eventRowsOf(byTime);
        QVERIFY(std::ranges::any_of(rows, [](const EventRow& row) {
            return row.kind == EventRow::Kind::Overlap;
        }));
        for (const EventRow& row : rows) {
            const Instant step = models::stepOf(row, inSteps, run.steps);
            QVERIFY(step >= instantOfStep(0) && step <= inSteps.end);
            // A lease may run out while a step lets time go on.
            const Instant before = models::timeOfStep(step - Duration(1), run.steps);
            const Instant after = models::timeOfStep(step, run.steps);
            QVERIFY2(
                before <= row.at && row.at <= after,
                qPrintable(QStringLiteral("kind %1, item %2").arg(int(row.kind)).arg(row.index)));
        }
    }

    void aRangeOfStepsIsAStretchOfTime()
    {
        const report::RunFile run = testing::recordedExample();
        const auto last = static_cast<std::uint32_t>(run.steps.times.size() - 1);
        const models::VisibleRange all = models::timesOf({instantOfStep(0), instantOfStep(last)},
                                                         run.steps);
        QVERIFY(all.from == run.steps.times.front());
        QVERIFY(all.to == run.steps.times.back());
        QVERIFY(models::timeOfStep(Instant(Duration(-3)), run.steps) == all.from);
    }
};

LOCKSCOPE_TEST(TestStepAxis, Core)

} // namespace lockscope::tst_step_axis

#include "tst_step_axis.moc"
