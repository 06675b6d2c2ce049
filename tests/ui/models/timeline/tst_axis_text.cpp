#include "core/kernel/trace/run_steps.h"
#include "tests/support/test_program.h"
#include "ui/models/timeline/axis_text.h"

#include <QTest>

namespace lockscope::tst_axis_text {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using models::AxisText;
using trace::instantOfStep;
using Axis = trace::Chronicle::Axis;

class TestAxisText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void timesAreTimes()
    {
        const AxisText text(Axis::Time);
        QCOMPARE(text.tick(Instant(1500ms)), u"1.5 s"_s);
        QCOMPARE(text.exact(Instant(1500ms)), u"1.500 s"_s);
        QCOMPARE(text.length(1500ms), u"1.5 s"_s);
        QCOMPARE(text.exactLength(1500ms), u"1.500 s"_s);
        QCOMPARE(AxisText(Axis::Time, Instant(1s)).tick(Instant(1500ms)), u"+500 ms"_s);
    }

    void stepsAreNumbers()
    {
        const AxisText text(Axis::Steps);
        QCOMPARE(text.tick(instantOfStep(7)), u"7"_s);
        QCOMPARE(text.exact(instantOfStep(7)), u"step 7"_s);
        QCOMPARE(text.length(Duration(1)), u"1 step"_s);
        QCOMPARE(text.exactLength(Duration(3)), u"3 steps"_s);
    }

    void stepsAreCountedFromAReference()
    {
        const AxisText text(Axis::Steps, instantOfStep(4));
        QCOMPARE(text.tick(instantOfStep(7)), u"+3"_s);
        QCOMPARE(text.tick(instantOfStep(4)), u"0"_s);
        QCOMPARE(text.tick(instantOfStep(1)), u"-3"_s);
    }
};

LOCKSCOPE_TEST(TestAxisText, Core)

} // namespace lockscope::tst_axis_text

#include "tst_axis_text.moc"
