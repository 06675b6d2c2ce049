#include "tests/support/test_program.h"
#include "ui/models/lab/lab_activity.h"

#include <QTest>

namespace lockscope::tst_lab_activity {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using models::LabActivity;
using service::SearchProgress;
using workload::LiveRunProgress;

class TestLabActivity : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingIsSaidBeforeTheFirstRun();
    void aSearchSaysHowFarItIs();
    void aPausedSearchSaysSo();
    void aSearchThatIsBeingStoppedSaysSo();
    void aLiveRunCountsAcquisitions();
    void aFailedRunSaysWhy();
};

void TestLabActivity::nothingIsSaidBeforeTheFirstRun()
{
    QVERIFY(models::activityOf(SearchProgress()).text.isEmpty());
    QVERIFY(models::activityOf(LiveRunProgress()).text.isEmpty());
    QVERIFY(!models::activityOf(SearchProgress()).isUnderWay);
}

void TestLabActivity::aSearchSaysHowFarItIs()
{
    SearchProgress progress;
    progress.phase = SearchProgress::Phase::Searching;
    progress.coverage.schedules = 12'345;
    progress.coverage.longest = 31;
    progress.schedulesPerSecond = 98;
    progress.partCount = 4;
    progress.doneCount = 1;
    progress.elapsed = 1s;
    LabActivity activity = models::activityOf(progress);
    QVERIFY(activity.isUnderWay);
    QCOMPARE(activity.share, 0.25);
    QVERIFY(activity.text.startsWith(u"12,345 schedules · 98/s · deepest 31 steps"_s));
    QVERIFY(!activity.text.contains(u"left"_s)); // too early to tell
    progress.elapsed = 10s;
    activity = models::activityOf(progress);
    QVERIFY(activity.text.endsWith(u"about 30.0 s left"_s));
    progress.phase = SearchProgress::Phase::Cancelled;
    activity = models::activityOf(progress);
    QVERIFY(!activity.isUnderWay);
    QVERIFY(activity.text.startsWith(u"stopped · "_s));
}

void TestLabActivity::aPausedSearchSaysSo()
{
    SearchProgress progress;
    progress.phase = SearchProgress::Phase::Searching;
    progress.isPaused = true;
    progress.partCount = 2;
    progress.doneCount = 1;
    progress.elapsed = 1min;
    const LabActivity activity = models::activityOf(progress);
    QVERIFY(activity.isPaused && activity.isUnderWay);
    QVERIFY(activity.text.startsWith(u"paused · "_s));
    QVERIFY(!activity.text.contains(u"left"_s));
}

void TestLabActivity::aSearchThatIsBeingStoppedSaysSo()
{
    SearchProgress progress;
    progress.phase = SearchProgress::Phase::Searching;
    progress.isStopping = true;
    const LabActivity activity = models::activityOf(progress);
    QVERIFY(activity.isStopping && activity.isUnderWay);
    QVERIFY(activity.text.startsWith(u"stopping · "_s));
}

void TestLabActivity::aLiveRunCountsAcquisitions()
{
    LiveRunProgress progress;
    progress.phase = LiveRunProgress::Phase::Running;
    progress.statistics.acquisitions = 1'200;
    progress.recentPerSecond = 60;
    progress.elapsed = 5s;
    progress.duration = 10s;
    LabActivity activity = models::activityOf(progress);
    QVERIFY(activity.isUnderWay && !activity.isPaused);
    QCOMPARE(activity.share, 0.5);
    QVERIFY(activity.text.startsWith(u"running · 1,200 acquisitions · 60/s"_s));
    progress.phase = LiveRunProgress::Phase::Parked;
    QVERIFY(models::activityOf(progress).isPaused);
    progress.phase = LiveRunProgress::Phase::Finished;
    activity = models::activityOf(progress);
    QVERIFY(!activity.isUnderWay && !activity.text.contains(u"60/s"_s));
}

void TestLabActivity::aFailedRunSaysWhy()
{
    LiveRunProgress progress;
    progress.phase = LiveRunProgress::Phase::Failed;
    progress.problem.kind = store::Problem::Kind::ConnectionRefused;
    QCOMPARE(models::activityOf(progress).text,
             QString::fromStdString(store::explain(progress.problem)));
}

LOCKSCOPE_TEST(TestLabActivity, Core)

} // namespace lockscope::tst_lab_activity

#include "tst_lab_activity.moc"
