#include "core/kernel/world/clients.h"
#include "tests/kernel/world/stage.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_clients {

using namespace lockscope::testing;
using namespace lockscope::world;
using namespace std::chrono_literals;

namespace {

/// Two clients, and a network that keeps what it is given.
struct Crew : private Network {
    WorldPlan plan = twoAtOnce();
    const protocol::LockProtocol& protocol = *protocol::findProtocol("set-nx-ex");
    Ledger ledger{protocol.info(), plan};
    RunRecord record;
    Instant now{};
    std::vector<Request> sent;
    Clients clients{{protocol, plan, now, ledger, *this, record}};

    Crew()
    {
        for (const ClientPlan& acts : plan.clients) {
            clients.add(plan, acts);
        }
    }
    void send(Request request) override { sent.push_back(std::move(request)); }
    void subscribe(int, int, const Bytes&) override {}
    void grant()
    {
        sent.back().answer->complete(store::Reply::ofStatus("OK"));
        clients.run(sent.back().client);
    }
};

} // namespace

class TestClients : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneThatRunsIsFresh();
    void whatTheyReportReachesTheLedger();
    void aPauseEndsWithItsTime();
    void aCrashEndsAllBeliefs();
    void theHungOneIsFound();
};

void TestClients::oneThatRunsIsFresh()
{
    Crew crew;
    QVERIFY(!crew.clients.run(0)); // it has not started
    QVERIFY(!crew.clients.isFresh(0));
    crew.clients.start(0);
    QVERIFY(crew.clients.run(0));
    QVERIFY(crew.clients.isFresh(0) && !crew.clients.isFresh(1));
    crew.clients.markAll(false);
    QVERIFY(!crew.clients.run(0)); // it waits for its answer
    QVERIFY(!crew.clients.isFresh(0));
}

/// By the world's time, whatever their own clocks show.
void TestClients::whatTheyReportReachesTheLedger()
{
    Crew crew;
    crew.now = Instant(5s);
    crew.clients.setRate(0, 0.5);
    crew.now = Instant(9s);
    crew.clients.start(0);
    crew.clients.run(0);
    crew.grant();
    QVERIFY(crew.ledger.believes(0, 0));
    QCOMPARE(crew.record.events().size(), std::size_t{2});
    QCOMPARE(crew.record.events().back().kind, trace::EventKind::Granted);
    QCOMPARE(crew.record.events().back().at, Instant(9s));
    QCOMPARE(crew.clients[0].now(), Instant(7s));
}

void TestClients::aPauseEndsWithItsTime()
{
    Crew crew;
    crew.clients.start(0);
    crew.clients.run(0);
    crew.grant(); // it works for four seconds
    crew.clients.pause(0, 6s);
    QVERIFY(!crew.clients.isRunning(0));
    QCOMPARE(crew.clients.nextDue(), Instant(6s));
    crew.now = Instant(5s);
    crew.clients.endPauses();
    crew.clients.fireTimers();
    QVERIFY(!crew.clients.isRunning(0));
    crew.now = Instant(6s);
    crew.clients.endPauses();
    QVERIFY(crew.clients.isRunning(0));
    QCOMPARE(crew.record.events().back().kind, trace::EventKind::Resumed);
    crew.clients.fireTimers();
    QVERIFY(crew.clients.run(0)); // two seconds late
}

void TestClients::aCrashEndsAllBeliefs()
{
    Crew crew;
    crew.clients.start(0);
    crew.clients.run(0);
    crew.grant();
    crew.clients.crash(0);
    QVERIFY(!crew.ledger.believes(0, 0));
    QVERIFY(!crew.clients.isRunning(0));
    QCOMPARE(crew.record.events().back().kind, trace::EventKind::Crashed);
    crew.clients.replaceCrashed(0);
    QVERIFY(crew.clients.isRunning(0));
    crew.clients.start(0);
    crew.clients.run(0);
    QCOMPARE(crew.sent.size(), std::size_t{2}); // from its first act
}

void TestClients::theHungOneIsFound()
{
    Crew crew;
    QCOMPARE(crew.clients.hungOne(), std::nullopt);
    crew.clients[0].hang();
    QCOMPARE(crew.clients.hungOne(), std::optional(0));
    QVERIFY(!crew.clients.areAllDead());
    crew.clients.crash(1);
    QVERIFY(crew.clients.areAllDead());
}

LOCKSCOPE_TEST(TestClients, Core)

} // namespace lockscope::tst_clients

#include "tst_clients.moc"
