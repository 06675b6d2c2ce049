#include "core/kernel/search/server_transcript.h"
#include "tests/kernel/search/search_bench.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_server_transcript {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using search::Exchange;
using search::ServerTranscript;
using world::FaultKind;
using world::Step;
using world::WorldPlan;

namespace {

ServerTranscript listen(const char* protocol, const WorldPlan& plan,
                        std::initializer_list<const char*> texts)
{
    std::vector<Step> steps;
    for (const char* const text : texts) {
        steps.push_back(*world::parseStep(text));
    }
    sim::LuaEngine lua;
    return search::transcriptOf(*protocol::findProtocol(protocol), plan, steps, lua);
}

QByteArray textOf(const Exchange& exchange)
{
    const auto command = QByteArray::fromStdString(toText(exchange.command));
    const auto reply = QByteArray::fromStdString(replyText(exchange.reply));
    const auto who = QByteArray::fromStdString(world::clientName(exchange.client));
    switch (exchange.kind) {
    case Exchange::Kind::Ask: return who + ' ' + command + ' ' + reply;
    case Exchange::Kind::Begin: return who + " begins " + command.left(9);
    case Exchange::Kind::Hear: return who + " hears " + reply;
    case Exchange::Kind::HangUp: return who + " hangs up";
    case Exchange::Kind::Direct: return command;
    }
    return {};
}

QByteArrayList textsOf(const ServerTranscript& transcript)
{
    QByteArrayList texts;
    for (const Exchange& exchange : transcript.exchanges) {
        texts << textOf(exchange);
    }
    return texts;
}

QByteArray leftIn(const ServerTranscript& transcript)
{
    QByteArrayList texts;
    for (const search::Question& question : transcript.questions) {
        texts << QByteArray::fromStdString(toText(question.command) + ' '
                                           + replyText(question.reply));
    }
    return texts.join("; ");
}

} // namespace

class TestServerTranscript : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void requestsAndRepliesAreHeardInOrder();
    void whatIsLeftIsAskedForInTheEnd();
    void aSubscriberHearsByItself();
    void faultsThatReachAServerAreToldToIt();
    void lateRequestsAreMarked();
    void serverFaultsCannotBeRepeated();
    void anImpossibleStepIsTold();
    void theMarginIsTheNearestEndOfALease();
    void theEndOfARunIsConcluded();
    void everythingIsSpedUp();
};

void TestServerTranscript::requestsAndRepliesAreHeardInOrder()
{
    const ServerTranscript heard = listen("set-nx-ex", twoAtOnce(),
                                          {"serve B 0 c", "serve A 0 c", "advance", "serve A 0 c"});
    QCOMPARE(textsOf(heard), (QByteArrayList{"B SET k 1 EX 10 NX +OK", "A SET k 1 EX 10 NX nil",
                                             "A SET k 1 EX 10 NX nil"}));
    QCOMPARE(heard.exchanges[2].at, Instant{} + 3s);
    QCOMPARE(heard.exchanges[2].step, std::size_t{3});
    QCOMPARE(heard.virtualTime, Duration(3s));
}

void TestServerTranscript::whatIsLeftIsAskedForInTheEnd()
{
    const WorldPlan plan = planOf({aRound()});
    QCOMPARE(leftIn(listen("set-nx-ex", plan, {"serve A 0 c", "advance"})),
             "TYPE k +string; GET k \"1\"; PTTL k 6000");
    QCOMPARE(leftIn(listen("set-nx-ex", plan, {"serve A 0 c", "advance", "serve A 0 c"})),
             "TYPE k +none; PTTL k -2");
    QVERIFY(leftIn(listen("reentrant-hash", plan, {"serve A 0 c"})).contains("HVALS k [\"1\"]"));
}

void TestServerTranscript::aSubscriberHearsByItself()
{
    const ServerTranscript heard = listen("redisson-lock", twoAtOnce(),
                                          {"serve A 0 c", "serve B 0 c", "serve B 0 s",
                                           "serve B 0 c", "advance", "serve A 0 c"});
    QVERIFY(!heard.impossibleStep);
    const QByteArrayList texts = textsOf(heard);
    QCOMPARE(texts[2], "B begins SUBSCRIBE");
    QCOMPARE(texts[3], "B hears [\"subscribe\", \"redisson_lock__channel:{k}\", 1]");
    QCOMPARE(texts.back(), "B hears [\"message\", \"redisson_lock__channel:{k}\", \"0\"]");
    QCOMPARE(heard.exchanges[3].link.role, world::LinkRole::Channels);
}

void TestServerTranscript::faultsThatReachAServerAreToldToIt()
{
    QCOMPARE(textsOf(listen("set-nx-ex", twoAtOnce(FaultKind::ForceRelease),
                            {"serve A 0 c", "force-release A 0 c 0"}))
                 .back(),
             "DEL k");
    QCOMPARE(textsOf(listen("set-nx-ex", twoAtOnce(FaultKind::Eviction),
                            {"serve A 0 c", "eviction A 0 c 0"}))
                 .back(),
             "DEL k");
    QCOMPARE(textsOf(listen("set-nx-ex", twoAtOnce(FaultKind::ScriptFlush),
                            {"serve A 0 c", "script-flush A 0 c 0"}))
                 .back(),
             "SCRIPT FLUSH SYNC");
    QCOMPARE(textsOf(listen("set-nx-ex", twoAtOnce(FaultKind::Crash),
                            {"serve A 0 c", "crash A 0 c 0"}))
                 .back(),
             "A hangs up");
    QCOMPARE(textsOf(listen("set-nx-ex", twoAtOnce(FaultKind::Pause),
                            {"serve A 0 c", "pause A 0 c 0"}))
                 .size(),
             1);
}

void TestServerTranscript::lateRequestsAreMarked()
{
    const ServerTranscript heard = listen("set-nx-ex", twoAtOnce(FaultKind::MessageCopy),
                                          {"message-copy A 0 c 0", "late 0"});
    QCOMPARE(textsOf(heard), (QByteArrayList{"A SET k 1 EX 10 NX +OK", "A SET k 1 EX 10 NX nil"}));
    QVERIFY(!heard.exchanges[0].isLate);
    QVERIFY(heard.exchanges[1].isLate);
}

void TestServerTranscript::serverFaultsCannotBeRepeated()
{
    const std::pair<FaultKind, const char*> rows[] = {
        {FaultKind::ClockStep, "clock-step A 0 c 0"},
        {FaultKind::ServerRestart, "server-restart A 0 c 0"},
        {FaultKind::Failover, "failover A 0 c 0"},
    };
    for (const auto& [fault, step] : rows) {
        const ServerTranscript heard = listen("set-nx-ex", twoAtOnce(fault), {"serve A 0 c", step});
        QCOMPARE(heard.unrepeatable, std::optional(fault));
    }
    const ServerTranscript client = listen("set-nx-ex", twoAtOnce(FaultKind::ClockStep),
                                           {"serve A 0 c", "clock-step A 0 c 1"});
    QVERIFY(!client.unrepeatable);
    QVERIFY(!client.impossibleStep);
}

void TestServerTranscript::anImpossibleStepIsTold()
{
    QCOMPARE(listen("set-nx-ex", twoAtOnce(), {"serve A 0 c", "advance"}).impossibleStep,
             std::optional(std::size_t{1}));
}

void TestServerTranscript::theMarginIsTheNearestEndOfALease()
{
    QCOMPARE(listen("setnx-no-expiry", twoAtOnce(), {"serve A 0 c"}).margin, Duration::max());
    QCOMPARE(listen("set-nx-ex", planOf({aRound()}), {"serve A 0 c", "advance"}).margin,
             Duration(6s));
    const WorldPlan behind = planOf({aRound(0s, 20s), aRound(9900ms)});
    QCOMPARE(listen("set-nx-ex", behind, {"serve A 0 c", "advance", "serve B 0 c"}).margin,
             Duration(100ms));
}

void TestServerTranscript::theEndOfARunIsConcluded()
{
    WorldPlan plan = planOf({aRound()});
    plan.faults = world::FaultPlan::only(FaultKind::Crash, 10s);
    const ServerTranscript heard = listen("setnx-no-expiry", plan,
                                          {"serve A 0 c", "crash A 0 c 0"});
    QCOMPARE(testing::textOf(heard.violations), "permanent-lock B -");
    // The client that asked in the end is not part of it.
    QCOMPARE(textsOf(heard).front(), "A SETNX k 1 1");
    QVERIFY(!textsOf(heard).contains("B SETNX k 1 0"));
    QCOMPARE(leftIn(heard), "TYPE k +string; GET k \"1\"; PTTL k -1");
}

void TestServerTranscript::everythingIsSpedUp()
{
    WorldPlan plan = twoAtOnce(FaultKind::Pause);
    plan.clients[1].startAt = 12s;
    plan.renewal.period = 3s;
    const WorldPlan quick = search::spedUp(plan, 10);
    QCOMPARE(quick.clients[1].startAt, Duration(1200ms));
    QCOMPARE(quick.leaseMax(), Duration(1s));
    QCOMPARE(quick.clients[0].acts[1].span, Duration(400ms));
    QCOMPARE(quick.faults.of(FaultKind::Pause).amount, Duration(1500ms));
    QCOMPARE(quick.renewal.period, Duration(300ms));
    QCOMPARE(quick.retryPause, Duration(300ms));
    QCOMPARE(quick.requestTimeout, Duration(300ms));
    QVERIFY(search::spedUp(plan, 1).clients == plan.clients);
}

LOCKSCOPE_TEST(TestServerTranscript, Core)

} // namespace lockscope::tst_server_transcript

#include "tst_server_transcript.moc"
