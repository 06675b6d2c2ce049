#include "core/kernel/world/sim_client.h"
#include "tests/kernel/world/stage.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <set>

namespace lockscope::tst_sim_client {

using namespace lockscope::testing;
using namespace lockscope::world;
using namespace std::chrono_literals;
using store::Command;
using store::Reply;

namespace {

/// One client, and a network that keeps what it is given.
struct Machine : private Network, private trace::EventSink {
    WorldPlan plan = twoAtOnce();
    const protocol::LockProtocol& protocol = *protocol::findProtocol("set-nx-ex");
    Ledger ledger{protocol.info(), plan};
    Instant now{};
    std::vector<Request> sent;
    std::vector<Bytes> channels;
    std::vector<trace::Event> events;
    SimClient client{{protocol, plan, plan.clients[0], ledger, *this, *this, now, 0, 0}};

    void send(Request request) override { sent.push_back(std::move(request)); }
    void subscribe(int, int, const Bytes& channel) override { channels.push_back(channel); }
    void append(const trace::Event& event) override { events.push_back(event); }
};

} // namespace

class TestSimClient : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itRunsUntilItWaits();
    void aCrashForgetsEverything();
    void aFastClockIsEarly();
    void theRateChangesFromWhatTheClockShows();
    void theWallClockIsApartFromTheClock();
    void timersWakeWhenTheyAreDue();
    void severalRequestsAreAnsweredTogether();
    void messagesReachThoseWhoListenToTheirChannel();
    void purposesFollowTheLife();
    void whatItWasToldIsInTheHash();
    void whatItReadFromItsCalendarIsInTheHash();
};

void TestSimClient::itRunsUntilItWaits()
{
    Machine m;
    QVERIFY(!m.client.run()); // it has not started
    m.client.start();
    QVERIFY(m.client.run());
    QVERIFY(!m.client.run());
    QCOMPARE(m.sent.size(), std::size_t{1});
    QCOMPARE(toText(m.sent[0].command), std::string("SET k 1 EX 10 NX"));
    QVERIFY(!m.client.isOver());
    m.sent[0].answer->complete(Reply::ofStatus("OK"));
    QVERIFY(m.client.run());
    QVERIFY(m.ledger.believes(0, 0));
    QCOMPARE(m.client.nextTimer(), std::optional(m.now + 4s));
}

void TestSimClient::aCrashForgetsEverything()
{
    Machine m;
    m.client.start();
    m.client.run();
    m.sent[0].answer->complete(Reply::ofStatus("OK"));
    m.client.run();
    m.client.crash();
    QVERIFY(m.client.isCrashed());
    QVERIFY(m.client.isOver());
    QVERIFY(!m.client.nextTimer());
    m.now += 9s;
    QVERIFY(!m.client.fireTimers());
    QVERIFY(!m.client.run());
    QCOMPARE(m.sent.size(), std::size_t{1});
}

void TestSimClient::aFastClockIsEarly()
{
    Machine m;
    m.client.setRate(1.5);
    auto wake = m.client.wakeAt(m.client.now() + 3s);
    QCOMPARE(m.client.nextTimer(), std::optional(m.now + 2s));
    m.now += 2s;
    QCOMPARE(m.client.now(), Instant{} + 3s);
    QVERIFY(m.client.fireTimers());
    QVERIFY(wake.isReady());
}

void TestSimClient::theRateChangesFromWhatTheClockShows()
{
    Machine m;
    m.now += 4s;
    m.client.setRate(0.5);
    QCOMPARE(m.client.now(), Instant{} + 4s);
    m.now += 4s;
    QCOMPARE(m.client.now(), Instant{} + 6s);
    m.client.setRate(1);
    m.now += 1s;
    QCOMPARE(m.client.now(), Instant{} + 7s);
}

void TestSimClient::theWallClockIsApartFromTheClock()
{
    Machine m;
    const WallTime before = m.client.wallNow();
    m.client.stepWallClock(12s);
    QCOMPARE(m.client.wallNow(), before + 12s);
    QCOMPARE(m.client.now(), Instant{});
    m.client.stepWallClock(-24s);
    m.now += 1500ms;
    QCOMPARE(m.client.wallNow(), before - 10500ms);
}

void TestSimClient::timersWakeWhenTheyAreDue()
{
    Machine m;
    auto early = m.client.wakeAt(m.now + 1s);
    auto late = m.client.wakeAt(m.now + 3s);
    QVERIFY(m.client.wakeAt(m.now).isReady());
    {
        const auto dropped = m.client.wakeAt(m.now + 500ms);
        QCOMPARE(m.client.nextTimer(), std::optional(m.now + 500ms));
    }
    QCOMPARE(m.client.nextTimer(), std::optional(m.now + 1s));
    QVERIFY(!m.client.fireTimers());
    m.now += 1s;
    QVERIFY(m.client.fireTimers());
    QVERIFY(early.isReady());
    QVERIFY(!late.isReady());
}

void TestSimClient::severalRequestsAreAnsweredTogether()
{
    Machine m;
    auto all = m.client.sendAll({0, LinkRole::Commands},
                                {Command("GET", "a"), Command("GET", "b")});
    m.client.run();
    QCOMPARE(m.sent.size(), std::size_t{2});
    m.sent[1].answer->complete(Reply::ofInteger(2));
    m.client.run();
    QVERIFY(!all.isReady());
    m.sent[0].answer->complete(Reply::ofInteger(1));
    m.client.run();
    QVERIFY(all.isReady());
}

void TestSimClient::messagesReachThoseWhoListenToTheirChannel()
{
    Machine m;
    async::Gate bell;
    const auto one = m.client.listen(0, "c", bell);
    const auto other = m.client.listen(0, "d", bell);
    QCOMPARE(m.channels, (std::vector<Bytes>{"c", "d"}));
    m.client.hear(0, "c", {store::Notice::Kind::Message, "hi"});
    m.client.hear(1, "c", {store::Notice::Kind::Message, "of another server"});
    QCOMPARE(one->takeNotice()->payload, Bytes("hi"));
    QVERIFY(!one->takeNotice());
    QVERIFY(!other->takeNotice());
    m.client.hear(0, {}, {store::Notice::Kind::Deaf, {}}); // all subscriptions
    QVERIFY(one->takeNotice());
    QVERIFY(other->takeNotice());
}

void TestSimClient::purposesFollowTheLife()
{
    Machine m;
    QCOMPARE(m.client.purpose(), Purpose::Renew);
    m.client.beginAcquiring();
    QCOMPARE(m.client.purpose(), Purpose::Acquire);
    m.client.endAcquiring();
    m.client.start();
    m.client.run();
    m.sent[0].answer->complete(Reply::ofStatus("OK"));
    m.client.run();
    m.now += 4s;
    m.client.fireTimers();
    m.client.run();
    QCOMPARE(toText(m.sent.at(1).command), std::string("DEL k"));
    QCOMPARE(m.sent[1].purpose, Purpose::Release);
}

void TestSimClient::whatItWasToldIsInTheHash()
{
    Machine m;
    std::set<std::uint64_t> hashes{m.client.contentHash()};
    const auto isNew = [&] { return hashes.insert(m.client.contentHash()).second; };
    m.client.remember(7);
    QVERIFY(isNew());
    auto wake = m.client.wakeAt(m.now + 1s);
    QVERIFY(isNew());
    m.client.stepWallClock(1s);
    QVERIFY(isNew());
    m.client.setRate(0.5);
    QVERIFY(isNew());
    m.client.hang();
    QVERIFY(isNew());
    m.client.crash();
    QVERIFY(isNew());
}

/// Two clients whose calendars agree now, of which one read its own before it was set.
void TestSimClient::whatItReadFromItsCalendarIsInTheHash()
{
    Machine early;
    early.client.wallNow();
    early.client.stepWallClock(1s);
    Machine late;
    late.client.stepWallClock(1s);
    QVERIFY(early.client.contentHash() != late.client.contentHash());
    late.client.wallNow();
    QVERIFY(early.client.contentHash() != late.client.contentHash());
    Machine again;
    again.client.stepWallClock(1s);
    again.client.wallNow();
    QCOMPARE(again.client.contentHash(), late.client.contentHash());
}

LOCKSCOPE_TEST(TestSimClient, Core)

} // namespace lockscope::tst_sim_client

#include "tst_sim_client.moc"
