#include "tests/kernel/exports/recorded_example.h"
#include "tests/support/test_program.h"
#include "tests/support/widgets/scripted_prompter.h"
#include "ui/widgets/lab/run_view.h"
#include "ui/widgets/timeline/event_table.h"
#include "ui/widgets/timeline/timeline_view.h"

#include <QComboBox>
#include <QListView>
#include <QTest>

namespace lockscope::tst_run_view {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using trace::instantOfStep;
using Axis = trace::Chronicle::Axis;

namespace {

/// A's hold is paused beyond its lease; B has it, too.
report::RunFile exampleOf(Duration storyLength)
{
    report::RunFile run = testing::recordedExample();
    run.story.back().at = run.story.front().at + storyLength;
    return run;
}

struct Shown {
    explicit Shown(report::RunFile run) : view(prompter)
    {
        view.resize(1200, 800);
        view.showRecord(models::recordOf(std::move(run)), u"Story"_s);
        view.show();
    }

    TimelineView& timeline() { return *view.findChild<TimelineView*>(); }
    QComboBox& axis() { return *view.findChild<QComboBox*>(u"timelineAxis"_s); }

    test::ScriptedPrompter prompter;
    RunView view;
};

} // namespace

class TestRunView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aStoryOfAnInstantIsShownByItsSteps()
    {
        Shown shown(exampleOf(std::chrono::milliseconds(1)));
        QVERIFY(shown.axis().isVisibleTo(&shown.view));
        QCOMPARE(shown.axis().currentData().toBool(), true);
        // The last line is selected at first: it is of the second step.
        QVERIFY(shown.timeline().cursorTime() == instantOfStep(2));
    }

    void anyOtherIsShownByTimeUntilTheUserWantsItsSteps()
    {
        Shown shown(exampleOf(std::chrono::seconds(10)));
        QCOMPARE(shown.axis().currentData().toBool(), false);
        QVERIFY(shown.timeline().cursorTime() == Instant(std::chrono::seconds(10)));
        shown.axis().setCurrentIndex(1);
        QVERIFY(shown.timeline().cursorTime() == instantOfStep(2));
        shown.axis().setCurrentIndex(0);
        QVERIFY(shown.timeline().cursorTime() == Instant(std::chrono::seconds(10)));
    }

    void aStepOnTheTimelineIsALineOfTheStory()
    {
        Shown shown(exampleOf(std::chrono::seconds(10)));
        shown.axis().setCurrentIndex(1);
        Q_EMIT shown.timeline().timeChosen(instantOfStep(1));
        QCOMPARE(shown.view.findChild<QListView*>(u"storyList"_s)->currentIndex().row(), 0);
        Q_EMIT shown.timeline().timeChosen(instantOfStep(2));
        QCOMPARE(shown.view.findChild<QListView*>(u"storyList"_s)->currentIndex().row(), 1);
    }

    void anEventIsFoundAtItsStep()
    {
        Shown shown(exampleOf(std::chrono::seconds(10)));
        shown.axis().setCurrentIndex(1);
        auto& table = *shown.view.findChild<EventTable*>();
        table.selectRow(table.model()->rowCount() - 1);
        const auto steps = static_cast<std::uint32_t>(shown.view.record().run->steps.times.size());
        QVERIFY(shown.timeline().cursorTime() > instantOfStep(2));
        QVERIFY(shown.timeline().cursorTime() <= instantOfStep(steps));
    }

    void aRangeOfStepsLimitsTheEventsByTheirTimes()
    {
        Shown shown(exampleOf(std::chrono::seconds(10)));
        const int all = shown.view.findChild<EventTable*>()->model()->rowCount();
        shown.axis().setCurrentIndex(1);
        shown.timeline().zoom().select(models::VisibleRange{instantOfStep(0), instantOfStep(1)});
        const int some = shown.view.findChild<EventTable*>()->model()->rowCount();
        QVERIFY(some > 0 && some < all);
    }
};

LOCKSCOPE_TEST(TestRunView, Widgets)

} // namespace lockscope::tst_run_view

#include "tst_run_view.moc"
