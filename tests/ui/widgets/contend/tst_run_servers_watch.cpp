#include "tests/support/scripted_services.h"
#include "tests/support/test_program.h"
#include "ui/widgets/contend/run_servers_watch.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>

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
        using Endpoints = RunServersWatch::Endpoints;

        test::ScriptedLiveRunner runner;
        std::vector<Endpoints> watched{serverAt(1)}; // the last one is shown
        bool hasRoom = true;
        RunServersWatch visit{
            {runner,
             [this](const Endpoints& servers) { return std::ranges::count(watched, servers) > 0; },
             [this](const Endpoints& servers) {
                 if (hasRoom) {
                     std::erase(watched, servers);
                     watched.push_back(servers);
                 }
                 return hasRoom;
             },
             [this](const Endpoints& servers) { return std::erase(watched, servers) > 0; }}};
        QSignalSpy ended{&visit, &RunServersWatch::ended};

        void tell(Phase phase)
        {
            workload::LiveRunProgress progress;
            progress.phase = phase;
            runner.tell(progress);
        }
    };

private Q_SLOTS:
    void theServersOfTheRunAreWatchedUntilItIsOver_data()
    {
        QTest::addColumn<Phase>("end");
        QTest::newRow("finished") << Phase::Finished;
        QTest::newRow("failed") << Phase::Failed;
    }
    void theServersOfTheRunAreWatchedUntilItIsOver()
    {
        QFETCH(const Phase, end);
        Bench bench;
        const std::vector<Bench::Endpoints> both{serverAt(1), serverAt(2)};
        bench.visit.begin(serverAt(2));
        QVERIFY(bench.watched == both);
        bench.tell(Phase::Running);
        bench.tell(Phase::Stopping);
        QVERIFY(bench.watched == both);
        bench.tell(end);
        QVERIFY(bench.watched == std::vector<Bench::Endpoints>{serverAt(1)});
        QCOMPARE(bench.ended.count(), 1);
        bench.tell(end);
        QCOMPARE(bench.ended.count(), 1);
    }

    void aRunOnAWatchedServerIsShownAndStays()
    {
        Bench bench;
        bench.watched = {serverAt(1), serverAt(2)};
        bench.visit.begin(serverAt(1));
        QVERIFY(bench.watched.back() == serverAt(1));
        bench.tell(Phase::Finished);
        QCOMPARE(bench.watched.size(), std::size_t(2));
        QCOMPARE(bench.ended.count(), 0);
    }

    void whatFoundNoRoomIsTheUsersWhenOpenedLater()
    {
        Bench bench;
        bench.hasRoom = false;
        bench.visit.begin(serverAt(2));
        bench.watched.push_back(serverAt(2));
        bench.tell(Phase::Finished);
        QCOMPARE(bench.watched.size(), std::size_t(2));
        QCOMPARE(bench.ended.count(), 0);
    }

    void whoHasClosedThemHearsNothingMore()
    {
        Bench bench;
        bench.visit.begin(serverAt(2));
        bench.watched = {serverAt(3)};
        bench.tell(Phase::Finished);
        QVERIFY(bench.watched == std::vector<Bench::Endpoints>{serverAt(3)});
        QCOMPARE(bench.ended.count(), 0);
    }
};

LOCKSCOPE_TEST(TestRunServersWatch, Widgets)

} // namespace lockscope::tst_run_servers_watch

#include "tst_run_servers_watch.moc"
