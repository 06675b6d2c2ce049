#include "tests/support/scripted_services.h"
#include "tests/support/test_program.h"
#include "ui/widgets/contend/run_servers_watch.h"

#include <QSignalSpy>
#include <QTest>

namespace lockscope::tst_run_servers_watch {

using widgets::RunServersWatch;
using Phase = workload::LiveRunProgress::Phase;

class TestRunServersWatch : public QObject {
    Q_OBJECT

    static RunServersWatch::Endpoints serverAt(std::uint16_t port)
    {
        store::Endpoint endpoint;
        endpoint.port = port;
        return {endpoint};
    }

    /// A window that watches the server at port 1.
    struct Bench {
        test::ScriptedLiveRunner runner;
        RunServersWatch::Endpoints watched = serverAt(1);
        RunServersWatch visit{
            {runner, [this] { return watched; },
             [this](const RunServersWatch::Endpoints& servers) { watched = servers; }}};
        QSignalSpy ended{&visit, &RunServersWatch::ended};

        void tell(Phase phase)
        {
            workload::LiveRunProgress progress;
            progress.phase = phase;
            runner.tell(progress);
        }
    };

private Q_SLOTS:
    void whatWasWatchedComesBackWhenTheRunIsOver_data()
    {
        QTest::addColumn<Phase>("end");
        QTest::newRow("finished") << Phase::Finished;
        QTest::newRow("failed") << Phase::Failed;
    }
    void whatWasWatchedComesBackWhenTheRunIsOver()
    {
        QFETCH(const Phase, end);
        Bench bench;
        bench.visit.begin(serverAt(2));
        QVERIFY(bench.watched == serverAt(2));
        bench.tell(Phase::Running);
        bench.tell(Phase::Stopping);
        QVERIFY(bench.watched == serverAt(2));
        bench.tell(end);
        QVERIFY(bench.watched == serverAt(1));
        QCOMPARE(bench.ended.count(), 1);
        bench.tell(end);
        QCOMPARE(bench.ended.count(), 1);
    }

    void aRunOnTheWatchedServerChangesNothing()
    {
        Bench bench;
        bench.visit.begin(serverAt(1));
        bench.tell(Phase::Finished);
        QVERIFY(bench.watched == serverAt(1));
        QCOMPARE(bench.ended.count(), 0);
    }

    void whoHasGoneElsewhereStaysThere()
    {
        Bench bench;
        bench.visit.begin(serverAt(2));
        bench.watched = serverAt(3);
        bench.tell(Phase::Finished);
        QVERIFY(bench.watched == serverAt(3));
        QCOMPARE(bench.ended.count(), 0);
    }
};

LOCKSCOPE_TEST(TestRunServersWatch, Widgets)

} // namespace lockscope::tst_run_servers_watch

#include "tst_run_servers_watch.moc"
